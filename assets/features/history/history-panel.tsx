import type { ThreadSummary } from 'api/types';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { SearchField } from 'design/components/search-field';
import { Skeleton } from 'design/components/skeleton';
import { dateTime } from 'lib/format';
import { groupByTime } from 'lib/time-groups';
import { type ReactNode, useState } from 'react';
import styles from './history-panel.module.css';

interface Props {
  threads: readonly ThreadSummary[] | undefined;
  failed: boolean;
  current: string | null;
  /** True where the keyboard asked for the search. */
  searching: boolean;
  footer: ReactNode;
  onOpen(threadId: string): void;
  /** The pointer rests on a thread: it may be opened soon. */
  onHint(threadId: string): void;
  onRetry(): void;
  /** Begins the first conversation. */
  onStart(): void;
  onClose(): void;
}

/** So many letters fit into the two lines of a row. */
const LONG = 80;
export const LOADING = 'Loading History...';
export const EMPTY = 'No history yet.';
export const START = 'Start a conversation';
/** A thread that came without a summary: it may be years old, so it is not called new. */
const UNTITLED = 'Untitled conversation';

/** The threads by day. Search looks at the summaries. */
export function HistoryPanel(props: Props) {
  const { threads, failed, searching, footer, onClose, onRetry } = props;
  const [query, setQuery] = useState('');
  const tools = threads?.length !== 0 && !failed && (
    <SearchField
      label="Search history"
      placeholder="Search titles"
      value={query}
      disabled={!threads}
      autoFocus={searching}
      onChange={setQuery}
    />
  );
  return (
    <Panel title="History" onClose={onClose} footer={footer} tools={tools}>
      {threads ? (
        <Groups {...props} threads={threads} query={query} onClear={() => setQuery('')} />
      ) : failed ? (
        <FailedLoad sentence="Your history could not be loaded." onRetry={onRetry} />
      ) : (
        <Skeleton rows={5} height={52} text={LOADING} />
      )}
    </Panel>
  );
}

function Groups({
  threads,
  query,
  current,
  onOpen,
  onHint,
  onStart,
  onClear,
}: Props & { threads: readonly ThreadSummary[]; query: string; onClear(): void }) {
  const now = new Date();
  const wanted = query.trim().toLowerCase();
  const found = threads.filter((thread) => !thread.archived && thread.summary.toLowerCase().includes(wanted));
  if (found.length === 0)
    return (
      <div className={styles.empty}>
        <p>{wanted ? `No title contains “${query.trim()}”.` : EMPTY}</p>
        <Button onClick={wanted ? onClear : onStart}>{wanted ? 'Clear search' : START}</Button>
      </div>
    );
  return groupByTime(found, now).map(({ group, rows }) => (
    <section key={group} className={styles.group} aria-label={group}>
      <h3 className={styles.title}>{group}</h3>
      <ul>
        {rows.map((thread) => (
          <li key={thread.thread_id}>
            <button
              type="button"
              className={styles.row}
              aria-current={thread.thread_id === current ? 'true' : undefined}
              data-tip={thread.summary.length > LONG ? thread.summary : undefined}
              onClick={() => onOpen(thread.thread_id)}
              onPointerEnter={() => onHint(thread.thread_id)}
              onFocus={() => onHint(thread.thread_id)}
            >
              <span className={styles.summary}>{thread.summary || UNTITLED}</span>
              <span className={styles.time}>
                {thread.updated_at === null ? 'No date' : dateTime(thread.updated_at * 1000, now.getTime())}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}
