import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { FieldError } from 'design/components/field';
import { Download, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useDownload, useExport, useReplace } from './api';
import { badReplacement } from './copy';
import styles from './preview-popup.module.css';
import type { FoundRows } from './rows-api';

interface Props {
  fileName: string;
  source: Source | undefined;
  /** The rows that are looked at, where they are not all. */
  found: FoundRows | null;
  product: string;
  /** Whether a newer version may take its place. */
  replaceable: boolean;
  onClose(): void;
}

/** Below a file's preview: the original as a download, a newer version in its place. */
export function FileActions({ fileName, source, found, product, replaceable, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const download = useDownload(fileName);
  const exported = useExport(fileName, found);
  const replace = useReplace(fileName, setShare, onClose);
  const percent = Math.round(share * 100);
  const problem = refused ?? replace.error?.message;

  function choose(file: File | undefined) {
    if (!file) return;
    const fits = /\.(csv|xlsx)$/i.test(file.name);
    setRefused(fits ? null : badReplacement(product));
    setShare(0);
    if (fits) replace.mutate(file);
  }

  return (
    <>
      {problem && (
        <div className={styles.problem}>
          <FieldError>{problem}</FieldError>
        </div>
      )}
      {source?.state === 'ready' && (
        <span className={styles.exports}>
          {(['csv', 'xlsx'] as const).map((type) => (
            <Button
              key={type}
              icon={<Download size={18} strokeWidth={1.75} />}
              busy={exported.isPending && exported.variables === type}
              aria-label={`Download ${found ? 'found rows ' : ''}as ${type.toUpperCase()}`}
              data-tip={
                found
                  ? 'The rows that are found, for other programs.'
                  : 'The table as it was read, for other programs.'
              }
              onClick={() => exported.mutate(type)}
            >
              {found ? 'Found rows as' : 'As'} {type.toUpperCase()}
            </Button>
          ))}
        </span>
      )}
      {source?.group === 'uploaded' && (
        <Button
          icon={<Download size={18} strokeWidth={1.75} />}
          busy={download.isPending}
          onClick={() => download.mutate()}
        >
          Download original
        </Button>
      )}
      {replaceable && (
        <>
          <Button
            icon={<Upload size={18} strokeWidth={1.75} />}
            busy={replace.isPending}
            data-tip="A newer version of the same data. Its name, its context and your threads stay."
            onClick={() => input.current?.click()}
          >
            {replace.isPending ? (percent < 100 ? `Uploading ${percent}%` : 'Storing...') : 'Replace file'}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.xlsx"
            data-testid="replacement"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              event.target.value = '';
              choose(file);
            }}
          />
        </>
      )}
      <Button onClick={onClose}>Close</Button>
    </>
  );
}
