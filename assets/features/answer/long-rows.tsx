import { useVirtualizer } from '@tanstack/react-virtual';
import type { CellValue } from 'api/types';
import type { RefObject } from 'react';
import type { CellWriter, Column } from './table-cells';
import { TableRow } from './table-row';

export interface LongRowsProps {
  rows: readonly (readonly CellValue[])[];
  columns: readonly Column[];
  writers: readonly CellWriter[];
  scroller: RefObject<HTMLElement | null>;
}

const ROW_HEIGHT = 35; // px: 18 of text, 16 of padding, a hairline

/** Only the rows in view, between two empty rows that keep the scroll bar honest. */
export function LongRows({ rows, columns, writers, scroller }: LongRowsProps) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: { width: 760, height: 480 },
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      {before > 0 && <Gap height={before} columns={columns.length} />}
      {items.map(({ index }) => (
        <TableRow key={index} row={rows[index] ?? []} columns={columns} writers={writers} place={index + 1} />
      ))}
      {after > 0 && <Gap height={after} columns={columns.length} />}
    </tbody>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
