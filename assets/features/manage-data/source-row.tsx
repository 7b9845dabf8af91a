import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { IconButton } from 'design/components/icon-button';
import { MiddleCut } from 'design/components/middle-cut';
import { Spinner } from 'design/components/spinner';
import { age, count, countOf, fileSize, timeOf } from 'lib/format';
import { CircleAlert, FileSpreadsheet, RotateCw, SquarePen, Trash2 } from 'lucide-react';
import { memo, useEffect, useId, useRef, useState } from 'react';
import { heightOfRow, type RowHeight } from './row-height';
import styles from './source-row.module.css';

interface Props {
  source: Source;
  /** Its service refreshes it no more. */
  resting: boolean;
  deleting: boolean;
  removable: boolean;
  onPreview(fileName: string): void;
  onEditContext(fileName: string): void;
  onDelete(fileName: string): void;
  onRetry(fileName: string): void;
}

export const SourceRow = memo(function SourceRow({
  source,
  resting,
  deleting,
  removable,
  onPreview,
  onEditContext,
  onDelete,
  onRetry,
}: Props) {
  const id = useId();
  const [asking, setAsking] = useState<RowHeight | null>(null);
  if (asking && !deleting) {
    return (
      <Confirm
        source={source}
        height={asking}
        onKeep={() => setAsking(null)}
        onDelete={() => onDelete(source.file_name)}
      />
    );
  }
  const ready = source.state === 'ready';
  const state = describeState(source, resting);
  const name = source.display_name;
  return (
    <li className={styles.row} data-state={source.state}>
      <SourceIcon source={source} />
      <button
        type="button"
        className={styles.open}
        disabled={!ready}
        aria-label={ready ? `Preview ${source.display_name}` : source.display_name}
        aria-describedby={id}
        data-tip={name.length > 28 ? name : undefined}
        onClick={() => onPreview(source.file_name)}
      >
        <span className={styles.name}>
          <MiddleCut name={name} />
        </span>
        <span id={id} className={styles.meta}>
          {ready ? <Facts text={state} /> : state}
        </span>
        {ready && source.error && <span className={styles.warning}>{source.error}</span>}
      </button>
      {ready && (
        <IconButton
          name={`Edit context of ${source.display_name}`}
          tip="Edit context"
          icon={<SquarePen size={18} strokeWidth={1.75} />}
          onClick={() => onEditContext(source.file_name)}
        />
      )}
      {removable && source.retryable && (
        <IconButton
          name={`Read ${source.display_name} again`}
          tip="Try again"
          icon={<RotateCw size={18} strokeWidth={1.75} />}
          onClick={() => onRetry(source.file_name)}
        />
      )}
      {removable && (
        <IconButton
          name={`Delete ${source.display_name}`}
          tip="Delete"
          icon={deleting ? <Spinner /> : <Trash2 size={18} strokeWidth={1.75} />}
          disabled={deleting}
          onClick={(event) => setAsking(heightOfRow(event.currentTarget))}
        />
      )}
    </li>
  );
});

function SourceIcon({ source }: { source: Source }) {
  if (source.state === 'failed')
    return <CircleAlert className={styles.icon} size={18} strokeWidth={1.75} aria-hidden="true" />;
  if (source.state !== 'ready') return <span className={styles.icon}>{<Spinner size={18} />}</span>;
  return <FileSpreadsheet className={styles.icon} size={18} strokeWidth={1.75} aria-hidden="true" />;
}

/** The second line: what is going on, what went wrong, or what there is. */
export function describeState(source: Source, resting = false, now = Date.now()): string {
  if (source.state === 'failed') return source.error ?? 'This file could not be read.';
  if (source.state === 'received') return source.step || 'Waiting to be read';
  if (source.state === 'reading') {
    const step = source.step || 'Reading';
    return source.rows_so_far ? `${step}, ${count(source.rows_so_far)} rows so far` : step;
  }
  return [
    source.rows === null ? null : countOf(source.rows, 'row'),
    source.size === null || source.group !== 'uploaded' ? null : fileSize(source.size),
    howFresh(source, resting, now),
    source.example ? 'example' : null,
    source.mine || !source.owner ? null : `by ${source.owner}`,
  ]
    .filter(Boolean)
    .join(BETWEEN);
}

/** Connected data is refreshed, a member's file is uploaded and at times replaced. */
function howFresh(source: Source, resting: boolean, now: number): string | null {
  const replaced = timeOf(source.replaced_at);
  const at = replaced ?? timeOf(source.uploaded_at);
  if (at === null) return null;
  const refreshed = resting ? 'loaded' : 'refreshed';
  const done = source.group !== 'uploaded' ? refreshed : replaced !== null ? 'replaced' : 'uploaded';
  return `${done} ${age(at, now)}`;
}

interface ConfirmProps {
  source: Source;
  height: RowHeight;
  onKeep(): void;
  onDelete(): void;
}

/** Deleting is asked about in the row itself; the focus goes to the harmless answer. */
function Confirm({ source, height, onKeep, onDelete }: ConfirmProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <li className={`${styles.row} ${styles.confirm}`} style={height}>
      <p>Delete {source.display_name}?</p>
      <Button variant="danger" small icon={<Trash2 size={15} strokeWidth={1.75} />} onClick={onDelete}>
        Delete
      </Button>
      <Button small ref={keep} onClick={onKeep}>
        Keep
      </Button>
    </li>
  );
}
