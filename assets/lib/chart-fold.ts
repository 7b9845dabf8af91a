/** Long rankings: the first ten bars and, where the figures add up, one bar for the rest. Pure. */
import type { ChartModel, Row } from './chart-model';

export const FOLDED_BARS = 10;
const WHOLE_BARS = 12; // a year of months is not worth a fold

/** Whether a bar chart of this data is long enough to be folded: names in an order, one figure each. */
export const isLong = (model: ChartModel): boolean =>
  model.horizontal &&
  model.labelKind === 'category' &&
  model.series.length === 1 &&
  !model.hasRanges &&
  model.rows.length > WHOLE_BARS;

/** The first ten rows, and the others together where their sum says something. */
export function folded(model: ChartModel): ChartModel {
  const kept = model.rows.slice(0, FOLDED_BARS);
  const rest = model.rows.slice(FOLDED_BARS);
  if (!model.addsUp || model.hasNegatives) return { ...model, rows: kept };
  const sum = rest.reduce((all, { values: [value] }) => all + (typeof value === 'number' ? value : 0), 0);
  const others: Row = { label: `Others (${rest.length})`, at: FOLDED_BARS, values: [sum] };
  return { ...model, rows: [...kept, others] };
}
