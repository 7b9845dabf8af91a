import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { useState } from 'react';
import { chooseFiles } from './copy';
import { FileChoice } from './file-choice';

interface Props {
  product: string;
  sources: readonly Source[];
  chosen: readonly string[];
  onConfirm(files: readonly string[]): void;
  onAddData(): void;
  onClose(): void;
}

/** The files a question is answered from. Nothing changes until Confirm. */
export default function ContextPopup({ product, sources, chosen, onConfirm, onAddData, onClose }: Props) {
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
          <Button variant="primary" onClick={onAddData}>
            Add your data
          </Button>
        )
      }
    >
      <FileChoice sources={ready} chosen={files} onChange={setFiles} />
    </Popup>
  );
}
