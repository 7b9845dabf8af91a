import type { CellValue } from 'api/types';
import { NoValue } from 'design/components/no-value';
import { memo } from 'react';
import type { CellWriter, Column } from './table-cells';

interface Props {
  row: readonly CellValue[];
  columns: readonly Column[];
  writers: readonly CellWriter[];
  /** Its place among all rows where only some are drawn, from 1. */
  place?: number;
}

const LONG = 40; // characters; what may be cut is said in full by the tooltip

export const TableRow = memo(function TableRow({ row, columns, writers, place }: Props) {
  return (
    <tr aria-rowindex={place === undefined ? undefined : place + 1}>
      {columns.map((_, index) => {
        const text = writers[index]?.text(row[index] ?? null) ?? null;
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
            key={index}
            data-figures={writers[index]?.figures || undefined}
            title={text !== null && text.length > LONG ? text : undefined}
          >
            {text ?? <NoValue />}
          </td>
        );
      })}
    </tr>
  );
});
