/** The slices of pie, doughnut and polar area charts: one a row, or the largest and one that gathers the rest. */
import type { ChartType } from './chart-file';
import type { ChartModel } from './chart-model';

const SLICED: readonly ChartType[] = ['pie', 'doughnut', 'polarArea'];

/** True for the types whose marks are rows and not series. */
export const isSliced = (type: ChartType): boolean => SLICED.includes(type);

/** Whether slices are named: a legend switched off for a bar chart of one series says nothing about slices. */
export const namesSlices = (model: ChartModel): boolean => model.legend || !isSliced(model.type);

export interface Slice {
  readonly label: string;
  readonly value: number;
  /** The row it came from, or -1 for the slice that gathers the small ones. */
  readonly row: number;
}

/** The slices of a pie: all of them up to `most`, else the largest and one that gathers the rest by name. */
export function slicesOf(model: ChartModel, most = 12): Slice[] {
  const slices = model.rows.map((row, index): Slice => {
    const value = row.values[0];
    return { label: row.label, value: typeof value === 'number' ? value : 0, row: index };
  });
  if (slices.length <= most) return slices;
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  const rest = sorted.slice(most - 1);
  const value = rest.reduce((sum, slice) => sum + slice.value, 0);
  return [...sorted.slice(0, most - 1), { label: `${rest.length} others`, value, row: -1 }];
}
