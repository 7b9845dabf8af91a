import { shorten } from 'lib/chart-layout';
import type { Row } from 'lib/chart-model';
import { radialScale } from 'lib/chart-scale';
import { edgeColor } from 'lib/colors';
import { useMemo } from 'react';
import { PolarAngleAxis, PolarGrid, PolarRadiusAxis, Radar, RadarChart, Tooltip } from 'recharts';
import { legendNames } from './cartesian-layout';
import { ChartLegend } from './chart-parts';
import { rowLines, TooltipBox } from './chart-tooltip';
import { ANIMATION_MS, type DrawingProps, dashOf, PHONE, TICK_SIZE } from './drawing';
import { onCircle, RingLabels, ringText, roundLayout } from './radial-parts';

const MOST_NAMES = 24;

export function RadarDrawing({ model, width, look, colors, animate, onDrawn, summary }: DrawingProps) {
  const data = useMemo(() => model.rows.map((row, index) => ({ ...row, index })), [model.rows]);
  const keys = useMemo(
    () =>
      model.series.map(
        (_, index) => (row: Row) => (typeof row.values[index] === 'number' ? row.values[index] : null),
      ),
    [model.series],
  );
  const scale = radialScale(model, width < PHONE ? 3 : 4);
  const [from, to] = scale.domain;
  const widest = Math.min(
    width < PHONE ? 84 : 160,
    Math.max(...data.map(({ label }) => look.measure(label))),
  );
  const layout = roundLayout(legendNames(model), width, look, { height: 360, side: widest + 20, above: 26 });
  const { cx, cy, radius } = layout;
  const every = Math.ceil(data.length / MOST_NAMES);
  const spoke = (index: number) => 90 - (index * 360) / data.length;
  return (
    <RadarChart
      width={width}
      height={layout.height}
      data={data}
      cx={cx}
      cy={cy}
      outerRadius={radius}
      aria-label={summary}
    >
      {look.gridlines && <PolarGrid stroke={look.tokens.grid} radialLines={data.length <= MOST_NAMES} />}
      <PolarAngleAxis dataKey="index" tick={false} axisLine={{ stroke: look.tokens.axis }} />
      <PolarRadiusAxis domain={[from, to]} ticks={[...scale.ticks]} tick={false} axisLine={false} />
      <Tooltip
        active={model.tooltips ? undefined : false}
        isAnimationActive={false}
        cursor={{ stroke: look.tokens.axis }}
        content={({ payload }) => {
          const row = payload[0]?.payload as Row | undefined;
          return row ? <TooltipBox head={row.label} lines={rowLines(model, row.values, colors)} /> : null;
        }}
      />
      {model.series.map((series, index) => {
        const fill = colors[index] ?? look.tokens.text3;
        return (
          <Radar
            // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
            key={index}
            name={series.name}
            dataKey={keys[index]}
            fill={fill}
            fillOpacity={model.series.length > 2 ? 0.1 : 0.2}
            stroke={edgeColor(fill, look.tokens.surface)}
            strokeWidth={2}
            strokeDasharray={dashOf(index, model.series.length)}
            dot={
              data.length <= MOST_NAMES
                ? { r: 2.5, fillOpacity: 1, strokeWidth: 0, fill: edgeColor(fill, look.tokens.surface) }
                : false
            }
            connectNulls
            isAnimationActive={animate ? 'auto' : false}
            animationDuration={ANIMATION_MS}
            onAnimationEnd={index === 0 ? onDrawn : undefined}
          />
        );
      })}
      <g>
        {data.map(({ label, index }) => {
          if (index % every !== 0 || index + every > data.length) return null;
          const { x, y } = onCircle(cx, cy, radius + 12, spoke(index));
          const side = Math.abs(x - cx) < 6 ? 'middle' : x > cx ? 'start' : 'end';
          return (
            <text
              key={index}
              x={x}
              y={y + ((y - cy) / Math.max(1, radius)) * 6 + 4}
              textAnchor={side}
              fontSize={TICK_SIZE}
              fill={look.tokens.text2}
            >
              {shorten(label, side === 'middle' ? width / 2 : widest + 4, look.measure)}
            </text>
          );
        })}
      </g>
      <RingLabels
        scale={scale}
        text={ringText(model, scale)}
        layout={layout}
        angle={90 - 180 / data.length}
        reach={Math.cos(Math.PI / data.length)}
        look={look}
      />
      <ChartLegend entries={layout.legend.entries} colors={colors} look={look} mark={() => 'box'} />
    </RadarChart>
  );
}
