import type { Message } from 'api/types';
import { IconButton } from 'design/components/icon-button';
import { pictureAddress, pictureBlob, pictureOf } from 'lib/image-data';
import { Copy } from 'lucide-react';
import { toastShow } from 'stores/toast';
import { IMAGE_COPIED, IMAGE_COPY_FAILED } from './copy';
import styles from './message-parts.module.css';

/** The picture that came with an answer, known by the message's id and -image (SPEC 3). */
export function MessageImage({ message }: { message: Message }) {
  const picture = pictureOf(message.image_data);
  if (!picture) return null;
  const copy = async () => {
    const blob = pictureBlob(picture);
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
  };
  return (
    <figure id={`${message.message_id}-image`} className={styles.image}>
      <img src={pictureAddress(picture)} alt="" />
      <figcaption>
        <span className="visually-hidden">Picture of this answer</span>
        <IconButton
          name="Copy image"
          icon={<Copy size={16} strokeWidth={1.75} />}
          onClick={() =>
            copy().then(
              () => toastShow('complete', IMAGE_COPIED),
              () => toastShow('error', IMAGE_COPY_FAILED),
            )
          }
        />
      </figcaption>
    </figure>
  );
}
