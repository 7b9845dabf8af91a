import type { ProfileTable, Source, TableConnection } from 'api/types';
import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { Skeleton } from 'design/components/skeleton';
import { Tabs } from 'design/components/tabs';
import { countOf, dateTime, fileSize, timeOf } from 'lib/format';
import { useState } from 'react';
import { useProfile } from './api';
import { ColumnList } from './column-list';
import { previewTitle } from './copy';
import { FileActions } from './file-actions';
import styles from './preview-popup.module.css';
import { SampleTable } from './sample-table';

interface Props {
  fileName: string;
  product: string;
  /** Whether this member may replace what others brought. */
  replacesAny?: boolean;
  onClose(): void;
}

/** What a file holds and how it was read: its first rows, its columns with their ranges and gaps, what was noticed. */
export default function PreviewPopup({ fileName, product, replacesAny, onClose }: Props) {
  const profile = useProfile(fileName);
  const tables = profile.data?.tables ?? [];
  const source = profile.data?.source;
  return (
    <Popup
      title={previewTitle(fileName)}
      help={source && aboutSource(source)}
      width="full"
      onClose={onClose}
      actions={
        <FileActions
          fileName={fileName}
          source={source}
          product={product}
          replaceable={source?.group === 'uploaded' && (source.mine || Boolean(replacesAny))}
          onClose={onClose}
        />
      }
    >
      {profile.isPending && <Skeleton rows={6} height={32} text="Loading preview..." />}
      {profile.isError && (
        <div className={styles.failed}>
          <p>{profile.error.message}</p>
          <Button onClick={() => profile.refetch()}>Try again</Button>
        </div>
      )}
      {tables.map((table) => (
        <TablePreview key={table.name} table={table} named={tables.length > 1} />
      ))}
      {tables.map((table) => (
        <Connections key={table.name} table={table} />
      ))}
      {source && source.report.length > 0 && (
        <section className={styles.report} aria-label="How it was read">
          <h3 className={styles.name}>How it was read</h3>
          <ul>
            {source.report.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </Popup>
  );
}

/** How the table's rows find those of the organisation's other tables. */
function Connections({ table }: { table: ProfileTable }) {
  if (table.connections.length === 0) return null;
  return (
    <section className={styles.report} aria-label="Connections">
      <h3 className={styles.name}>Connections</h3>
      <ul>
        {table.connections.map((way) => (
          <li key={way.table + way.columns.join()}>{connectionText(way)}</li>
        ))}
      </ul>
    </section>
  );
}

/** "Owner names a row of owners (98 % of rows find theirs)". */
function connectionText({ columns, table, table_columns, match_rate, refers }: TableConnection): string {
  const share = `${Math.round(100 * match_rate)} %`;
  const names = (all: readonly string[]) => all.join(' and ');
  return refers
    ? `${names(columns)} names a row of ${table} (${share} of rows find theirs)`
    : `${table} refers to these rows by its ${names(table_columns)} (${share} of its rows find theirs)`;
}

/** "Uploaded by Mara, 3 Nov, 10:42 · 3.4 MB". */
function aboutSource({ owner, uploaded_at, size }: Source): string {
  const uploaded = timeOf(uploaded_at);
  const when = uploaded === null ? '' : `, ${dateTime(uploaded, Date.now())}`;
  return [owner && `Uploaded by ${owner}${when}`, size !== null && fileSize(size)]
    .filter(Boolean)
    .join(' · ');
}

type View = 'columns' | 'rows';

const VIEWS: readonly { id: View; label: string }[] = [
  { id: 'rows', label: 'First rows' },
  { id: 'columns', label: 'Columns' },
];

function TablePreview({ table, named }: { table: ProfileTable; named: boolean }) {
  const [view, setView] = useState<View>('rows');
  const id = `preview-${table.name.replace(/\W+/g, '-')}`;
  return (
    <section className={styles.table}>
      {named && <h3 className={styles.name}>{table.name}</h3>}
      <p className={styles.size}>
        {countOf(table.rows, 'row')}, {countOf(table.columns.length, 'column')}
      </p>
      <Tabs<View> label="View" tabs={VIEWS} current={view} onChange={setView} controls={id} />
      <div id={id} role="tabpanel" aria-labelledby={`${id}-${view}`} className={styles.view}>
        {view === 'columns' ? (
          <ColumnList columns={table.columns} rows={table.rows} />
        ) : (
          <SampleTable table={table} />
        )}
      </div>
    </section>
  );
}
