import { shortFigure } from 'lib/chart-format';
import type { ChartModel, Row, Value } from 'lib/chart-model';
import { edgeColor } from 'lib/colors';
import { useMemo } from 'react';
import { Bar, BarChart, type BarShapeProps, Rectangle, Tooltip } from 'recharts';
import { BarLabel, MOST_LABELS } from './bar-label';
import { cartesianAxes } from './cartesian-axes';
import { axisTitle, cartesianLayout, isCut, layDown } from './cartesian-layout';
import { AxisTitles, ChartLegend, ScaleAbove } from './chart-parts';
import { rowLines, TooltipBox } from './chart-tooltip';
import { ANIMATION_MS, type DrawingProps, STILL_FROM } from './drawing';

type BarRow = Row & { readonly index: number };

export function BarDrawing({ model: given, width, look, colors, animate, onDrawn, summary }: DrawingProps) {
  const model = useMemo(
    () => layDown({ model: given, width, measure: look.measure }),
    [given, width, look.measure],
  );
  const layout = useMemo(
    () => cartesianLayout({ model, type: 'bar', width, measure: look.measure }),
    [model, width, look.measure],
  );
  const data = useMemo(() => model.rows.map((row, index): BarRow => ({ ...row, index })), [model.rows]);
  const keys = useMemo(
    () => model.series.map((_, index) => (row: BarRow) => barValue(row.values[index])),
    [model.series],
  );
  const stacked = model.stacked && !model.hasRanges;
  const { margin, leftAxis, bottomAxis, height } = layout;
  const room = model.horizontal
    ? height - margin.top - margin.bottom - bottomAxis
    : width - margin.left - margin.right - leftAxis;
  const band = room / Math.max(1, model.rows.length);
  const labelled = model.rows.length <= MOST_LABELS && model.series.length === 1 && !model.hasRanges;
  const labels: readonly [number, number] = model.horizontal
    ? [margin.left + leftAxis + 2, width - 4]
    : [Math.max(2, margin.top - 10), height - margin.bottom - bottomAxis - 2];
  return (
    <BarChart
      width={width}
      height={height}
      data={data}
      layout={model.horizontal ? 'vertical' : 'horizontal'}
      margin={margin}
      stackOffset="sign"
      barCategoryGap={band < 6 ? 0 : band < 16 ? '12%' : '22%'}
      barGap={band / model.series.length < 12 ? 0 : 3}
      aria-label={summary}
    >
      {cartesianAxes({ cut: isCut(model), layout, horizontal: model.horizontal, look, field: 'index' })}
      {layout.scaleAbove && <ScaleAbove scale={layout.value} look={look} />}
      <Tooltip
        active={model.tooltips ? undefined : false}
        isAnimationActive={false}
        cursor={{ fill: look.tokens.hover, fillOpacity: 0.5 }}
        content={({ payload }) => {
          const row = payload[0]?.payload as BarRow | undefined;
          if (row === undefined) return null;
          const marks = colors.map((color, series) => barColor(model, series, row.index, color));
          return <TooltipBox head={row.label} lines={rowLines(model, row.values, marks)} />;
        }}
      />
      {model.series.map((series, index) => (
        <Bar
          // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
          key={index}
          name={series.name}
          dataKey={keys[index]}
          stackId={stacked ? 'all' : undefined}
          maxBarSize={48}
          isAnimationActive={
            animate && model.rows.length * model.series.length <= STILL_FROM ? 'auto' : false
          }
          animationDuration={ANIMATION_MS}
          onAnimationEnd={index === 0 ? onDrawn : undefined}
          shape={(bar: BarShapeProps) => {
            const row = bar.payload as BarRow;
            const fill = barColor(model, index, row.index, colors[index] ?? look.tokens.text3);
            const value = row.values[index] ?? null;
            const mark = (
              <BarMark
                bar={bar}
                fill={fill}
                edge={edgeColor(fill, look.tokens.surface)}
                round={roundness(value, stacked, model.horizontal)}
                horizontal={model.horizontal}
                reach={band < SOLID && (stacked || model.series.length === 1) ? band : 0}
              />
            );
            if (!labelled || typeof value !== 'number') return mark;
            return (
              <g>
                {mark}
                <BarLabel
                  text={shortFigure(value, series.unit)}
                  bar={upright(bar)}
                  negative={value < 0}
                  horizontal={model.horizontal}
                  fill={fill}
                  look={look}
                  room={labels}
                  band={band}
                />
              </g>
            );
          }}
        />
      ))}
      <ChartLegend entries={layout.legend.entries} colors={colors} look={look} mark={() => 'box'} />
      <AxisTitles
        x={axisTitle(model, 'x')}
        y={axisTitle(model, 'y')}
        width={width}
        height={height}
        look={look}
      />
    </BarChart>
  );
}

const barValue = (value: Value | undefined): number | [number, number] | null =>
  value === undefined || value === null || typeof value === 'number'
    ? (value ?? null)
    : [Math.min(...value), Math.max(...value)];

/** A file may colour every bar; a colour picked by the reader stands for the whole series and comes as `color`. */
function barColor(model: ChartModel, series: number, row: number, color: string): string {
  const own = model.series[series]?.colors ?? [];
  return own.length > 1 ? (own[row % own.length] ?? color) : color;
}

/** px of a band below which single bars are an area: gaps of uneven pixels between them would make stripes. */
const SOLID = 3;

/** Bars below nought come with negative sizes. */
const upright = ({ x, y, width, height }: BarShapeProps) => ({
  x: Math.min(x, x + width),
  y: Math.min(y, y + height),
  width: Math.abs(width),
  height: Math.abs(height),
});

type Corners = [number, number, number, number];

/** Bars are rounded at the end that says the value, ranges at both, parts of a stack nowhere. */
function roundness(value: Value, stacked: boolean, horizontal: boolean): Corners {
  if (stacked || value === null) return [0, 0, 0, 0];
  if (typeof value !== 'number') return [3, 3, 3, 3];
  if (horizontal) return value < 0 ? [3, 0, 0, 3] : [0, 3, 3, 0];
  return value < 0 ? [0, 0, 3, 3] : [3, 3, 0, 0];
}

function BarMark({
  bar,
  fill,
  edge,
  round,
  horizontal,
  reach,
}: {
  bar: BarShapeProps;
  fill: string;
  edge: string;
  round: Corners;
  horizontal: boolean;
  /** How far a bar goes on at least, to where the next one starts. */
  reach: number;
}) {
  const { x, y, width, height } = upright(bar);
  if (width === 0 || height === 0) return <g />;
  // Bars of hairline width stand on whole pixels: between them their colour would wash out, each in another way.
  if ((horizontal ? height : width) < 4) {
    const from = horizontal ? y : x;
    const to = from + Math.max(reach, horizontal ? height : width);
    const [start, across] = [Math.floor(from), Math.max(1, Math.floor(to) - Math.floor(from))];
    const place = horizontal
      ? { x, y: start, width, height: across }
      : { x: start, y, width: across, height };
    return <rect {...place} fill={edge} shapeRendering="crispEdges" />;
  }
  // The edge lies inside the bar; flat ones are all edge.
  if (Math.min(width, height) < 4) {
    return <rect x={x} y={y} width={Math.max(0.5, width)} height={Math.max(0.5, height)} fill={edge} />;
  }
  return (
    <Rectangle
      x={x + 0.5}
      y={y + 0.5}
      width={width - 1}
      height={height - 1}
      radius={round}
      fill={fill}
      stroke={edge}
      strokeWidth={1}
    />
  );
}
