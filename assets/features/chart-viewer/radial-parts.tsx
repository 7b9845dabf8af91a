/** SVG parts of the round charts: rings, their labels, slice names. */
import { isCurrency, tickText } from 'lib/chart-format';
import { legendLayout, shorten, spreadApart } from 'lib/chart-layout';
import type { ChartModel } from 'lib/chart-model';
import type { Scale } from 'lib/chart-scale';
import type { Slice } from 'lib/chart-slices';
import { contrast } from 'lib/colors';
import { ZIndexLayer } from 'recharts';
import { LEGEND_ROW } from './cartesian-layout';
import { type Look, PHONE, TICK_SIZE } from './drawing';

export interface RoundLayout {
  readonly height: number;
  readonly cx: number;
  readonly cy: number;
  readonly radius: number;
  readonly legend: ReturnType<typeof legendLayout>;
}

/** Centre and radius in what legend and labels leave free. `side` and `above` is the room that labels need around. */
export function roundLayout(
  names: readonly string[],
  width: number,
  look: Look,
  room: { height: number; side: number; above: number },
): RoundLayout {
  const legend = legendLayout(names, width - 16, look.measure, { mostRows: width < PHONE ? 4 : 3 });
  const top = legend.rows * LEGEND_ROW + 8;
  const height =
    (width < PHONE ? Math.min(room.height, 300) : room.height) + Math.max(0, legend.rows - 1) * LEGEND_ROW;
  const free = height - top - 8;
  return {
    height,
    cx: Math.round(width / 2),
    cy: Math.round(top + free / 2),
    radius: Math.max(20, Math.floor(Math.min(free / 2 - room.above, width / 2 - room.side))),
    legend,
  };
}

const ABOVE_MARKS = 1500; // of recharts' layers

const radians = (degrees: number) => (degrees * Math.PI) / 180;

export const onCircle = (cx: number, cy: number, radius: number, degrees: number) => ({
  x: cx + radius * Math.cos(radians(degrees)),
  y: cy - radius * Math.sin(radians(degrees)),
});

interface RingLabelProps {
  scale: Scale;
  text: (value: number) => string;
  layout: RoundLayout;
  /** Direction of the labels in degrees, counter-clockwise from the right. */
  angle: number;
  /** How far out the ring lies there: less than 1 between the corners of a polygon. */
  reach?: number;
  look: Look;
}

