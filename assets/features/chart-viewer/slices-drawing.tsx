import { figureText, shortFigure } from 'lib/chart-format';
import type { Measure } from 'lib/chart-layout';
import { namesSlices, type Slice, slicesOf } from 'lib/chart-slices';
import { contrast, edgeColor } from 'lib/colors';
import { useMemo } from 'react';
import { Pie, PieChart, type PieSectorShapeProps, Sector, Tooltip, ZIndexLayer } from 'recharts';
import { ChartLegend } from './chart-parts';
import { TooltipBox } from './chart-tooltip';
import { ANIMATION_MS, type DrawingProps, PHONE } from './drawing';
import { OutsideNames, onCircle, roundLayout, shareText, spokesOf, unitOf } from './radial-parts';

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 }; // names and total stand around the layout's centre
const BOLDER = 1.1; // text of weight 600 against the measured one
const LEGEND_MOST = 5; // beyond that the shades come too close: names stand beside the slices where there is room

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
        paddingAngle={slices.filter(({ value }) => value > 0).length > 1 ? 0.8 : 0}
        isAnimationActive={animate ? 'auto' : false}
        animationDuration={ANIMATION_MS}
        onAnimationEnd={onDrawn}
        shape={(sector: PieSectorShapeProps) => {
          const fill = colors[sector.index] ?? look.tokens.text3;
          const { cx: x, cy: y, innerRadius, outerRadius, startAngle, endAngle } = sector;
          const box = { cx: x, cy: y, innerRadius, outerRadius, startAngle, endAngle };
          return (
            <Sector {...box} fill={fill} stroke={edgeColor(fill, look.tokens.surface)} strokeWidth={1} />
          );
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
        <InSlices
          slices={slices}
          text={named ? ({ label }) => label : shareOf}
          measure={look.measure}
          colors={colors}
          total={total}
          cx={cx}
          cy={cy}
          inner={inner}
          radius={radius}
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

interface InSlicesProps {
  slices: readonly Slice[];
  text: (slice: Slice) => string;
  measure: Measure;
  colors: readonly string[];
  total: number;
  cx: number;
  cy: number;
  inner: number;
  radius: number;
}

/** A text in every slice that is wide enough, in the ink that reads on it. */
function InSlices({ slices, text, measure, colors, total, cx, cy, inner, radius }: InSlicesProps) {
  const spokes = spokesOf(slices, text);
  const middle = inner > 0 ? (inner + radius) / 2 : radius * 0.66;
  return (
    <ZIndexLayer zIndex={1500}>
      <g pointerEvents="none">
        {spokes.map((spoke, index) => {
          const share = (slices[index]?.value ?? 0) / (total || 1);
          const across = Math.min(radius - inner, share * Math.PI * 2 * middle);
          if (across < measure(spoke.detail) * BOLDER + 8) return null;
          const fill = colors[index] ?? '#000000';
          const { x, y } = onCircle(cx, cy, share === 1 && inner === 0 ? 0 : middle, spoke.angle);
          const ink = contrast('#211622', fill) >= contrast('#FFFFFF', fill) ? '#211622' : '#FFFFFF';
          return (
            <text
              key={spoke.angle}
              x={x}
              y={y + 4}
              textAnchor="middle"
              fontSize={12}
              fontWeight={600}
              fill={ink}
            >
              {spoke.detail}
            </text>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}
