import type { CellValue } from 'api/types';

export interface Order {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** The next order when a head is clicked: figures largest first, texts A to Z, then turned, then as it came. */
export function nextOrder(order: Order | null, column: number, figures: boolean): Order | null {
  const first = figures ? 'descending' : 'ascending';
  if (order?.column !== column) return { column, direction: first };
  return order.direction === first ? { column, direction: figures ? 'ascending' : 'descending' } : null;
}

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows in order; rows without a value come last in both directions, equal rows keep their order. */
export function inOrder<Row extends readonly CellValue[]>(
  rows: readonly Row[],
  order: Order | null,
): readonly Row[] {
  if (order === null) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((left, right) => {
    const a = left[order.column] ?? null;
    const b = right[order.column] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return (
      sign * (typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b)))
    );
  });
}
