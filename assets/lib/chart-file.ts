/**
 * The chart file of SPEC §3, parsed once at the edge. It comes out of a model or a stored answer, so it is hostile until
 * read: unknown keys, functions, non-finite numbers, oversized lists and texts that are no colours refuse the whole file.
 * What is drawn from it is decided in chart-model.
 */
import * as v from 'valibot';
import { toHex } from './colors';

export const CHART_TYPES = ['line', 'scatter', 'bar', 'pie', 'doughnut', 'radar', 'polarArea'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

export const CHART_TYPE_NAMES: Readonly<Record<ChartType, string>> = {
  line: 'Line Chart',
  scatter: 'Scatter Chart',
  bar: 'Bar Chart',
  pie: 'Pie Chart',
  doughnut: 'Doughnut Chart',
  radar: 'Radar Chart',
  polarArea: 'Polar Area Chart',
};

const MAX_FILE = 4_000_000; // characters
const MAX_SERIES = 60;
const MAX_POINTS = 20_000; // of one series

const text = v.pipe(v.string(), v.maxLength(2_000));
const finite = v.pipe(v.number(), v.finite());
const color = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check((value) => toHex(value) !== null, 'not a color'),
  v.transform((value) => toHex(value) ?? value),
);
const coordinate = v.union([finite, text]);
const point = v.union([
  finite,
  v.null(),
  v.strictTuple([finite, finite]),
  v.strictObject({ x: v.nullable(coordinate), y: v.nullable(coordinate) }),
]);
const colors = v.union([color, v.pipe(v.array(color), v.maxLength(MAX_POINTS))]);

const dataset = v.strictObject({
  label: v.optional(text),
  data: v.pipe(v.array(point), v.maxLength(MAX_POINTS)),
  backgroundColor: v.optional(colors),
  colors: v.optional(colors),
  unit: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(40)))),
});

const axis = v.strictObject({
  stacked: v.optional(v.boolean()),
  min: v.optional(finite),
  max: v.optional(finite),
});

const options = v.strictObject({
  xAxisTitle: v.optional(v.nullable(text)),
  yAxisTitle: v.optional(v.nullable(text)),
  xAxisLabelColor: v.optional(color),
  yAxisLabelColor: v.optional(color),
  titleColor: v.optional(color),
  titleFontSize: v.optional(v.pipe(finite, v.minValue(8), v.maxValue(48))),
  titleFontWeight: v.optional(
    v.union([v.picklist(['normal', 'bold']), v.pipe(finite, v.minValue(100), v.maxValue(900))]),
  ),
  legend: v.optional(
    v.union([v.boolean(), v.strictObject({ display: v.optional(v.boolean()), position: v.optional(text) })]),
  ),
  tooltips: v.optional(
    v.union([
      v.boolean(),
      v.strictObject({ enabled: v.optional(v.boolean()), unit: v.optional(v.nullable(text)) }),
    ]),
  ),
  indexAxis: v.optional(v.picklist(['x', 'y'])),
  /** Of a ranking whose figures add up: what is not drawn may be gathered in one bar. */
  others: v.optional(v.literal('sum')),
  /** Of figures that are no parts of a whole, as averages: slices would tell of one. */
  slices: v.optional(v.literal(false)),
  scales: v.optional(
    v.strictObject({
      x: v.optional(axis),
      y: v.optional(axis),
      r: v.optional(
        v.strictObject({
          min: v.optional(finite),
          max: v.optional(finite),
          stepSize: v.optional(v.pipe(finite, v.gtValue(0))),
        }),
      ),
    }),
  ),
});

const chartFile = v.strictObject({
  type: v.optional(v.picklist(CHART_TYPES), 'line'),
  title: v.optional(v.nullable(text)),
  labels: v.optional(
    v.pipe(v.array(v.nullable(v.union([finite, text, v.boolean()]))), v.maxLength(MAX_POINTS)),
  ),
  datasets: v.pipe(v.array(dataset), v.maxLength(MAX_SERIES)),
  options: v.optional(options),
});

export type ChartFile = v.InferOutput<typeof chartFile>;
export type ChartPoint = ChartFile['datasets'][number]['data'][number];

/** The parsed chart file, or null where the text is no chart file. Never throws. */
export function parseChartFile(content: string): ChartFile | null {
  if (content.length > MAX_FILE) return null;
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    return null;
  }
  return readChartFile(json);
}

/** The same for a value that was parsed already. */
export function readChartFile(json: unknown): ChartFile | null {
  const result = v.safeParse(chartFile, json, { abortEarly: true });
  return result.success ? result.output : null;
}
