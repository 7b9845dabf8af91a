import type { AnswerTable as Table } from 'api/types';
import edges from 'design/components/edge.module.css';
import { useEdges } from 'design/use-edges';
import { filtersText } from 'lib/filters';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react';
import styles from './answer-table.module.css';
import type { StoredTable } from './api';
import type { LongRowsProps } from './long-rows';
import { type CellWriter, cellWriter } from './table-cells';
import { unitBeside } from './table-export';
import { foldedRows, TableFoot } from './table-foot';
import { inOrder, nextOrder, type Order } from './table-order';
import { TableRow } from './table-row';

const VIRTUAL_FROM = 100; // rows; below that all are simply there

interface Props {
  table: Table;
  /** Named where no row passed them. */
  filters: readonly string[];
  /** Name of a downloaded file, without its extension. */
  fileName: string;
  /** Where the server keeps the whole table; null where it does not. */
  stored: StoredTable | null;
}

/** The answer's rows: sortable, the first ten until asked for more, figures under each other. */
export function AnswerTable({ table, filters, fileName, stored }: Props) {
  const [order, setOrder] = useState<Order | null>(null);
  const [open, setOpen] = useState(false);
  const scroller = useRef<HTMLElement>(null);
  const edge = useEdges(scroller);
  const writers = useMemo(
    () =>
      table.columns.map((column, index) =>
        cellWriter(
          column,
          table.rows.map((row) => row[index] ?? null),
        ),
      ),
    [table],
  );
  const changeOrder = (wanted: Order | null) => {
    setOrder(wanted);
    scroller.current?.scrollTo({ top: 0 });
  };
  const rows = useMemo(() => inOrder(table.rows, order), [table.rows, order]);
  const LongRows = useLongRows(open && rows.length > VIRTUAL_FROM);
  const shown = open ? rows : rows.slice(0, foldedRows(rows.length));
  const fixed = open && rows.length > VIRTUAL_FROM;
  return (
    <div className={styles.card}>
      <div className={edges.edge} data-more={edge.right || undefined}>
        <section
          ref={scroller}
          className={styles.scroller}
          data-open={open || undefined}
          data-moved={edge.left || undefined}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label="Result table"
        >
          <table
            className={styles.table}
            aria-rowcount={rows.length + 1}
            style={fixed ? fixedWidth(table, writers) : undefined}
          >
            {fixed && (
              <colgroup>
                {columnWidths(table, writers).map((width, index) => (
                  <col key={table.columns[index]?.name} style={{ width: `${width}ch` }} />
                ))}
              </colgroup>
            )}
            <Head table={table} writers={writers} order={order} onOrder={changeOrder} />
            {LongRows ? (
              <LongRows rows={shown} columns={table.columns} writers={writers} scroller={scroller} />
            ) : (
              <tbody>
                {shown.slice(0, VIRTUAL_FROM).map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
                  <TableRow key={index} row={row} columns={table.columns} writers={writers} />
                ))}
                {rows.length === 0 && (
                  <tr>
                    <td className={styles.none} colSpan={table.columns.length}>
                      No rows match. {filtersText(filters)}
                    </td>
                  </tr>
                )}
              </tbody>
            )}
          </table>
        </section>
      </div>
      <TableFoot
        table={table}
        rows={rows}
        order={order}
        shown={shown.length}
        open={open}
        onOpen={setOpen}
        fileName={fileName}
        stored={stored}
      />
    </div>
  );
}

interface HeadProps {
  table: Table;
  writers: readonly CellWriter[];
  order: Order | null;
  onOrder: (order: Order | null) => void;
}

function Head({ table, writers, order, onOrder }: HeadProps) {
  return (
    <thead>
      <tr>
        {table.columns.map((column, index) => {
          const { name } = column;
          const unit = unitBeside(column);
          const figures = writers[index]?.figures ?? false;
          const direction = order?.column === index ? order.direction : undefined;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may share a name; their order is fixed
            <th key={index} scope="col" aria-sort={direction ?? 'none'} data-figures={figures || undefined}>
              <button
                type="button"
                className={styles.sort}
                onClick={() => onOrder(nextOrder(order, index, figures))}
              >
                {name}
                {unit && <span className={styles.unit}>{unit}</span>}
                <span className={styles.arrow} data-shown={direction || undefined} aria-hidden="true">
                  {direction === 'ascending' ? (
                    <ArrowUp size={12} strokeWidth={2} />
                  ) : (
                    <ArrowDown size={12} strokeWidth={2} />
                  )}
                </span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Widths in characters, so that columns keep still while virtual rows come and go. */
function columnWidths(table: Table, writers: readonly CellWriter[]): number[] {
  return table.columns.map(({ name, unit }, index) => {
    let widest = name.length + (unit ? unit.length + 1 : 0) + 3;
    for (const row of table.rows) {
      const text = writers[index]?.text(row[index] ?? null) ?? '';
      if (text.length > widest) widest = text.length;
    }
    return Math.min(44, widest) + 4;
  });
}

function fixedWidth(table: Table, writers: readonly CellWriter[]) {
  const width = columnWidths(table, writers).reduce((sum, one) => sum + one, 0);
  return { tableLayout: 'fixed', width: `max(100%, ${width}ch)` } as const;
}

/** Virtual rows come in a part of their own when a long table is opened; until then its first rows are there. */
function useLongRows(wanted: boolean): ComponentType<LongRowsProps> | null {
  const [Rows, setRows] = useState<ComponentType<LongRowsProps> | null>(null);
  useEffect(() => {
    if (!wanted || Rows !== null) return;
    let mounted = true;
    import(/* webpackChunkName: "long-rows" */ './long-rows').then(
      (part) => mounted && setRows(() => part.LongRows),
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [wanted, Rows]);
  return wanted ? Rows : null;
}
