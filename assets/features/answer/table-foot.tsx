import type { AnswerTable, CellValue } from 'api/types';
import { Spinner } from 'design/components/spinner';
import { saveFile } from 'design/save-file';
import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { toastShow } from 'stores/toast';
import styles from './answer-table.module.css';
import { downloadTable, type StoredTable, type TableFormat } from './api';
import { tableAsCsv, tableAsTabs } from './table-export';
import type { Order } from './table-order';

const FOLDED_ROWS = 10;
const WHOLE_ROWS = 12; // a year of months is not worth a fold

/** How many of these rows are shown until all are asked for. */
export const foldedRows = (rows: number): number => (rows <= WHOLE_ROWS ? rows : FOLDED_ROWS);

interface Props {
  table: AnswerTable;
  /** All rows that are here, in the order the reader has chosen. */
  rows: readonly (readonly CellValue[])[];
  /** That order, for the file that the server writes; null where rows stand as they came. */
  order: Order | null;
  shown: number;
  open: boolean;
  onOpen: (open: boolean) => void;
  fileName: string;
  stored: StoredTable | null;
}

const count = new Intl.NumberFormat('en-US');

/** How much of the table is shown, and the ways to take it along. */
export function TableFoot(props: Props) {
  const { table, rows, shown, open, onOpen } = props;
  const here = rows.length;
  const all = Math.max(table.total_rows, here);
  const said =
    shown < all
      ? `${count.format(shown)} of ${count.format(all)} rows`
      : `${count.format(all)} ${all === 1 ? 'row' : 'rows'}`;
  return (
    <div className={styles.foot}>
      <span className={styles.count}>{said}</span>
      {here > foldedRows(here) && (
        <button type="button" className={styles.link} aria-expanded={open} onClick={() => onOpen(!open)}>
          {open
            ? 'Show fewer rows'
            : here < all
              ? `Show the first ${count.format(here)} rows`
              : `Show all ${count.format(here)} rows`}
        </button>
      )}
      <Tools {...props} partly={here < all} />
    </div>
  );
}

function Tools({ table, rows, order, fileName, stored, partly }: Props & { partly: boolean }) {
  const [fetching, setFetching] = useState<TableFormat | null>(null);
  const copy = () => {
    navigator.clipboard.writeText(tableAsTabs(table, rows)).then(
      () => toastShow('complete', 'Table copied'),
      () => toastShow('error', 'The table could not be copied.'),
    );
  };
  const save = (format: TableFormat) => {
    if (!stored) {
      saveFile(`${fileName}.csv`, [tableAsCsv(table, rows)], 'text/csv;charset=utf-8');
      return;
    }
    setFetching(format);
    downloadTable(stored, format, fileName, order)
      .catch((error: Error) => toastShow('error', error.message))
      .finally(() => setFetching(null));
  };
  const formats: readonly TableFormat[] = stored ? ['csv', 'xlsx'] : ['csv'];
  return (
    <span className={styles.tools}>
      <button type="button" className={styles.tool} onClick={copy}>
        <Copy size={14} strokeWidth={1.75} aria-hidden="true" />
        Copy
      </button>
      {formats.map((format) => {
        const name = format.toUpperCase();
        const busy = fetching === format;
        return (
          <button
            key={format}
            type="button"
            className={styles.tool}
            aria-label={
              partly && !stored
                ? `Download the first ${count.format(rows.length)} rows as ${name}`
                : `Download as ${name}`
            }
            aria-busy={busy || undefined}
            disabled={fetching !== null}
            onClick={() => save(format)}
          >
            {busy ? <Spinner size={14} /> : <Download size={14} strokeWidth={1.75} aria-hidden="true" />}
            {name}
          </button>
        );
      })}
    </span>
  );
}
