import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { sizeLimit } from 'lib/format';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import styles from './manage-data-panel.module.css';
import parts from './service.module.css';
import { type RowActions, SourceList } from './source-list';
import { Problems, Progress } from './uploading';
import type { Upload } from './use-upload';

export const UPLOADED_DATA = 'Uploaded Data';

interface UploadingProps {
  upload: Upload;
  /** Nothing was uploaded yet: it is what there is to do here. */
  first: boolean | undefined;
  /** Bytes that one file may have at most. */
  largest: number;
}

/** The choice of files, how far each is on its way, and what could not be taken. */
export function Uploading({ upload, first, largest }: UploadingProps) {
  return (
    <>
      <UploadButton upload={upload} first={first} largest={largest} />
      {upload.problems.length > 0 && (
        <div className={parts.below}>
          <Problems upload={upload} />
        </div>
      )}
      {upload.sending.length > 0 && (
        <div className={parts.below}>
          <Progress files={upload.sending} />
        </div>
      )}
    </>
  );
}

interface Props extends RowActions {
  sources: readonly Source[];
}

export function UploadedSection({ sources, ...actions }: Props) {
  return (
    <SourceList
      title={UPLOADED_DATA}
      sources={sources}
      none="No files yet. What you upload appears here."
      {...actions}
    />
  );
}

function UploadButton({ upload, first, largest }: UploadingProps) {
  const input = useRef<HTMLInputElement>(null);
  const busy = upload.sending.length > 0;
  return (
    <>
      <Button
        full
        variant={first ? 'primary' : 'secondary'}
        busy={busy}
        icon={<Plus size={18} strokeWidth={1.75} />}
        onClick={() => input.current?.click()}
      >
        {busy ? 'Uploading...' : 'Upload New File'}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".csv,.xlsx"
        data-testid="upload"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          upload.add(files);
        }}
      />
      <p className={parts.note}>
        .csv or .xlsx, up to {sizeLimit(largest)} each.
        <span className={styles.dropHint}> Or drop them here.</span>
      </p>
    </>
  );
}
