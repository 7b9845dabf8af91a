/** Fewer rows for the same picture of a long line. */
import type { Row } from './chart-model';

/**
 * At most about `most` rows that draw the same line: of every stretch the rows with the lowest and the highest value of
 * each series. A screen has fewer columns of pixels than a long series has rows.
 */
export function thinnedRows(rows: readonly Row[], series: number, most = 2_000): readonly Row[] {
  if (rows.length <= most) return rows;
  const stretch = Math.ceil((rows.length * 2 * series) / most);
  const kept: Row[] = [];
  for (let start = 0; start < rows.length; start += stretch) {
    const part = rows.slice(start, start + stretch);
    const ends = new Set<number>([0]);
    for (let one = 0; one < series; one += 1) {
      const [low, high] = endsOf(part, one);
      ends.add(low).add(high);
    }
    kept.push(...part.filter((_, index) => ends.has(index)));
  }
  const last = rows.at(-1);
  if (last !== undefined && kept.at(-1) !== last) kept.push(last);
  return kept;
}

function endsOf(rows: readonly Row[], series: number): [number, number] {
  let [low, high] = [0, 0];
  const at = (index: number) => {
    const value = rows[index]?.values[series];
    return typeof value === 'number' ? value : null;
  };
  for (const [index] of rows.entries()) {
    const value = at(index);
    if (value === null) continue;
    if (value < (at(low) ?? Infinity)) low = index;
    if (value > (at(high) ?? -Infinity)) high = index;
  }
  return [low, high];
}