/** The scale's figures on the rings, above the marks and rimmed with the surface so that they can be read there. */
export function RingLabels({ scale, text, layout, angle, reach = 1, look }: RingLabelProps) {
  const [from, to] = scale.domain;
  return (
    <ZIndexLayer zIndex={ABOVE_MARKS}>
      <g>
        {scale.ticks.slice(1).map((tick) => {
          const { x, y } = onCircle(
            layout.cx,
            layout.cy,
            (layout.radius * reach * (tick - from)) / (to - from || 1),
            angle,
          );
          return (
            <text
              key={tick}
              x={x}
              y={y + 4}
              textAnchor="middle"
              fontSize={TICK_SIZE}
              fill={look.tokens.text}
              stroke={look.tokens.surface}
              strokeWidth={4}
              strokeLinejoin="round"
              paintOrder="stroke"
            >
              {text(tick)}
            </text>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}

export interface Spoke {
  readonly label: string;
  readonly detail: string;
  /** Middle of the slice in degrees, counter-clockwise from the right. */
  readonly angle: number;
}

/** The middles of slices that start at the top and run clockwise. */
export function spokesOf(slices: readonly Slice[], detail: (slice: Slice) => string, equal = false): Spoke[] {
  const total = slices.reduce((sum, { value }) => sum + (equal ? 1 : value), 0) || 1;
  let start = 0;
  return slices.map((slice) => {
    const share = (equal ? 1 : slice.value) / total;
    const angle = 90 - (start + share / 2) * 360;
    start += share;
    return { label: slice.label, detail: detail(slice), angle };
  });
}

/** Slices beyond which the shades of their legend come too close: names stand beside them, or in them on a phone. */
export const LEGEND_MOST = 5;
const BOLDER = 1.1; // text of weight 600 against the measured one
const INKS = ['#211622', '#FFFFFF'] as const;

interface InProps {
  spokes: readonly Spoke[];
  /** How far out a sector's text stands, and how wide it may be there. */
  places: readonly { readonly radius: number; readonly across: number }[];
  colors: readonly string[];
  layout: RoundLayout;
  look: Look;
}

/** A text in every sector that is wide enough, in the ink that reads on it. */
export function InSectors({ spokes, places, colors, layout, look }: InProps) {
  return (
    <ZIndexLayer zIndex={ABOVE_MARKS}>
      <g pointerEvents="none">
        {spokes.map(({ detail, angle }, index) => {
          const { radius = 0, across = 0 } = places[index] ?? {};
          if (across < look.measure(detail) * BOLDER + 8) return null;
          const fill = colors[index] ?? INKS[0];
          const { x, y } = onCircle(layout.cx, layout.cy, radius, angle);
          return (
            <text
              key={angle}
              x={x}
              y={y + 4}
              textAnchor="middle"
              fontSize={12}
              fontWeight={600}
              fill={contrast(INKS[0], fill) >= contrast(INKS[1], fill) ? INKS[0] : INKS[1]}
            >
              {detail}
            </text>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}

const BEND = 12; // px beyond the rim at which the line to a name bends

interface OutsideProps {
  spokes: readonly Spoke[];
  layout: RoundLayout;
  width: number;
  look: Look;
}

/** Names beside their slices with a line to each, kept apart on either side. */
export function OutsideNames({ spokes, layout, width, look }: OutsideProps) {
  const { cx, cy, radius } = layout;
  const sides = [true, false].map((right) =>
    spokes.filter(({ angle }) => Math.cos(radians(angle)) >= 0 === right),
  );
  return (
    <g>
      {sides.map((side, index) => {
        const right = index === 0;
        const wanted = side.map(({ angle }) => onCircle(cx, cy, radius + BEND, angle).y);
        const heights = spreadApart(wanted, 17, 12, layout.height - 12);
        return side.map((spoke, place) => {
          const y = heights[place] ?? 0;
          const from = onCircle(cx, cy, radius + 2, spoke.angle);
          const bend = onCircle(cx, cy, radius + BEND, spoke.angle);
          const x = right ? cx + radius + 26 : cx - radius - 26;
          const room = (right ? width - x : x) - 12 - look.measure(spoke.detail) - 6;
          return (
            <g key={`${spoke.label}:${spoke.angle}`}>
              <path
                d={`M${from.x},${from.y}L${bend.x},${bend.y}L${right ? x - 4 : x + 4},${y}`}
                fill="none"
                stroke={look.tokens.axis}
              />
              <text
                x={x}
                y={y + 4}
                textAnchor={right ? 'start' : 'end'}
                fontSize={TICK_SIZE}
                fill={look.tokens.text2}
              >
                {shorten(spoke.label, Math.max(24, room), look.measure)}
                <tspan dx={6} fill={look.tokens.text} fontWeight={600}>
                  {spoke.detail}
                </tspan>
              </text>
            </g>
          );
        });
      })}
    </g>
  );
}

/** Share of a whole as text: "12%", "0.4%". */
export function shareText(value: number, total: number): string {
  const share = total > 0 ? (value / total) * 100 : 0;
  return `${share >= 10 || share === 0 ? Math.round(share) : share.toFixed(1).replace(/\.0$/, '')}%`;
}

export const unitOf = (model: ChartModel): string | null => model.series[0]?.unit ?? null;

/** The words of a scale's figures, with the unit that all series share. */
export function ringText(model: ChartModel, { ticks, domain }: Scale): (value: number) => string {
  const [unit = null, other] = new Set(model.series.map((one) => one.unit));
  const step = (ticks[1] ?? domain[1]) - (ticks[0] ?? domain[0]);
  const last = ticks.at(-1);
  return (value) => {
    const short = isCurrency(unit) || unit === '%' || value === last;
    return tickText(value, step, undefined, other === undefined && short ? unit : null);
  };
}
