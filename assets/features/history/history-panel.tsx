import type { ThreadSummary } from 'api/types';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { SearchField } from 'design/components/search-field';
import { Skeleton } from 'design/components/skeleton';
import { groupByTime } from 'lib/time-groups';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './history-panel.module.css';
import { ThreadRow } from './thread-row';
import { nameOf, type ThreadActions } from './use-thread-actions';

interface Props {
  threads: readonly ThreadSummary[] | undefined;
  failed: boolean;
  current: string | null;
  /** True where the keyboard asked for the search. */
  searching: boolean;
  actions: ThreadActions;
  footer: ReactNode;
  onOpen(threadId: string): void;
  /** The pointer rests on a thread: it may be opened soon. */
  onHint(threadId: string): void;
  onRetry(): void;
  /** Begins the first conversation. */
  onStart(): void;
  onClose(): void;
}

export const LOADING = 'Loading History...';
export const EMPTY = 'No history yet.';
export const START = 'Start a conversation';
export const ALL_ARCHIVED = 'All your conversations are archived.';

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

function Groups(props: Props & { threads: readonly ThreadSummary[]; query: string; onClear(): void }) {
  const { threads, query, onStart, onClear } = props;
  const now = new Date();
  const wanted = query.trim().toLowerCase();
  const found = threads.filter((thread) => nameOf(thread).toLowerCase().includes(wanted));
  const present = found.filter(({ archived }) => !archived);
  const archived = found.filter((thread) => thread.archived);
  return (
    <>
      {(wanted ? found : present).length === 0 && (
        <div className={styles.empty}>
          <p>
            {wanted ? `No title contains “${query.trim()}”.` : archived.length > 0 ? ALL_ARCHIVED : EMPTY}
          </p>
          <Button onClick={wanted ? onClear : onStart}>{wanted ? 'Clear search' : START}</Button>
        </div>
      )}
      {groupByTime(present, now).map(({ group, rows }) => (
        <section key={group} className={styles.group} aria-label={group}>
          <h3 className={styles.title}>{group}</h3>
          <Rows {...props} rows={rows} now={now} />
        </section>
      ))}
      {archived.length > 0 && (
        <details className={styles.archive} open={wanted !== '' || undefined}>
          <summary>
            Archived ({archived.length})
            <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
          </summary>
          <Rows {...props} rows={archived} now={now} />
        </details>
      )}
    </>
  );
}

function Rows({
  rows,
  now,
  current,
  actions,
  onOpen,
  onHint,
}: Props & { rows: readonly ThreadSummary[]; now: Date }) {
  return (
    <ul>
      {rows.map((thread) => (
        <ThreadRow
          key={thread.thread_id}
          thread={thread}
          current={thread.thread_id === current}
          now={now.getTime()}
          actions={actions}
          onOpen={onOpen}
          onHint={onHint}
        />
      ))}
    </ul>
  );
}
