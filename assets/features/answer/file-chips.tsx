import type { MessageFile } from 'api/types';
import { MiddleCut } from 'design/components/middle-cut';
import { saveFile } from 'design/save-file';
import { fileSize } from 'lib/format';
import { Download, File, FileJson, FileSpreadsheet, FileText, Image } from 'lucide-react';
import styles from './file-chips.module.css';

interface Props {
  files: readonly MessageFile[];
  /** Opens a preview; without it a click on the name downloads. */
  onPreview?: ((file: MessageFile) => void) | undefined;
}

/** The files of an answer that are no charts. */
export function FileChips({ files, onPreview }: Props) {
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.filename} className={styles.file}>
          <button
            type="button"
            className={styles.open}
            aria-label={onPreview ? `Preview ${file.filename}` : `Download ${file.filename}`}
            onClick={() => (onPreview ? onPreview(file) : saveMessageFile(file))}
          >
            <FileIcon name={file.filename} />
            <MiddleCut name={file.filename} />
            <span className={styles.size}>{fileSize(sizeOf(file))}</span>
          </button>
          <button
            type="button"
            className={styles.save}
            aria-label={`Download ${file.filename}`}
            data-tip="Download"
            onClick={() => saveMessageFile(file)}
          >
            <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function FileIcon({ name }: { name: string }) {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  const props = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;
  if (['csv', 'xlsx', 'xls', 'tsv'].includes(ending)) return <FileSpreadsheet {...props} />;
  if (['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp'].includes(ending)) return <Image {...props} />;
  if (ending === 'json') return <FileJson {...props} />;
  if (['txt', 'md', 'pdf', 'doc', 'docx'].includes(ending)) return <FileText {...props} />;
  return <File {...props} />;
}

/** Bytes of the decoded content. */
export function sizeOf({ encoding, content }: MessageFile): number {
  if (encoding !== 'base64') return new TextEncoder().encode(content).length;
  return Math.floor((content.length * 3) / 4) - (content.match(/=+$/)?.[0].length ?? 0);
}

export function saveMessageFile(file: MessageFile): void {
  const part =
    file.encoding === 'base64'
      ? Uint8Array.from(atob(file.content), (letter) => letter.charCodeAt(0))
      : file.content;
  // Never as the file's own type: a hostile HTML file must not open in the page's origin.
  saveFile(file.filename, [part], 'application/octet-stream');
}
