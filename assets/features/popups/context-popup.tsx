import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { chooseFiles } from './copy';
import { FileChoice } from './file-choice';
import styles from './file-choice.module.css';

interface Props {
  product: string;
  sources: readonly Source[];
  chosen: readonly string[];
  onConfirm(files: readonly string[]): void;
  onAddData(): void;
  /** Leads to the choice of files of this device. */
  onUpload(): void;
  onClose(): void;
}

/** The files a question is answered from. Nothing changes until Confirm. */
export default function ContextPopup({
  product,
  sources,
  chosen,
  onConfirm,
  onAddData,
  onUpload,
  onClose,
}: Props) {
  const ready = sources.filter((source) => source.state === 'ready');
  const [files, setFiles] = useState<readonly string[]>(() =>
    chosen.filter((name) => ready.some((source) => source.file_name === name)),
  );
  return (
    <Popup
      title={chooseFiles(product)}
      help={
        ready.length > 0 ? `With none chosen, ${product} picks the files itself.` : 'There are no files yet.'
      }
      width="wide"
      onClose={onClose}
      actions={
        ready.length > 0 ? (
          <>
            <UploadButton onUpload={onUpload} />
            {files.length > 0 && (
              <Button variant="ghost" onClick={() => setFiles([])}>
                Clear
              </Button>
            )}
            <Button variant="primary" onClick={() => onConfirm(files)}>
              {files.length > 0 ? `Confirm (${files.length})` : 'Confirm'}
            </Button>
          </>
        ) : (
          <>
            <UploadButton onUpload={onUpload} />
            <Button variant="primary" onClick={onAddData}>
              Add your data
            </Button>
          </>
        )
      }
    >
      <FileChoice sources={ready} chosen={files} onChange={setFiles} />
    </Popup>
  );
}

function UploadButton({ onUpload }: { onUpload(): void }) {
  return (
    <Button
      className={styles.upload}
      icon={<Upload size={18} strokeWidth={1.75} aria-hidden="true" />}
      onClick={onUpload}
    >
      Upload a file
    </Button>
  );
}
