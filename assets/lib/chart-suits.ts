/** Which chart types tell data well: what a line may join, and what slices may be of. Pure. */
import type { ChartType } from './chart-file';
import { type ChartModel, whyNot } from './chart-model';
import { isSliced } from './chart-slices';

/** Numbers, periods and weekdays: one knows what stands between two of them. */
const REGULAR =
  /^(\d+|(fy ?)?\d{4}|[qh][1-4]|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*)( (fy)?\d{4})?$/i;
/** "20–30", "$1,000–$2,000": ranges that follow one another; "Week 12", "9:00". */
const ROW_OF =
  /^([$€£]?\d[\d,.]*[%a-z]? ?[-–] ?[$€£]?\d[\d,.]* ?[%a-z]*|(hour|day|week|month|year|w) ?\d{1,3}|\d{4}-w\d\d|\d\d?:\d\d)$/i;
export const isRegular = ({ rows }: ChartModel): boolean =>
  rows.every(({ label }) => REGULAR.test(label) || ROW_OF.test(label));

/** Whether a line may join the values: nothing lies between two names. */
export const joins = (model: ChartModel): boolean =>
  model.labelKind !== 'category' || !model.hasLabels || isRegular(model);

/** Why a type tells this data badly, though it can draw it; null where it tells it well. */
export function whyBad(model: ChartModel, type: ChartType): string | null {
  if (type === 'line' && model.type !== 'line' && !joins(model))
    return 'A line joins periods, and these are names.';
  const refused = whyNot(model, type);
  if (refused !== null || !isSliced(type) || isSliced(model.type)) return refused;
  if (!model.partsOfWhole) return 'Slices are parts of a whole, and these figures are not.';
  return model.labelKind === 'time' ? 'Slices are parts of a whole, and these are periods.' : null;
}
