import { contrast } from 'lib/colors';
import type { Look } from './drawing';

export const MOST_LABELS = 12; // bars; more would be a table
const GAP = 5;
const LINE = 11; // px that digits of 12 px are high, with their signs
const ON_LIGHT = '#211622';
const ON_DARK = '#FFFFFF';

interface Props {
  text: string;
  bar: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  negative: boolean;
  horizontal: boolean;
  fill: string;
  look: Look;
  /** Between where labels may stand, along the bars. */
  room: readonly [number, number];
  /** Width of a bar's own place, across the bars. */
  band: number;
}

/** The figure at a bar's end: beyond it where there is room, else inside it, else nowhere. */
export function BarLabel({ text, bar, negative, horizontal, fill, look, room, band }: Props) {
  const wide = look.measure(text);
  const [along, across] = horizontal ? [wide, LINE] : [LINE, wide];
  if (band < across + 3) return null;
  // Lying bars grow to the right, standing ones upwards, negative ones the other way.
  const way = horizontal === negative ? -1 : 1;
  const tip = horizontal ? bar.x + (negative ? 0 : bar.width) : bar.y + (negative ? bar.height : 0);
  const beyond = tip + way * (GAP + along);
  const outside = beyond >= room[0] && beyond <= room[1];
  if (!outside && (horizontal ? bar.width : bar.height) < along + 2 * GAP) return null;
  const start = outside ? tip + way * GAP : tip - way * GAP; // the label's end that is nearer to the tip
  const onward = outside ? way : -way; // to where it goes on from there
  const ink = contrast(fill, ON_LIGHT) >= contrast(fill, ON_DARK) ? ON_LIGHT : ON_DARK;
  const place = horizontal
    ? {
        x: start,
        y: bar.y + bar.height / 2 + LINE / 2 - 1,
        textAnchor: onward > 0 ? ('start' as const) : ('end' as const),
      }
    : {
        x: bar.x + bar.width / 2,
        y: onward > 0 ? start + LINE - 1 : start,
        textAnchor: 'middle' as const,
      };
  return (
    <text {...place} fill={outside ? look.tokens.text2 : ink} fontSize={12} fontFamily={look.tokens.font}>
      {text}
    </text>
  );
}
