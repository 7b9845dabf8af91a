/**
 * A chart file normalised for drawing: rows (one a label), series, points, and what kind of labels they stand on.
 * Pure and made once a file: the drawing must get the same arrays on every render, or recharts plays its animation again.
 */
import type { ChartFile, ChartPoint, ChartType } from './chart-file';
import { figureText, numberText } from './chart-format';
import { type TimeGrain, timeAxis, timeText } from './epochs';

/** A figure, a range from a to b, or a gap. */
export type Value = number | readonly [number, number] | null;

export type LabelKind = 'category' | 'time' | 'number';

export interface Row {
  readonly label: string;
  /** Where the label stands on its axis: milliseconds, the number itself, or the row's index for a category. */
  readonly at: number;
  /** One a series, in their order. */
  readonly values: readonly Value[];
}

export interface Series {
  readonly name: string;
  readonly unit: string | null;
  /** Colours the file asks for: one for the series, or one a row. */
  readonly colors: readonly string[];
}

/** One mark of a scatter chart. */
export interface Point {
  readonly series: number;
  readonly label: string;
  readonly at: number;
  readonly value: number;
}

export interface AxisText {
  readonly title: string;
  readonly color: string | null;
}

export interface ChartModel {
  readonly type: ChartType;
  readonly title: string;
  readonly titleStyle: {
    readonly color: string | null;
    readonly size: number;
    readonly weight: number | null;
  };
  readonly rows: readonly Row[];
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly labelKind: LabelKind;
  readonly grain: TimeGrain;
  /** True where the file has top-level labels: slices need them (SPEC §3). */
  readonly hasLabels: boolean;
  readonly hasRanges: boolean;
  readonly hasNegatives: boolean;
  /** True where series stand on labels of their own, so that a line must reach over the others' labels. */
  readonly bridged: boolean;
  /** True where the labels stand on the vertical axis. */
  readonly horizontal: boolean;
  readonly stacked: boolean;
  /** True where the sum of several rows says something: totals and counts, no averages. */
  readonly addsUp: boolean;
  /** False where the file says that its figures make no whole together: averages, rates. */
  readonly partsOfWhole: boolean;
  readonly legend: boolean;
  readonly tooltips: boolean;
  readonly x: AxisText;
  readonly y: AxisText;
  /** Ends of the value axis that the file asks for. */
  readonly valueEnds: { readonly min?: number | undefined; readonly max?: number | undefined };
  readonly radial: {
    readonly min?: number | undefined;
    readonly max?: number | undefined;
    readonly stepSize?: number | undefined;
  };
}

type Coordinate = string | number | null;
interface Cell {
  readonly coordinate: Coordinate;
  readonly value: Value;
}

/** The model of a file, or null where its values cannot be put on axes. */
export function chartModel(file: ChartFile): ChartModel | null {
  const horizontal = file.options?.indexAxis === 'y';
  const table = cellsOf(file, horizontal);
  if (table === null) return null;
  const plain = file.datasets.some(({ data }) => data.some((point) => !isObject(point)));
  const { rows, labelKind, grain } = rowsOf(file, table, plain);
  const values = rows.flatMap((row) => row.values);
  const options = file.options ?? {};
  const { scales } = options;
  const tooltipUnit = typeof options.tooltips === 'object' ? options.tooltips.unit : null;
  const weight = options.titleFontWeight;
  return {
    type: file.type,
    title: file.title?.trim() ?? '',
    titleStyle: {
      color: options.titleColor ?? null,
      size: options.titleFontSize ?? 20, // SPEC §9
      weight: weight === 'bold' ? 700 : weight === 'normal' ? 400 : (weight ?? null),
    },
    rows,
    series: file.datasets.map((dataset, index) => ({
      name: dataset.label?.trim() || (file.datasets.length === 1 ? '' : `Series ${index + 1}`),
      unit: dataset.unit || tooltipUnit || null,
      colors: [dataset.backgroundColor ?? dataset.colors ?? []].flat(),
    })),
    points: pointsOf(rows),
    labelKind,
    grain,
    hasLabels: (file.labels?.length ?? 0) > 0,
    hasRanges: values.some((value) => Array.isArray(value)),
    hasNegatives: values.some((value) =>
      typeof value === 'number' ? value < 0 : value !== null && Math.min(...value) < 0,
    ),
    bridged: !plain,
    horizontal,
    stacked: scales?.x?.stacked === true || scales?.y?.stacked === true,
    addsUp: options.others === 'sum',
    partsOfWhole: options.slices !== false,
    legend: typeof options.legend === 'object' ? options.legend.display !== false : options.legend !== false,
    tooltips:
      typeof options.tooltips === 'object' ? options.tooltips.enabled !== false : options.tooltips !== false,
    x: { title: options.xAxisTitle?.trim() ?? '', color: options.xAxisLabelColor ?? null },
    y: { title: options.yAxisTitle?.trim() ?? '', color: options.yAxisLabelColor ?? null },
    valueEnds: {
      min: (horizontal ? scales?.x : scales?.y)?.min,
      max: (horizontal ? scales?.x : scales?.y)?.max,
    },
    radial: { ...scales?.r },
  };
}

const isObject = (point: ChartPoint): point is { x: Coordinate; y: Coordinate } =>
  typeof point === 'object' && point !== null && !Array.isArray(point);

/** Every point as label coordinate and value, a list a series; null where a value is text. */
function cellsOf(file: ChartFile, horizontal: boolean): Cell[][] | null {
  const table: Cell[][] = [];
  for (const { data } of file.datasets) {
    const cells: Cell[] = [];
    for (const [index, point] of data.entries()) {
      if (!isObject(point)) {
        cells.push({ coordinate: labelAt(file, index), value: point });
        continue;
      }
      const [coordinate, value] = horizontal ? [point.y, point.x] : [point.x, point.y];
      if (typeof value === 'string') return null;
      cells.push({ coordinate, value });
    }
    table.push(cells);
  }
  return table;
}

