import { shorten, spreadApart } from 'lib/chart-layout';
import type { ChartModel, Row } from 'lib/chart-model';
import { thinnedRows } from 'lib/chart-thinning';
import { edgeColor, textColor } from 'lib/colors';
import { useMemo } from 'react';
import { Line, LineChart, Tooltip, usePlotArea, useXAxisScale, useYAxisScale } from 'recharts';
import { cartesianAxes } from './cartesian-axes';
import { axisTitle, cartesianLayout, isCut } from './cartesian-layout';
import { AxisTitles, ChartLegend } from './chart-parts';
import { rowLines, TooltipBox } from './chart-tooltip';
import { ANIMATION_MS, type DrawingProps, dashOf, type Look, STILL_FROM } from './drawing';

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
  const dots = width / Math.max(1, model.rows.length) >= 14 || model.rows.length === 1;
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
          type={model.rows.length > 80 ? 'linear' : 'monotone'}
          stroke={strokes[index]}
          strokeWidth={2}
          strokeDasharray={dashOf(index)}
          dot={
            dots || loneIn(model, index)
              ? { r: 3, fill: strokes[index], strokeWidth: 0, strokeDasharray: 'none' }
              : false
          }
          activeDot={{ r: 4.5, stroke: look.tokens.surface, strokeWidth: 2, fill: strokes[index] }}
          connectNulls={model.bridged}
          isAnimationActive={animate && data.length <= STILL_FROM ? 'auto' : false}
          animationDuration={ANIMATION_MS}
          onAnimationEnd={index === 0 ? onDrawn : undefined}
        />
      ))}
      {layout.direct > 0 && <EndNames model={model} colors={colors} look={look} room={layout.direct} />}
      <ChartLegend entries={layout.legend.entries} colors={colors} look={look} mark={() => 'line'} />
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

/** True where a series has a single value: without its dot it would not be seen. */
const loneIn = (model: ChartModel, series: number) =>
  model.rows.length <= 1000 && model.rows.filter((row) => (row.values[series] ?? null) !== null).length === 1;

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
