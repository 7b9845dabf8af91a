import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { IconButton } from 'design/components/icon-button';
import { Spinner } from 'design/components/spinner';
import { age, countOf, timeOf } from 'lib/format';
import { CircleAlert, SquarePen, Table2, Unplug } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { heightOfRow, type RowHeight } from './row-height';
import { atWork, type SheetTab } from './sheets-api';
import type { RowActions } from './source-list';
import { describeState } from './source-row';
import styles from './source-row.module.css';

const ICON = { size: 18, strokeWidth: 1.75 } as const;

interface Props extends RowActions {
  tab: SheetTab;
  source: Source | undefined;
  /** Its spreadsheet's name stands over it. */
  grouped?: boolean;
  leaving: boolean;
  onDisconnect(tab: SheetTab): void;
}

/** A connected tab: look into it, describe it, disconnect it. */
export function SheetRow({ tab, source, grouped, leaving, onPreview, onEditContext, onDisconnect }: Props) {
  const id = useId();
  const [asking, setAsking] = useState<RowHeight | null>(null);
  if (asking && !leaving)
    return (
      <Confirm
        tab={tab}
        height={asking}
        onKeep={() => setAsking(null)}
        onDisconnect={() => onDisconnect(tab)}
      />
    );
  const ready = source?.state === 'ready';
  const told = describeTab(grouped ? { ...tab, file_title: '' } : tab, source);
  return (
    <li className={styles.row} data-state={tab.state === 'failed' && !ready ? 'failed' : undefined}>
      <SheetIcon tab={tab} source={source} />
      <button
        type="button"
        className={styles.open}
        disabled={!ready}
        aria-label={ready ? `Preview ${tab.tab_title}` : tab.tab_title}
        aria-describedby={id}
        data-tip={tab.reason ?? undefined}
        onClick={() => onPreview(tab.file_name)}
      >
        <span className={styles.name}>
          <span>{tab.tab_title}</span>
        </span>
        <span id={id} className={styles.meta}>
          {ready ? <Facts text={told} /> : told}
        </span>
      </button>
      {ready && (
        <IconButton
          name={`Edit context of ${tab.tab_title}`}
          tip="Edit context"
          icon={<SquarePen {...ICON} />}
          onClick={() => onEditContext(tab.file_name)}
        />
      )}
      {tab.may_disconnect && (
        <IconButton
          name={`Disconnect ${tab.tab_title}`}
          tip="Disconnect"
          icon={leaving ? <Spinner /> : <Unplug {...ICON} />}
          disabled={leaving}
          onClick={(event) => setAsking(heightOfRow(event.currentTarget))}
        />
      )}
    </li>
  );
}

function SheetIcon({ tab, source }: Pick<Props, 'tab' | 'source'>) {
  if (tab.state === 'failed') return <CircleAlert className={styles.icon} {...ICON} aria-hidden="true" />;
  if (atWork(tab) || (source && source.state !== 'ready' && source.state !== 'failed'))
    return <span className={styles.icon}>{<Spinner size={18} />}</span>;
  return <Table2 className={styles.icon} {...ICON} aria-hidden="true" />;
}

/** The second line: what went wrong, what goes on, or what there is. */
export function describeTab(tab: SheetTab, source: Source | undefined, now = Date.now()): string {
  if (tab.state === 'failed') return tab.reason ?? 'This tab could not be read.';
  if (atWork(tab)) return 'Reading from Google';
  if (source?.state === 'failed') return source.error ?? 'This tab could not be read.';
  if (source && source.state !== 'ready') return describeState(source);
  const read = timeOf(tab.read_at);
  return [
    tab.file_title,
    source?.state === 'ready' && source.rows !== null ? countOf(source.rows, 'row') : null,
    read === null ? null : `refreshed ${age(read, now)}`,
    tab.mine || !tab.owner ? null : `by ${tab.owner}`,
  ]
    .filter(Boolean)
    .join(BETWEEN);
}

interface ConfirmProps {
  tab: SheetTab;
  height: RowHeight;
  onKeep(): void;
  onDisconnect(): void;
}

/** Disconnecting is asked about in the row itself; the focus goes to the harmless answer. */
function Confirm({ tab, height, onKeep, onDisconnect }: ConfirmProps) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <li className={`${styles.row} ${styles.confirm}`} style={height}>
      <p>Disconnect {tab.tab_title}?</p>
      <Button variant="danger" small icon={<Unplug size={15} strokeWidth={1.75} />} onClick={onDisconnect}>
        Disconnect
      </Button>
      <Button small ref={keep} onClick={onKeep}>
        Keep
      </Button>
    </li>
  );
}
