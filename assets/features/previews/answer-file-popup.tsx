import type { MessageFile } from 'api/types';
import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { saveFile } from 'design/save-file';
import { csvRows } from 'lib/csv-rows';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { otherType, previewTitle, WORD } from './copy';
import {
  bytesOf,
  type FileView,
  PREVIEW_CHARACTERS,
  PREVIEW_ROWS,
  textOf,
  typeName,
  viewOf,
} from './file-view';
import styles from './preview-popup.module.css';
import { RowsTable } from './sample-table';

interface Props {
  file: MessageFile;
  onClose(): void;
}

/** A file that came with an answer: its beginning, and the whole of it as a download. */
export default function AnswerFilePopup({ file, onClose }: Props) {
  const shown = !REFUSED.includes(viewOf(file));
  return (
    <Popup
      title={previewTitle(file.filename)}
      width={shown ? 'full' : 'normal'}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant={shown ? 'secondary' : 'primary'}
            icon={<Download size={18} strokeWidth={1.75} />}
            // never as the file's own type: a hostile HTML file must not open in the page's origin
            onClick={() => saveFile(file.filename, [bytesOf(file)], 'application/octet-stream')}
          >
            Download
          </Button>
        </>
      }
    >
      <View file={file} />
    </Popup>
  );
}

/** What can only be handed on. */
const REFUSED: readonly FileView[] = ['word', 'other'];

function View({ file }: { file: MessageFile }) {
  switch (viewOf(file)) {
    case 'table':
      return <TableView file={file} />;
    case 'text':
      return <TextView file={file} />;
    case 'pdf':
      return <PdfView file={file} />;
    case 'word':
      return <p className={styles.refused}>{WORD}</p>;
    case 'other':
      return <p className={styles.refused}>{otherType(typeName(file))}</p>;
  }
}

/** Text that is a number; one that begins with a zero names something. */
const FIGURE = /^[-−]?(?:0|[1-9][\d,]*)(?:\.\d+)?\s?%?$/;

function TableView({ file }: { file: MessageFile }) {
  // the head, the rows shown, and one that tells whether there are more
  const [head, ...all] = useMemo(() => csvRows(textOf(file), PREVIEW_ROWS + 2), [file]);
  const rows = all.slice(0, PREVIEW_ROWS);
  if (!head) return <p className={styles.refused}>This file is empty.</p>;
  return (
    <>
      <RowsTable
        columns={head}
        rows={rows.map((row) => head.map((_, at) => row[at] || null))}
        numeric={(values) =>
          values.some(Boolean) && values.every((value) => value === null || FIGURE.test(`${value}`))
        }
      />
      {all.length > rows.length && <p className={styles.rest}>The first {PREVIEW_ROWS} rows.</p>}
    </>
  );
}

function TextView({ file }: { file: MessageFile }) {
  const text = useMemo(() => textOf(file), [file]);
  if (text.trim() === '') return <p className={styles.refused}>This file is empty.</p>;
  const cut = text.length > PREVIEW_CHARACTERS;
  return (
    <>
      <pre className={styles.plain}>
        {text.slice(0, PREVIEW_CHARACTERS)}
        {cut && '…'}
      </pre>
      {cut && <p className={styles.rest}>The first {PREVIEW_CHARACTERS} characters.</p>}
    </>
  );
}

/** The page as wide as the frame, without a column of small pages beside it: the browser's own view obeys. */
const WHOLE_WIDTH = '#navpanes=0&view=FitH';

function PdfView({ file }: { file: MessageFile }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytesOf(file)], { type: 'application/pdf' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (!address) return <div className={styles.frame} />;
  return <iframe className={styles.frame} title={file.filename} src={address + WHOLE_WIDTH} height="500" />;
}
