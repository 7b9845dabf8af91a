import type { Point } from 'lib/chart-model';
import { edgeColor } from 'lib/colors';
import { useMemo } from 'react';
import {
  Scatter,
  ScatterChart,
  type ScatterShapeProps,
  Symbols,
  Tooltip,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import { cartesianAxes } from './cartesian-axes';
import { axisTitle, cartesianLayout, isCut } from './cartesian-layout';
import { AxisTitles, ChartLegend } from './chart-parts';
import { TooltipBox, valueText } from './chart-tooltip';
import { ANIMATION_MS, type DrawingProps, type Look, STILL_FROM, shapeOf } from './drawing';

interface Place {
  readonly at: number;
  readonly value: number;
  readonly point: Point;
}

const DENSE_FROM = 1_500; // points beyond which no single one can be pointed at; the table has them all

export function ScatterDrawing({ model, width, look, colors, animate, onDrawn, summary }: DrawingProps) {
  const layout = useMemo(
    () => cartesianLayout({ model, type: 'scatter', width, measure: look.measure }),
    [model, width, look.measure],
  );
  const groups = useMemo(() => {
    const found = model.series.map((): Place[] => []);
    for (const point of model.points) found[point.series]?.push({ at: point.at, value: point.value, point });
    return found;
  }, [model]);
  const dense = model.points.length > DENSE_FROM;
  const size = model.points.length > 600 ? 16 : model.points.length > 150 ? 34 : 56;
  const [grid, x, y, nought] = cartesianAxes({
    cut: isCut(model),
    layout,
    horizontal: model.horizontal,
    look,
    field: 'at',
    points: true,
  });
  const margin = layout.margin;
  return (
    <ScatterChart width={width} height={layout.height} margin={margin} aria-label={summary}>
      {grid}
      {x && typeof x === 'object' && <XAxis {...x.props} dataKey={model.horizontal ? 'value' : 'at'} />}
      {y && typeof y === 'object' && <YAxis {...y.props} dataKey={model.horizontal ? 'at' : 'value'} />}
      {nought}
      <Tooltip
        active={model.tooltips ? undefined : false}
        isAnimationActive={false}
        cursor={{ stroke: look.tokens.axis, strokeDasharray: '3 3' }}
        content={({ payload }) => {
          const place = payload[0]?.payload as Place | undefined;
          if (place === undefined) return null;
          const { point } = place;
          const series = model.series[point.series];
          const line = {
            name: series?.name || 'Value',
            figure: valueText(point.value, series?.unit ?? null),
            color: colors[point.series] ?? 'currentColor',
          };
          return <TooltipBox head={point.label} lines={[line]} />;
        }}
      />
      {model.series.map((series, index) => {
        const fill = colors[index] ?? look.tokens.text3;
        const edge = edgeColor(fill, look.tokens.surface);
        return (
          <Scatter
            // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
            key={index}
            name={series.name}
            data={dense ? groups[index]?.slice(0, 1) : groups[index]}
            isAnimationActive={animate && model.points.length <= STILL_FROM ? 'auto' : false}
            animationDuration={ANIMATION_MS}
            onAnimationEnd={index === 0 ? onDrawn : undefined}
            shape={({ cx, cy }: ScatterShapeProps) =>
              // Thousands of circles are drawn far sooner as circles than as paths.
              dense ? (
                <g />
              ) : shapeOf(index) === 'circle' ? (
                <circle
                  cx={cx}
                  cy={cy}
                  r={Math.sqrt(size / Math.PI)}
                  fill={fill}
                  fillOpacity={0.85}
                  stroke={edge}
                />
              ) : (
                <Symbols
                  cx={cx}
                  cy={cy}
                  size={size}
                  type={shapeOf(index)}
                  fill={fill}
                  fillOpacity={0.85}
                  stroke={edge}
                />
              )
            }
          />
        );
      })}
      {dense && <DensePoints groups={groups} colors={colors} look={look} horizontal={model.horizontal} />}
      <ChartLegend entries={layout.legend.entries} colors={colors} look={look} mark={shapeOf} />
      <AxisTitles
        x={axisTitle(model, 'x')}
        y={axisTitle(model, 'y')}
        width={width}
        height={layout.height}
        look={look}
      />
    </ScatterChart>
  );
}

interface DenseProps {
  groups: readonly (readonly Place[])[];
  colors: readonly string[];
  look: Look;
  horizontal: boolean;
}

/** Thousands of points as one path a series: drawn one by one they would hold the page up for seconds. */
function DensePoints({ groups, colors, look, horizontal }: DenseProps) {
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (!x || !y) return null;
  return (
    <g>
      {groups.map((places, index) => {
        const fill = colors[index] ?? look.tokens.text3;
        const circles = places.map(({ at, value }) => {
          const [across, up] = horizontal ? [value, at] : [at, value];
          return `M${((x(across) ?? 0) - 2).toFixed(1)},${(y(up) ?? 0).toFixed(1)}a2,2 0 1,0 4,0a2,2 0 1,0 -4,0`;
        });
        return (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
            key={index}
            d={circles.join('')}
            fill={fill}
            fillOpacity={0.6}
            stroke={edgeColor(fill, look.tokens.surface)}
            strokeWidth={0.5}
          />
        );
      })}
    </g>
  );
}
