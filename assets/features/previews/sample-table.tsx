import type { CellValue, ProfileTable } from 'api/types';
import edges from 'design/components/edge.module.css';
import { NoValue } from 'design/components/no-value';
import { useEdges } from 'design/use-edges';
import { useRef } from 'react';
import { cellText, columnText } from './column-list';
import { PREVIEW_ROWS } from './file-view';
import styles from './sample-table.module.css';

/** The first rows of a source, as they were read. */
export function SampleTable({ table }: { table: ProfileTable }) {
  const { sample } = table;
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const text = (name: string, value: CellValue) => columnText(value, columns.get(name));
  return <RowsTable columns={sample.columns} rows={sample.rows.slice(0, PREVIEW_ROWS)} text={text} />;
}

const hasNumber = (values: readonly CellValue[]): boolean =>
  values.some((value) => typeof value === 'number');

interface RowsProps {
  columns: readonly string[];
  rows: readonly (readonly CellValue[])[];
  /** Whether a column's values stand under each other by their last digit. */
  numeric?(values: readonly CellValue[]): boolean;
  /** How a value of a column is written. */
  text?(column: string, value: CellValue): string;
  /** The name of what scrolls. */
  label?: string;
}

/** Rows under their heads. Wide ones scroll inside. */
export function RowsTable({
  columns,
  rows,
  numeric = hasNumber,
  text = (_, value) => cellText(value),
  label = 'First rows',
}: RowsProps) {
  const figures = columns.map((_, at) => numeric(rows.map((row) => row[at] ?? null)) || undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const edge = useEdges(scroller);
  return (
    <div className={`${styles.frame} ${edges.edge}`} data-more={edge.right || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div className={styles.scroller} ref={scroller} tabIndex={0} role="region" aria-label={label}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may share a name
                <th key={at} scope="col" data-number={figures[at]}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows that never change places
              <tr key={index}>
                {columns.map((name, at) => {
                  const value = row[at] ?? null;
                  return (
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                      key={at}
                      data-number={figures[at]}
                    >
                      {value === null ? <NoValue /> : text(name, value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
