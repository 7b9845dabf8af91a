import { figureText, shortFigure } from 'lib/chart-format';
import { radialScale } from 'lib/chart-scale';
import { namesSlices, type Slice } from 'lib/chart-slices';
import { edgeColor } from 'lib/colors';
import { useMemo } from 'react';
import { Pie, PieChart, type PieSectorShapeProps, Sector, Tooltip } from 'recharts';
import { ChartLegend } from './chart-parts';
import { TooltipBox } from './chart-tooltip';
import { ANIMATION_MS, type DrawingProps, PHONE } from './drawing';
import {
  InSectors,
  LEGEND_MOST,
  OutsideNames,
  RingLabels,
  ringText,
  roundLayout,
  spokesOf,
  unitOf,
} from './radial-parts';

type Share = Slice & { readonly share: 1 };

/** Equal angles, radius by value: recharts has no such chart, so equal slices are drawn as far out as their value says. */
export function PolarAreaDrawing({ model, width, look, rowColors, animate, onDrawn, summary }: DrawingProps) {
  const data = useMemo(
    () =>
      model.rows.map(({ label, values }, row): Share => {
        const value = values[0];
        return { label, value: typeof value === 'number' ? value : 0, row, share: 1 };
      }),
    [model.rows],
  );
  const scale = radialScale(model);
  const [from, to] = scale.domain;
  const phone = width < PHONE;
  const outside = !phone && data.length > LEGEND_MOST && data.length <= 24;
  const named = phone && data.length > LEGEND_MOST && namesSlices(model);
  const names =
    outside || !namesSlices(model)
      ? []
      : data.map(({ label, value }) => `${label} ${shortFigure(value, unitOf(model))}`);
  const layout = roundLayout(names, width, look, { height: 360, side: outside ? 180 : 24, above: 12 });
  const { cx, cy, radius } = layout;
  const reachOf = (value: number) => (radius * Math.max(0, Math.min(to, value) - from)) / (to - from);
  return (
    <PieChart width={width} height={layout.height} aria-label={summary}>
      {look.gridlines && (
        <g>
          {scale.ticks.slice(1).map((tick) => (
            <circle
              key={tick}
              cx={cx}
              cy={cy}
              r={(radius * (tick - from)) / (to - from)}
              fill="none"
              stroke={look.tokens.grid}
            />
          ))}
        </g>
      )}
      <circle
        cx={cx}
        cy={cy}
        r={radius}
        fill="none"
        stroke={look.tokens.axis}
        strokeOpacity={look.gridlines ? 0.5 : 1}
      />
      <Pie
        data={data}
        dataKey="share"
        nameKey="label"
        cx={cx}
        cy={cy}
        outerRadius={radius}
        startAngle={90}
        endAngle={-270}
        isAnimationActive={animate ? 'auto' : false}
        animationDuration={ANIMATION_MS}
        onAnimationEnd={onDrawn}
        shape={(sector: PieSectorShapeProps) => {
          const fill = rowColors[sector.index] ?? look.tokens.text3;
          const value = data[sector.index]?.value ?? from;
          const { startAngle, endAngle } = sector;
          return (
            <Sector
              cx={cx}
              cy={cy}
              innerRadius={0}
              outerRadius={reachOf(value)}
              startAngle={startAngle}
              endAngle={endAngle}
              fill={fill}
              stroke={edgeColor(fill, look.tokens.surface)}
              strokeWidth={1}
            />
          );
        }}
      />
      <Tooltip
        active={model.tooltips ? undefined : false}
        isAnimationActive={false}
        content={({ payload }) => {
          const slice = payload[0]?.payload as Share | undefined;
          if (slice === undefined) return null;
          const line = {
            name: model.series[0]?.name || 'Value',
            figure: figureText(slice.value, unitOf(model)),
            color: rowColors[slice.row] ?? 'currentColor',
          };
          return <TooltipBox head={slice.label} lines={[line]} />;
        }}
      />
      <RingLabels scale={scale} text={ringText(model, scale)} layout={layout} angle={90} look={look} />
      {named && (
        <InSectors
          spokes={spokesOf(data, ({ label }) => label, true)}
          places={data.map(({ value }) => placeIn(reachOf(value), data.length))}
          colors={rowColors}
          layout={layout}
          look={look}
        />
      )}
      {outside && (
        <OutsideNames
          spokes={spokesOf(data, ({ value }) => shortFigure(value, unitOf(model)), true)}
          layout={layout}
          width={width}
          look={look}
        />
      )}
      <ChartLegend entries={layout.legend.entries} colors={rowColors} look={look} mark={() => 'box'} />
    </PieChart>
  );
}

/** Where the name of one of `count` sectors stands, and how wide it may be. */
function placeIn(reach: number, count: number) {
  const radius = reach * 0.72;
  return { radius, across: Math.min(reach, ((Math.PI * 2) / count) * radius) };
}
