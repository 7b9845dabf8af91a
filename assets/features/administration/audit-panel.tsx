import { refusal } from 'api/errors';
import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { Problem } from 'design/components/problem';
import { Skeleton } from 'design/components/skeleton';
import { dateTime, timeOf } from 'lib/format';
import type { ReactNode } from 'react';
import styles from './administration.module.css';
import { type Entry, useAuditLog } from './api';

interface Props {
  footer: ReactNode;
  onBack(): void;
  onClose(): void;
}

export const LOAD_FAILED = 'The audit log could not be loaded.';

/** Who did what in the organization, when and from where, for its admins. */
export function AuditPanel({ footer, onBack, onClose }: Props) {
  const log = useAuditLog();
  return (
    <Panel title="Audit Log" readOnly footer={footer} onBack={onBack} onClose={onClose}>
      {log.data ? (
        <>
          <Entries entries={log.data.pages.flatMap((page) => page?.entries ?? [])} />
          {log.isFetchNextPageError && <Problem>{LOAD_FAILED}</Problem>}
          {log.hasNextPage && (
            <Button full busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Show older entries
            </Button>
          )}
        </>
      ) : log.isError ? (
        <FailedLoad sentence={refusal(log.error) ?? LOAD_FAILED} onRetry={() => void log.refetch()} />
      ) : (
        <Skeleton rows={6} height={52} text="Loading the audit log..." />
      )}
    </Panel>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return <p className={styles.empty}>Nothing has been written down yet.</p>;
  return (
    <ul className={styles.list}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles.row}>
          <p className={styles.name}>{entry.target ? `${entry.what}: ${entry.target}` : entry.what}</p>
          <p className={styles.note}>
            <Facts text={aboutOf(entry, Date.now())} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function aboutOf({ at, who, address }: Entry, now: number): string {
  const time = timeOf(at);
  return [who || 'Nobody signed in', time === null ? null : dateTime(time, now), address]
    .filter(Boolean)
    .join(BETWEEN);
}
