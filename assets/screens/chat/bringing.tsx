import type { Source } from 'api/types';
import { type BroughtQuestion, useBrought } from 'features/brought/api';
import { BroughtCard } from 'features/brought/brought-card';
import { Problems, Progress } from 'features/manage-data/uploading';
import { useDropZone } from 'features/manage-data/use-drop-zone';
import { type Upload, useUpload } from 'features/manage-data/use-upload';
import { FileUp } from 'lucide-react';
import { type RefObject, useCallback, useRef } from 'react';
import { broughtForget, useBroughtFiles } from 'stores/brought';
import { toastShow } from 'stores/toast';
import styles from './bringing.module.css';

const NONE: readonly Source[] = [];

export interface Bringing {
  upload: Upload;
  /** Spread over the whole chat. */
  zone: ReturnType<typeof useDropZone>['handlers'];
  dropping: boolean;
  chooser: RefObject<HTMLInputElement | null>;
  /** What was brought is told of. */
  told: boolean;
  /** Opens the device's choice of files. */
  choose(): void;
}

/** Files that are brought from the chat itself, by the checks of Manage Data. */
export function useBringing(sources: readonly Source[] | undefined, product: string): Bringing {
  const upload = useUpload(sources ?? NONE, product);
  const { dropping, handlers } = useDropZone(upload.add);
  const chooser = useRef<HTMLInputElement>(null);
  const choose = useCallback(() => chooser.current?.click(), []);
  const brought = useBrought(useBroughtFiles((state) => state.files)).data;
  const told = brought?.ready === true && brought.files.length > 0;
  return { upload, told, zone: handlers, dropping, chooser, choose };
}

interface Props {
  bringing: Bringing;
  sources: readonly Source[] | undefined;
  disabled: boolean;
  onAsk(question: BroughtQuestion): void;
}

/** Above the composer: files on their way, what could not be taken, and what was brought. */
export function BringingTray({ bringing, sources = NONE, disabled, onAsk }: Props) {
  const { upload, chooser } = bringing;
  const names = useBroughtFiles((brought) => brought.files);
  const nothing = useCallback(() => {
    const failed = sources.find((source) => names.includes(source.file_name) && source.error);
    if (failed?.error) toastShow('error', failed.error);
    broughtForget();
  }, [names, sources]);
  return (
    <div className={styles.tray}>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        accept=".csv,.xlsx"
        data-testid="bring"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          upload.add(files);
        }}
      />
      <Problems upload={upload} />
      <Progress files={upload.sending} />
      {upload.sending.length === 0 && (
        <BroughtCard
          names={names}
          disabled={disabled}
          onAsk={onAsk}
          onDismiss={broughtForget}
          onNothing={nothing}
        />
      )}
    </div>
  );
}

/** Where files may be let go, while they are dragged. */
export function DropHint() {
  return (
    <div className={styles.drop} aria-hidden="true">
      <FileUp size={28} strokeWidth={1.5} />
      Drop .csv or .xlsx files
    </div>
  );
}
