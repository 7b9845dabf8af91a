import { figureText, shortFigure } from 'lib/chart-format';
import { namesSlices, type Slice, slicesOf } from 'lib/chart-slices';
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
  onCircle,
  roundLayout,
  shareText,
  spokesOf,
  unitOf,
} from './radial-parts';

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 }; // names and total stand around the layout's centre
const GAP = 1.5; // px between two slices

/** Pie, and with a hole and the total in it, doughnut. */
export function SlicesDrawing(props: DrawingProps & { hole: boolean }) {
  const { model, width, look, rowColors, animate, onDrawn, summary, hole } = props;
  const phone = width < PHONE;
  const slices = useMemo(() => slicesOf(model, phone ? 8 : 12), [model, phone]);
  const colors = slices.map((slice) =>
    slice.row < 0 ? look.tokens.text3 : (rowColors[slice.row] ?? look.tokens.text3),
  );
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const outside = !phone && slices.length > LEGEND_MOST;
  // On a phone the legend has the shares, and a slice that is wide enough its name: shades alone are too close.
  const named = phone && slices.length > LEGEND_MOST && namesSlices(model);
  const shareOf = ({ value }: Slice) => shareText(value, total);
  const names =
    outside || !namesSlices(model)
      ? []
      : slices.map((slice) => (named ? `${slice.label} ${shareOf(slice)}` : slice.label));
  const layout = roundLayout(names, width, look, {
    height: 320,
    side: outside ? 190 : 24,
    above: outside ? 14 : 4,
  });
  const { cx, cy, radius } = layout;
  const inner = hole ? Math.round(radius * 0.58) : 0;
  const data = useMemo(() => [...slices], [slices]);
  const apart = slices.filter(({ value }) => value > 0).length > 1;
  return (
    <PieChart width={width} height={layout.height} margin={NO_MARGIN} aria-label={summary}>
      <Pie
        data={data}
        dataKey="value"
        nameKey="label"
        cx={cx}
        cy={cy}
        innerRadius={inner}
        outerRadius={radius}
        startAngle={90}
        endAngle={-270}
        isAnimationActive={animate ? 'auto' : false}
        animationDuration={ANIMATION_MS}
        onAnimationEnd={onDrawn}
        shape={(sector: PieSectorShapeProps) => {
          const fill = colors[sector.index] ?? look.tokens.text3;
          return <SliceMark sector={sector} fill={fill} apart={apart} surface={look.tokens.surface} />;
        }}
      />
      <Tooltip
        active={model.tooltips ? undefined : false}
        isAnimationActive={false}
        content={({ payload }) => {
          const slice = payload[0]?.payload as Slice | undefined;
          if (slice === undefined) return null;
          const color = colors[slices.findIndex(({ row }) => row === slice.row)] ?? 'currentColor';
          const name = model.series[0]?.name || 'Value';
          return (
            <TooltipBox
              head={slice.label}
              lines={[
                { name, figure: figureText(slice.value, unitOf(model)), color },
                { name: 'Share', figure: shareText(slice.value, total), color: 'transparent' },
              ]}
            />
          );
        }}
      />
      {outside ? (
        <OutsideNames
          spokes={spokesOf(slices, shareOf).filter((_, index) => (slices[index]?.value ?? 0) > 0)}
          layout={layout}
          width={width}
          look={look}
        />
      ) : (
        <InSectors
          spokes={spokesOf(slices, named ? ({ label }) => label : shareOf)}
          places={slices.map(({ value }) => placeIn(value / (total || 1), inner, radius))}
          colors={colors}
          layout={layout}
          look={look}
        />
      )}
      {hole && (
        <g>
          <text x={cx} y={cy - 2} textAnchor="middle" fontSize={20} fontWeight={600} fill={look.tokens.text}>
            {shortFigure(total, unitOf(model))}
          </text>
          <text x={cx} y={cy + 16} textAnchor="middle" fontSize={12} fill={look.tokens.text2}>
            Total
          </text>
        </g>
      )}
      <ChartLegend entries={layout.legend.entries} colors={colors} look={look} mark={() => 'box'} />
    </PieChart>
  );
}

/** Where the text of a slice stands, and how wide it may be. */
function placeIn(share: number, inner: number, radius: number) {
  const middle = inner > 0 ? (inner + radius) / 2 : radius * 0.66;
  const across = Math.min(radius - inner, share * Math.PI * 2 * middle);
  return { radius: share === 1 && inner === 0 ? 0 : middle, across };
}

interface SliceProps {
  sector: PieSectorShapeProps;
  fill: string;
  /** True where there are slices beside it: a line of the surface parts them, as wide at the middle as at the rim. */
  apart: boolean;
  surface: string;
}

/** A slice with its edge along the rims. */
function SliceMark({ sector, fill, apart, surface }: SliceProps) {
  const { cx, cy, innerRadius, outerRadius, startAngle, endAngle } = sector;
  if (startAngle === endAngle) return <g />;
  const box = { cx, cy, startAngle, endAngle };
  const edge = edgeColor(fill, surface);
  return (
    <g>
      <Sector {...box} innerRadius={innerRadius} outerRadius={outerRadius} fill={fill} />
      <Sector {...box} innerRadius={outerRadius - 1} outerRadius={outerRadius} fill={edge} />
      {innerRadius > 0 && (
        <Sector {...box} innerRadius={innerRadius} outerRadius={innerRadius + 1} fill={edge} />
      )}
      {apart &&
        [startAngle, endAngle].map((angle) => {
          const from = onCircle(cx, cy, innerRadius, angle);
          const to = onCircle(cx, cy, outerRadius, angle);
          return (
            <line
              key={angle}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
              stroke={surface}
              strokeWidth={GAP}
            />
          );
        })}
    </g>
  );
}
