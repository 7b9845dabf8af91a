import { saveFile } from 'design/save-file';
import { type RefObject, useState } from 'react';
import { toastShow } from 'stores/toast';
import { IMAGE_COPIED, IMAGE_COPY_FAILED } from './copy';

const DRAWINGS = 'svg[data-chart-part], [data-chart-plot] svg.recharts-surface';
const PNG = 'image/png';

/** The drawings within a figure as a picture, for a file or the clipboard; what makes one comes when somebody wants it. */
export function usePicture(figure: RefObject<HTMLElement | null>, name: string, surface: string) {
  const [failed, setFailed] = useState(false);
  const made = async () => {
    const { pictureOf } = await import(/* webpackChunkName: "chart-picture" */ './picture');
    return pictureOf([...(figure.current?.querySelectorAll<SVGSVGElement>(DRAWINGS) ?? [])], surface);
  };
  const download = () => {
    setFailed(false);
    made().then(
      (picture) => saveFile(name, [picture], PNG),
      () => setFailed(true),
    );
  };
  const copy = () => {
    const picture = made();
    Promise.all([picture, intoClipboard(picture)]).then(
      () => toastShow('complete', IMAGE_COPIED),
      () => toastShow('error', IMAGE_COPY_FAILED),
    );
  };
  return { failed, download, copy };
}

/** Takes the picture that is still to be made: some browsers only let in what is written in the moment of the click. */
async function intoClipboard(picture: Promise<Blob>): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ [PNG]: picture })]);
}
