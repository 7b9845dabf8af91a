import { ApiError, refusal } from 'api/errors';
import type { CellValue, ProfileTable } from 'api/types';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { SearchField } from 'design/components/search-field';
import { Select } from 'design/components/select';
import { Skeleton } from 'design/components/skeleton';
import { count, countOf } from 'lib/format';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { columnText } from './column-list';
import { PREVIEW_ROWS } from './file-view';
import styles from './row-browser.module.css';
import { type FoundRows, type RowPage, type RowsWanted, useRows } from './rows-api';
import { RowsTable, SampleTable } from './sample-table';

/** So long after the last letter a search begins. */
const SETTLED_MS = 300;
const MOST_LETTERS = 200;
/** Rows of a page, as the server sends them. */
const PAGE = 25;

interface Props {
  fileName: string;
  table: ProfileTable;
  /** What the rows on the screen are held to; null where they are all. */
  onFilter(found: FoundRows | null): void;
}

/** The rows of a table: the first ones at once, then page by page, by a search, or those without a value. */
export function RowBrowser({ fileName, table, onFilter }: Props) {
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState('');
  const [offset, setOffset] = useState<number | null>(null);
  const search = useSettled(typed.trim());
  const asks = search !== '' || missing !== '' || offset !== null;
  const wanted: RowsWanted | null = asks ? { search, missing, offset: offset ?? 0 } : null;
  useEffect(() => {
    onFilter(search || missing ? { table: table.name, search, missing } : null);
    return () => onFilter(null);
  }, [table.name, search, missing, onFilter]);
  const gaps = table.columns.filter((column) => Boolean(column.missing));
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label={`Search the rows of ${table.name}`}
          placeholder="Search all rows"
          value={typed}
          onChange={(text) => {
            setTyped(text.slice(0, MOST_LETTERS));
            setOffset(null);
          }}
        />
        {gaps.length > 0 && (
          <Select
            aria-label="Which rows"
            value={missing}
            onChange={(event) => {
              setMissing(event.target.value);
              setOffset(null);
            }}
          >
            <option value="">All rows</option>
            {gaps.map((column) => (
              <option key={column.name} value={column.name}>
                Without {column.name} ({count(column.missing ?? 0)})
              </option>
            ))}
          </Select>
        )}
      </div>
      {wanted ? (
        <Found fileName={fileName} table={table} wanted={wanted} onPage={setOffset} />
      ) : (
        <First table={table} onBrowse={() => setOffset(0)} />
      )}
    </>
  );
}

/** What is typed, once nothing was typed for a moment; an emptied field counts at once. */
function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), typed === '' ? 0 : SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

function First({ table, onBrowse }: { table: ProfileTable; onBrowse(): void }) {
  const shown = Math.min(PREVIEW_ROWS, table.sample.rows.length);
  return (
    <>
      <SampleTable table={table} />
      {table.rows > shown && (
        <div className={styles.below}>
          <p role="status">
            The first {shown} of {countOf(table.rows, 'row')}
          </p>
          <Button small onClick={onBrowse}>
            Browse all rows
          </Button>
        </div>
      )}
    </>
  );
}

interface FoundProps {
  fileName: string;
  table: ProfileTable;
  wanted: RowsWanted;
  onPage(offset: number): void;
}

function Found({ fileName, table, wanted, onPage }: FoundProps) {
  const rows = useRows(fileName, table.name, wanted);
  if (rows.isPending) return <Skeleton rows={6} height={35} even text="Looking through the rows..." />;
  if (rows.isError) return <FailedLoad sentence={whyNot(rows.error)} onRetry={() => void rows.refetch()} />;
  const page = rows.data;
  if (!page || page.matched === 0)
    return (
      <p className={styles.none} role="status">
        {nothing(wanted)}
      </p>
    );
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const text = (name: string, value: CellValue) => columnText(value, columns.get(name));
  return (
    <div aria-busy={rows.isPlaceholderData || undefined} className={styles.found}>
      <RowsTable columns={page.columns} rows={page.rows} text={text} label="Rows" />
      <Pager page={page} busy={rows.isPlaceholderData} onPage={onPage} />
    </div>
  );
}

/** "Rows 26 to 50 of 1,284", with the way back and on. */
function Pager({ page, busy, onPage }: { page: RowPage; busy: boolean; onPage(offset: number): void }) {
  const { offset, matched, total, rows } = page;
  const last = offset + rows.length;
  const all = matched === total ? '' : `, found among ${count(total)}`;
  return (
    <div className={styles.below}>
      <p role="status">
        Rows {count(offset + 1)} to {count(last)} of {count(matched)}
        {all}
      </p>
      {matched > rows.length && (
        <div className={styles.pages}>
          <Button
            small
            disabled={busy || offset === 0}
            icon={<ChevronLeft size={15} strokeWidth={1.75} />}
            onClick={() => onPage(Math.max(0, offset - PAGE))}
          >
            Previous
          </Button>
          <Button
            small
            disabled={busy || last >= matched}
            icon={<ChevronRight size={15} strokeWidth={1.75} />}
            onClick={() => onPage(last)}
          >
            Next
          </Button>
        </div>
      )}
    </div>
  );
}

function nothing({ search, missing }: RowsWanted): string {
  const words = search && `No row holds “${search}”`;
  if (words && missing) return `${words} and lacks ${missing}.`;
  return words ? `${words}.` : missing ? `No row lacks ${missing}.` : 'There are no rows.';
}

function whyNot(error: Error): string {
  const told = error instanceof ApiError && error.status === 503 ? error.message : null;
  return refusal(error) ?? told ?? 'The rows could not be loaded.';
}
