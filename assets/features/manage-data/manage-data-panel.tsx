import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sourceGone } from 'api/queries';
import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { Panel } from 'design/components/panel';
import { Skeleton } from 'design/components/skeleton';
import { FileUp, Plus, TriangleAlert, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { toastShow } from 'stores/toast';
import { deleteFailed, deleteFile } from './api';
import styles from './manage-data-panel.module.css';
import { SourceRow } from './source-row';
import { type Upload, useUpload } from './use-upload';

interface Props {
  sources: readonly Source[] | undefined;
  failed: boolean;
  product: string;
  footer: ReactNode;
  onPreview(fileName: string): void;
  onEditContext(fileName: string): void;
  onRequestSource(): void;
  onRetry(): void;
  onClose(): void;
}

const NONE: readonly Source[] = [];
const GROUP_TITLES = { uploaded: 'Uploaded Data', spreadsheet: 'Google Sheets', crm: 'HubSpot' } as const;

/** The organisation's files: bring, watch being read, look into, delete. Dropping files anywhere uploads them. */
export function ManageDataPanel(props: Props) {
  const { sources, failed, product, footer, onRequestSource, onRetry, onClose } = props;
  const upload = useUpload(sources ?? NONE, product);
  const { dropping, handlers } = useDropZone(upload.add);
  return (
    <div className={styles.zone} data-dropping={dropping || undefined} {...handlers}>
      <Panel title="Manage Data" onClose={onClose} footer={footer}>
        <UploadButton upload={upload} />
        <Problems upload={upload} />
        {upload.sending && <Sending {...upload.sending} />}
        {sources ? (
          <Groups {...props} sources={sources} />
        ) : failed ? (
          <div className={styles.empty}>
            <p>Your files could not be loaded.</p>
            <Button onClick={onRetry}>Try again</Button>
          </div>
        ) : (
          <Skeleton rows={4} height={56} text="Loading files..." />
        )}
        <div className={styles.request}>
          <Button onClick={onRequestSource}>Request Source</Button>
        </div>
      </Panel>
      {dropping && (
        <div className={styles.drop} aria-hidden="true">
          <FileUp size={28} strokeWidth={1.5} />
          Drop .csv or .xlsx files
        </div>
      )}
    </div>
  );
}

function UploadButton({ upload }: { upload: Upload }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        full
        busy={upload.sending !== null}
        icon={<Plus size={18} strokeWidth={1.75} />}
        onClick={() => input.current?.click()}
      >
        {upload.sending ? 'Uploading...' : 'Upload New File'}
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
      <p className={styles.hint}>.csv or .xlsx, up to 200 MB each. You can also drop files here.</p>
    </>
  );
}

function Problems({ upload }: { upload: Upload }) {
  if (upload.problems.length === 0) return null;
  return (
    <div className={styles.problems} role="alert">
      <ul>
        {upload.problems.map(({ file, message }) => (
          <li key={file + message}>
            <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
            <span>
              {!message.includes(file) && <b>{file}: </b>}
              {message}
            </span>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className={styles.dismiss}
        aria-label="Hide these messages"
        onClick={upload.dismiss}
      >
        <X size={16} strokeWidth={1.75} />
      </button>
    </div>
  );
}

function Sending({ names, share }: { names: string[]; share: number }) {
  const percent = Math.round(share * 100);
  return (
    <div className={styles.sending} role="status">
      <p>
        {names.length === 1 ? names[0] : `${names.length} files`}
        <span>{percent < 100 ? `${percent} %` : 'Storing...'}</span>
      </p>
      <div className={styles.track}>
        <div className={styles.fill} style={{ transform: `scaleX(${share})` }} />
      </div>
    </div>
  );
}

function Groups({ sources, onPreview, onEditContext }: Props & { sources: readonly Source[] }) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: deleteFile,
    onSuccess: (_reply, fileName) => {
      sourceGone(client, fileName);
      toastShow('complete', `${fileName} deleted`);
    },
    onError: (_error, fileName) => toastShow('error', deleteFailed(fileName)),
  });
  const groups = (['uploaded', 'crm', 'spreadsheet'] as const)
    .map((group) => ({ group, rows: sources.filter((source) => source.group === group) }))
    .filter(({ group, rows }) => group === 'uploaded' || rows.length > 0);
  return groups.map(({ group, rows }) => (
    <section key={group} aria-label={GROUP_TITLES[group]}>
      <h3 className={styles.title}>{GROUP_TITLES[group]}</h3>
      {rows.length === 0 ? (
        <p className={styles.none}>No file yet. Upload one, and ask about it in your own words.</p>
      ) : (
        <ul className={styles.rows}>
          {rows.map((source) => (
            <SourceRow
              key={source.file_name}
              source={source}
              deleting={removal.isPending && removal.variables === source.file_name}
              onPreview={onPreview}
              onEditContext={onEditContext}
              onDelete={removal.mutate}
            />
          ))}
        </ul>
      )}
    </section>
  ));
}

/** Drag events come from every child: the zone counts how deep the pointer is. */
function useDropZone(onFiles: (files: Iterable<File>) => void) {
  const [dropping, setDropping] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const leave = useCallback(() => {
    depth.current = 0;
    setDropping(false);
  }, []);
  return {
    dropping,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setDropping(true);
      },
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDragLeave: () => {
        depth.current -= 1;
        if (depth.current <= 0) leave();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        leave();
        onFiles(event.dataTransfer.files);
      },
    },
  };
}