/** A plain point stands on the label of its place, or on "Category 1", "Category 2" where the file has none (SPEC §9). */
function labelAt(file: ChartFile, index: number): Coordinate {
  const label = file.labels?.[index];
  if (label === undefined) return `Category ${index + 1}`;
  return typeof label === 'boolean' ? (label ? 'Yes' : 'No') : label;
}

function rowsOf(file: ChartFile, table: readonly (readonly Cell[])[], plain: boolean) {
  const keyed = new Map<string, { coordinate: Coordinate; values: Value[] }>();
  const place = (coordinate: Coordinate, key: string) => {
    const known = keyed.get(key);
    if (known !== undefined) return known.values;
    const values = table.map((): Value => null);
    keyed.set(key, { coordinate, values });
    return values;
  };
  // Labels without any point still get their place on the axis.
  for (const [index] of (file.labels ?? []).entries())
    place(labelAt(file, index), rowKey(labelAt(file, index), plain ? index : 0));
  for (const [series, cells] of table.entries()) {
    const seen = new Map<Coordinate, number>();
    for (const [index, { coordinate, value }] of cells.entries()) {
      const occurrence = seen.get(coordinate) ?? 0;
      seen.set(coordinate, occurrence + 1);
      place(coordinate, rowKey(coordinate, plain ? index : occurrence))[series] = value;
    }
  }
  return axisRows([...keyed.values()], plain);
}

const rowKey = (coordinate: Coordinate, place: number) => `${typeof coordinate}:${coordinate}#${place}`;

function axisRows(found: readonly { coordinate: Coordinate; values: Value[] }[], plain: boolean) {
  const axis = timeAxis(found.map(({ coordinate }) => coordinate));
  const inOrder = (a: Row, b: Row) => a.at - b.at;
  if (axis !== null) {
    const rows = found.map(({ values }, index): Row => {
      const at = axis.times[index] ?? 0;
      return { label: timeText(at, axis.grain), at, values };
    });
    return { rows: rows.sort(inOrder), labelKind: 'time' as const, grain: axis.grain };
  }
  if (!plain && found.length > 0 && found.every(({ coordinate }) => typeof coordinate === 'number')) {
    const rows = found.map(
      ({ coordinate, values }): Row => ({
        label: numberLabel(Number(coordinate)),
        at: Number(coordinate),
        values,
      }),
    );
    return { rows: rows.sort(inOrder), labelKind: 'number' as const, grain: 'day' as const };
  }
  const rows = found.map(({ coordinate, values }, at): Row => ({ label: labelText(coordinate), at, values }));
  return { rows, labelKind: 'category' as const, grain: 'day' as const };
}

/** A year stays as it is; other numbers are written as figures are, without the noise of their last digits. */
const numberLabel = (value: number) =>
  Number.isInteger(value) && Math.abs(value) < 10_000 ? numberText(value, 0, false) : figureText(value);

/** An empty label is shown as what it is. */
const labelText = (coordinate: Coordinate) => String(coordinate ?? '').trim() || '(none)';

function pointsOf(rows: readonly Row[]): Point[] {
  return rows.flatMap((row) =>
    row.values.flatMap((value, series) =>
      typeof value === 'number' ? [{ series, label: row.label, at: row.at, value }] : [],
    ),
  );
}

/** True where nothing could be drawn in any type. */
export const isEmpty = (model: ChartModel): boolean =>
  model.rows.every((row) => row.values.every((value) => value === null));

const MOST_SECTORS = 60; // of a polar area chart: beyond that no sector can be told from its neighbour

/** Whether a type can show this data truthfully; where not, the reader gets SPEC §8's text. */
export const supports = (model: ChartModel, type: ChartType): boolean => whyNot(model, type) === null;

/** Why a type cannot show this data, in a few words; null where it can. */
export function whyNot(model: ChartModel, type: ChartType): string | null {
  if (type === 'bar') return null;
  if (model.hasRanges) return 'Ranges are drawn as bars only.';
  if (type === 'line' || type === 'scatter') return null;
  if (type === 'radar') return model.rows.length >= 3 ? null : 'A radar needs at least three values.';
  if (!model.hasLabels) return 'Slices need names.';
  if (model.series.length !== 1) return 'Slices show one figure, and here are several.';
  if (model.hasNegatives) return 'Slices cannot show negative figures.';
  const sums = model.rows.reduce(
    (sum, row) => sum + (typeof row.values[0] === 'number' ? row.values[0] : 0),
    0,
  );
  if (sums <= 0) return 'Slices need a total above zero.';
  return type === 'polarArea' && model.rows.length > MOST_SECTORS ? 'Too many values for sectors.' : null;
}

/** One sentence that says what the chart shows, for people who do not see it. */
export function chartSummary(model: ChartModel, typeName: string): string {
  const first = model.rows[0]?.label;
  const last = model.rows.at(-1)?.label;
  const names = model.series.map(({ name }) => name).filter(Boolean);
  const span =
    first === undefined ? '' : model.rows.length === 1 ? `, ${first}` : `, from ${first} to ${last}`;
  const what =
    names.length > 0
      ? `: ${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`
      : '';
  const count = `${model.rows.length} ${model.rows.length === 1 ? 'value' : 'values'}`;
  return `${typeName}${model.title ? `, ${model.title}` : ''}${what}; ${count}${span}.`;
}
