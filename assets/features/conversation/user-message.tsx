import type { Span } from 'api/types';
import { IconButton } from 'design/components/icon-button';
import { MiddleCut } from 'design/components/middle-cut';
import { displayName } from 'lib/file-names';
import { clockTime, dateTime } from 'lib/format';
import { Copy, CornerDownLeft, Database } from 'lucide-react';
import { memo, useState } from 'react';
import { MarkedQuestion } from './marked-question';
import styles from './message-parts.module.css';

interface Props {
  name: string;
  text: string;
  /** What of the text found no place in how it was read. */
  unread?: readonly Span[] | undefined;
  files: readonly string[];
  /** Epoch ms. */
  at: number;
  opensRole: boolean;
  /** The newest question: its buttons are always visible. */
  live: boolean;
  onCopy(text: string): void;
  onEcho(text: string): void;
}

const NONE: readonly Span[] = [];
const FOLD_LINES = 12;
const CHARACTERS_A_LINE = 70;

const isLong = (text: string) =>
  text
    .split('\n')
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / CHARACTERS_A_LINE)), 0) > FOLD_LINES;

export const UserMessage = memo(function UserMessage({
  name,
  text,
  unread = NONE,
  files,
  at,
  opensRole,
  live,
  onCopy,
  onEcho,
}: Props) {
  const [folded, setFolded] = useState(() => isLong(text));
  const long = isLong(text);
  return (
    <article className={`${styles.turn} ${styles.user}`} data-live={live || undefined}>
      <h2 className={opensRole ? styles.head : 'visually-hidden'}>
        {opensRole && <time title={dateTime(at, Date.now())}>{clockTime(at)}</time>}
        <span className="visually-hidden">You</span>
        {opensRole && <span aria-hidden="true">{name}</span>}
      </h2>
      <div className={styles.bubble} data-folded={folded || undefined}>
        <div className={styles.bubbleText}>
          <MarkedQuestion text={text} unread={unread} />
        </div>
        {long && (
          <button
            type="button"
            className={styles.more}
            aria-expanded={!folded}
            onClick={() => setFolded(!folded)}
          >
            {folded ? 'Show more' : 'Show less'}
          </button>
        )}
      </div>
      {files.length > 0 && (
        <ul className={styles.chips} aria-label="Files for this question">
          {files.map((file) => (
            <li key={file} className={styles.chip} data-tip={file}>
              <Database size={14} strokeWidth={1.75} aria-hidden="true" />
              <MiddleCut name={displayName(file)} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.actions} data-quiet="">
        <IconButton
          name="Copy question"
          tip="Copy"
          icon={<Copy size={16} strokeWidth={1.75} />}
          onClick={() => onCopy(text)}
        />
        <IconButton
          name="Put question into the input again"
          tip="Echo into the input"
          icon={<CornerDownLeft size={16} strokeWidth={1.75} />}
          onClick={() => onEcho(text)}
        />
      </div>
    </article>
  );
});
