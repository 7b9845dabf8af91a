import { refusal } from 'api/errors';
import type { ProfileTable, Source } from 'api/types';
import { BETWEEN, Facts } from 'design/components/facts';
import { FailedLoad } from 'design/components/failed-load';
import { Popup } from 'design/components/popup';
import { Skeleton } from 'design/components/skeleton';
import { Tabs } from 'design/components/tabs';
import { displayName } from 'lib/file-names';
import { age, countOf, fileSize, timeOf } from 'lib/format';
import { useState } from 'react';
import { useProfile } from './api';
import { ColumnList } from './column-list';
import { Connections } from './connections';
import { previewTitle } from './copy';
import { DictionaryView } from './dictionary-view';
import { FileActions } from './file-actions';
import styles from './preview-popup.module.css';
import { RowBrowser } from './row-browser';
import type { FoundRows } from './rows-api';

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
  const [found, setFound] = useState<FoundRows | null>(null);
  const tables = profile.data?.tables ?? [];
  const source = profile.data?.source;
  return (
    <Popup
      title={previewTitle(fileName)}
      help={source && <Facts text={aboutSource(source, tables)} />}
      width={profile.isError ? 'normal' : 'full'}
      onClose={onClose}
      actions={
        <FileActions
          fileName={fileName}
          source={source}
          found={found}
          product={product}
          replaceable={source?.group === 'uploaded' && (source.mine || Boolean(replacesAny))}
          onClose={onClose}
        />
      }
    >
      {profile.isPending && <Skeleton rows={8} height={35} even text="Loading preview..." />}
      {profile.isError && (
        <FailedLoad
          sentence={refusal(profile.error) ?? `The preview of ${displayName(fileName)} could not be loaded.`}
          onRetry={() => void profile.refetch()}
        />
      )}
      {tables.map((table) => (
        <TablePreview
          key={table.name}
          fileName={fileName}
          table={table}
          named={tables.length > 1}
          onFilter={setFound}
        />
      ))}
      {tables.map((table) => (
        <Connections key={table.name} fileName={fileName} table={table} />
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

/** "64 rows · 4 columns · 3.4 MB · uploaded by Mara, 5 min ago". */
function aboutSource({ owner, uploaded_at, size }: Source, tables: readonly ProfileTable[]): string {
  const [only] = tables.length === 1 ? tables : [];
  const uploaded = timeOf(uploaded_at);
  const when = uploaded === null ? '' : `, ${age(uploaded, Date.now())}`;
  return [only && tableSize(only), size !== null && fileSize(size), owner && `uploaded by ${owner}${when}`]
    .filter(Boolean)
    .join(BETWEEN);
}

function tableSize({ rows, columns }: ProfileTable): string {
  return [countOf(rows, 'row'), countOf(columns.length, 'column')].join(BETWEEN);
}

type View = 'columns' | 'rows' | 'meaning';

const VIEWS: readonly { id: View; label: string }[] = [
  { id: 'rows', label: 'First rows' },
  { id: 'columns', label: 'Columns' },
  { id: 'meaning', label: 'What it means' },
];

interface TableProps {
  fileName: string;
  table: ProfileTable;
  named: boolean;
  onFilter(found: FoundRows | null): void;
}

function TablePreview({ fileName, table, named, onFilter }: TableProps) {
  const [view, setView] = useState<View>('rows');
  const id = `preview-${table.name.replace(/\W+/g, '-')}`;
  return (
    <section className={styles.table}>
      {named && (
        <>
          <h3 className={styles.name}>{table.name}</h3>
          <p className={styles.size}>{tableSize(table)}</p>
        </>
      )}
      <Tabs<View> label="View" tabs={VIEWS} current={view} onChange={setView} controls={id} />
      <div id={id} role="tabpanel" aria-labelledby={`${id}-${view}`} className={styles.view}>
        {view === 'meaning' ? (
          <DictionaryView fileName={fileName} table={table} />
        ) : view === 'columns' ? (
          <ColumnList columns={table.columns} rows={table.rows} />
        ) : (
          <RowBrowser fileName={fileName} table={table} onFilter={onFilter} />
        )}
      </div>
    </section>
  );
}
