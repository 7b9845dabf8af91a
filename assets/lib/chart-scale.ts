/** Ends and ticks of axes: rounded, few, and deterministic, so that they can be tested without drawing. */
import { scaleLinear, scaleUtc } from 'd3-scale';
import type { ChartType } from './chart-file';
import type { ChartModel, Row } from './chart-model';

/** Of the highest value: a line whose lowest lies above it would be pressed flat by an axis that starts at nought. */
const FAR = 0.85;

export interface Scale {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

/** The value axis. Bars start at nought; lines do unless all values lie close together far from it; points never must. */
export function valueScale(model: ChartModel, type: ChartType, count = 5): Scale {
  const [low, high] =
    type === 'bar' && model.stacked && !model.hasRanges ? stackedExtent(model.rows) : extent(model.rows);
  const near = type === 'bar' || (type === 'line' && (low <= high * FAR || low === high));
  const from = model.valueEnds.min ?? (near ? Math.min(0, low) : low);
  const to = model.valueEnds.max ?? (near ? Math.max(0, high) : high);
  return niceScale(from, to, count, model.valueEnds);
}

/** The axis of labels that are numbers. */
export function numberScale(values: readonly number[], count = 6): Scale {
  if (values.length === 0) return niceScale(0, 1, count, {});
  return niceScale(Math.min(...values), Math.max(...values), count, {});
}

function niceScale(
  from: number,
  to: number,
  count: number,
  ends: { min?: number | undefined; max?: number | undefined },
): Scale {
  if (from === to) {
    const spread = Math.abs(from) > 0 ? Math.abs(from) * 0.5 : 1;
    return niceScale(
      from > 0 && ends.min === undefined ? Math.max(0, from - spread) : from - (from === 0 ? 0 : spread),
      to + spread,
      count,
      ends,
    );
  }
  for (let wanted = count; wanted > 1; wanted -= 1) {
    const [start = from, end = to] = scaleLinear([from, to], [0, 1]).nice(wanted).domain();
    const domain = [ends.min ?? start, ends.max ?? end] as const;
    const ticks = scaleLinear(domain, [0, 1]).ticks(wanted);
    if (ticks.length <= count + 1) return { domain, ticks };
  }
  return { domain: [from, to], ticks: [from, to] };
}

function extent(rows: readonly Row[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    for (const value of row.values) {
      if (value === null) continue;
      const [a, b] = typeof value === 'number' ? [value, value] : value;
      low = Math.min(low, a, b);
      high = Math.max(high, a, b);
    }
  }
  return low > high ? [0, 1] : [low, high];
}

function stackedExtent(rows: readonly Row[]): [number, number] {
  let [low, high] = [0, 0];
  for (const row of rows) {
    let [below, above] = [0, 0];
    for (const value of row.values) {
      if (typeof value !== 'number') continue;
      if (value < 0) below += value;
      else above += value;
    }
    low = Math.min(low, below);
    high = Math.max(high, above);
  }
  return [low, high];
}

const DAY = 86_400_000;

/** The time axis: at most `most` ticks at calendar boundaries (UTC), whatever the span. */
export function timeScale(times: readonly number[], most = 6): Scale {
  const low = Math.min(...times);
  const high = Math.max(...times);
  if (!Number.isFinite(low)) return { domain: [0, DAY], ticks: [] };
  if (low === high) return { domain: [low - DAY, high + DAY], ticks: [low] };
  const even = monthTicks(low, high, most) ?? dayTicks(low, high, most);
  if (even !== null) return { domain: [low, high], ticks: even };
  const scale = scaleUtc([low, high], [0, 1]);
  for (let count = most; count > 0; count -= 1) {
    const ticks = scale.ticks(count).map(Number);
    if (ticks.length > 0 && ticks.length <= most) return { domain: [low, high], ticks };
  }
  return { domain: [low, high], ticks: most > 1 ? [low, high] : [low] };
}

/** Every month, second month, quarter or half year, whichever is the finest that fits; null for other spans. */
function monthTicks(low: number, high: number, most: number): number[] | null {
  const first = new Date(low);
  const start = first.getUTCFullYear() * 12 + first.getUTCMonth();
  const span = Math.floor((high - low) / (30 * DAY));
  if (span < 3 || span > 60) return null;
  for (const step of [1, 2, 3, 6, 12]) {
    const ticks: number[] = [];
    for (let month = Math.ceil(start / step) * step; month <= start + span + 2; month += step) {
      const time = Date.UTC(Math.floor(month / 12), month % 12, 1);
      if (time >= low && time <= high) ticks.push(time);
    }
    if (ticks.length > 1 && ticks.length <= most) return ticks;
  }
  return null;
}

/** Every day, second or third day, week or second week from the first day on, the finest that fits; null for other spans. */
function dayTicks(low: number, high: number, most: number): number[] | null {
  const start = Math.ceil(low / DAY) * DAY;
  const days = Math.floor((high - start) / DAY);
  const step = [1, 2, 3, 7, 14, 21].find((one) => Math.floor(days / one) < most);
  if (days < 4 || step === undefined) return null;
  return Array.from({ length: Math.floor(days / step) + 1 }, (_, index) => start + index * step * DAY);
}

/** The scale from the middle outwards of radar and polar area: rounded, or as the file's scales.r say. */
export function radialScale(model: ChartModel, count = 5): Scale {
  const [low, high] = extent(model.rows);
  const from = model.radial.min ?? Math.min(0, low);
  const { stepSize } = model.radial;
  const top = Math.max(model.radial.max ?? high, from + (high === from ? 1 : 0));
  if (stepSize !== undefined && (top - from) / stepSize <= 20) {
    const end = model.radial.max ?? from + Math.ceil((top - from) / stepSize - 1e-9) * stepSize;
    const steps = Math.floor((end - from) / stepSize + 1e-9);
    return {
      domain: [from, end],
      ticks: Array.from({ length: steps + 1 }, (_, index) => from + index * stepSize),
    };
  }
  return niceScale(from, top, count, { min: model.radial.min, max: model.radial.max });
}
