import { figureText } from 'lib/chart-format';
import { shorten, spreadApart } from 'lib/chart-layout';
import type { ChartModel, Row } from 'lib/chart-model';
import { joins } from 'lib/chart-suits';
import { thinnedRows } from 'lib/chart-thinning';
import { edgeColor, textColor } from 'lib/colors';
import { useMemo } from 'react';
import {
  type DotItemDotProps,
  Line,
  LineChart,
  Symbols,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
} from 'recharts';
import { cartesianAxes } from './cartesian-axes';
import { axisTitle, cartesianLayout, isCut } from './cartesian-layout';
import { AxisTitles, ChartLegend } from './chart-parts';
import { rowLines, TooltipBox } from './chart-tooltip';
import {
  ANIMATION_MS,
  type DrawingProps,
  dashOf,
  type Look,
  type MarkShape,
  POINT_SIZE,
  pointOf,
  STILL_FROM,
  TICK_SIZE,
} from './drawing';

export function LineDrawing({ model, width, look, colors, animate, onDrawn, summary }: DrawingProps) {
  const layout = useMemo(
    () => cartesianLayout({ model, type: 'line', width, measure: look.measure }),
    [model, width, look.measure],
  );
  const data = useMemo(() => [...thinnedRows(model.rows, model.series.length)], [model]);
  const keys = useMemo(
    () => model.series.map((_, index) => (row: Row) => row.values[index] ?? null),
    [model.series],
  );
  const strokes = colors.map((color) => edgeColor(color, look.tokens.surface));
  const count = model.series.length;
  const joined = joins(model);
  const dots =
    !joined ||
    (count <= MOST_WITH_POINTS && (width / Math.max(1, model.rows.length) >= 14 || model.rows.length === 1));
  return (
    <LineChart
      width={width}
      height={layout.height}
      data={data}
      layout={model.horizontal ? 'vertical' : 'horizontal'}
      margin={layout.margin}
      aria-label={summary}
    >
      {cartesianAxes({
        cut: isCut(model),
        layout,
        horizontal: model.horizontal,
        look,
        field: 'at',
        cutOff: layout.value.domain[0] > 0,
        padding: layout.label.domain === null ? 24 : 0,
      })}
      <Tooltip
        active={model.tooltips ? undefined : false}
        isAnimationActive={false}
        cursor={{ stroke: look.tokens.axis }}
        content={({ payload }) => {
          const row = payload[0]?.payload as Row | undefined;
          return row ? <TooltipBox head={row.label} lines={rowLines(model, row.values, strokes)} /> : null;
        }}
      />
      {model.series.map((series, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
          key={index}
          name={series.name}
          dataKey={keys[index]}
          type="linear"
          stroke={strokes[index]}
          strokeWidth={joined ? 2 : 0}
          strokeDasharray={dashOf(index, count)}
          dot={pointsOf(dots, loneIn(model, index), pointOf(index, count), strokes[index])}
          activeDot={{ r: 4.5, stroke: look.tokens.surface, strokeWidth: 2, fill: strokes[index] }}
          connectNulls={model.bridged}
          isAnimationActive={animate && data.length <= STILL_FROM ? 'auto' : false}
          animationDuration={ANIMATION_MS}
          onAnimationEnd={index === 0 ? onDrawn : undefined}
        />
      ))}
      <LoneFigures model={model} look={look} />
      {layout.direct > 0 && <EndNames model={model} colors={colors} look={look} room={layout.direct} />}
      <ChartLegend
        entries={layout.legend.entries}
        colors={colors}
        look={look}
        mark={(series) => (!joined ? pointOf(series, count) : dots ? 'dotted' : 'line')}
      />
      <AxisTitles
        x={axisTitle(model, 'x')}
        y={axisTitle(model, 'y')}
        width={width}
        height={layout.height}
        look={look}
      />
    </LineChart>
  );
}

/** Lines beyond which their points are a knot: only the one at the pointer is shown. */
const MOST_WITH_POINTS = 7;

function pointsOf(dots: boolean, lone: boolean, shape: MarkShape, color: string | undefined) {
  if (!dots && !lone) return false;
  if (lone || shape === 'circle')
    return { r: lone ? 5 : 3, fill: color, strokeWidth: 0, strokeDasharray: 'none' };
  return ({ cx, cy, index }: DotItemDotProps) => (
    <Symbols key={index} cx={cx} cy={cy} size={POINT_SIZE} type={shape} fill={color} />
  );
}

/** True where a series has a single value: without its dot it would not be seen. */
const loneIn = (model: ChartModel, series: number) =>
  model.rows.length <= 1000 && model.rows.filter((row) => (row.values[series] ?? null) !== null).length === 1;

/** The figure of a chart that is a single point: its axis alone does not say it. */
function LoneFigures({ model, look }: { model: ChartModel; look: Look }) {
  const x = useXAxisScale();
  const y = useYAxisScale();
  const [row, other] = model.rows;
  if (!x || !y || !row || other || model.horizontal) return null;
  return (
    <g>
      {model.points.map(({ series, value }) => (
        <text
          key={series}
          x={(x(row.at) ?? 0) + 12}
          y={(y(value) ?? 0) + 4}
          fontSize={TICK_SIZE}
          fontWeight={600}
          fill={look.tokens.text}
        >
          {figureText(value, model.series[series]?.unit ?? null)}
        </text>
      ))}
    </g>
  );
}

interface EndProps {
  model: ChartModel;
  colors: readonly string[];
  look: Look;
  room: number;
}

/** The series' names at the ends of their lines. */
function EndNames({ model, colors, look, room }: EndProps) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (!plot || !x || !y || model.horizontal) return null;
  const ends = model.series.flatMap(({ name }, index) => {
    const row = model.rows.findLast(({ values }) => typeof values[index] === 'number');
    const value = row?.values[index];
    if (row === undefined || typeof value !== 'number') return [];
    return [{ name, index, x: x(row.at) ?? 0, y: y(value) ?? 0 }];
  });
  const heights = spreadApart(
    ends.map((end) => end.y),
    15,
    plot.y + 4,
    plot.y + plot.height,
  );
  return (
    <g>
      {ends.map((end, place) => (
        <text
          key={end.index}
          x={Math.max(end.x, plot.x + plot.width - 24) + 10}
          y={(heights[place] ?? end.y) + 4}
          fontSize={12}
          fontWeight={500}
          fill={textColor(colors[end.index] ?? look.tokens.text2, look.tokens.surface)}
        >
          {shorten(end.name, room - 14, look.measure)}
        </text>
      ))}
    </g>
  );
}
