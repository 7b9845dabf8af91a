/**
 * The arithmetic of data colours: spreading a palette over n series, and moving a colour until it can be seen or read
 * on a surface. Colours are hex text in and out, so that a downloaded picture carries them too. No tokens here.
 */
import { color as parse, rgb } from 'd3-color';
import { interpolateLab, piecewise } from 'd3-interpolate';

export const DEFAULT_PALETTE: readonly string[] = ['#F75D2C', '#BE58EA', '#EC8AB8']; // SPEC §9

/** Upper-case #RRGGBB of any CSS colour, or null where the text is none. Transparency is dropped. */
export function toHex(text: string): string | null {
  const parsed = parse(text.trim());
  if (parsed === null) return null;
  const { r, g, b } = parsed.rgb();
  if (![r, g, b].every(Number.isFinite)) return null;
  return rgb(r, g, b).formatHex().toUpperCase();
}

/** The palette's stops interpolated in Lab to n colours: one gives the first stop, two the first and the last. */
export function spreadPalette(n: number, stops: readonly string[] = DEFAULT_PALETTE): string[] {
  const valid = stops.map(toHex).filter((stop) => stop !== null);
  const from = valid.length > 0 ? valid : DEFAULT_PALETTE;
  const first = from[0] ?? '#F75D2C';
  if (n <= 0) return [];
  if (n === 1 || from.length === 1) return Array.from({ length: n }, () => first);
  const at = piecewise(interpolateLab, [...from]);
  return Array.from({ length: n }, (_, index) => toHex(at(index / (n - 1))) ?? first);
}

/** Relative luminance by WCAG 2.2, 0 (black) to 1 (white). */
export function luminance(hex: string): number {
  const { r, g, b } = rgb(hex);
  const [red, green, blue] = [r, g, b].map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The colour itself where it has the ratio against the surface, else darkened (on light) or lightened (on dark) to it. */
export function reachContrast(color: string, surface: string, ratio: number): string {
  const key = `${color}|${surface}|${ratio}`;
  const known = reached.get(key);
  if (known !== undefined) return known;
  const found = seekContrast(color, surface, ratio);
  if (reached.size > 2_000) reached.clear();
  reached.set(key, found);
  return found;
}

// A drawing asks for the same few edges for every mark in every frame of its animation.
const reached = new Map<string, string>();

function seekContrast(color: string, surface: string, ratio: number): string {
  const start = toHex(color) ?? '#808080';
  if (contrast(start, surface) >= ratio) return start;
  const end = contrast('#000000', surface) >= contrast('#FFFFFF', surface) ? '#000000' : '#FFFFFF';
  const between = interpolateLab(start, end);
  let [near, far] = [0, 1];
  for (let step = 0; step < 12; step += 1) {
    const middle = (near + far) / 2;
    if (contrast(toHex(between(middle)) ?? end, surface) >= ratio) far = middle;
    else near = middle;
  }
  return toHex(between(far)) ?? end;
}

/** The 1 px edge of a filled mark: the fill moved until it stands 3:1 against the surface. */
export const edgeColor = (fill: string, surface: string): string => reachContrast(fill, surface, 3);

/** A palette colour as text: moved until it reads 4.5:1 against the surface. */
export const textColor = (color: string, surface: string): string => reachContrast(color, surface, 4.5);

/** A hex field's text on blur: three or six digits with a leading # stay, anything else becomes #000000 (SPEC §5). */
export function hexOrBlack(text: string): string {
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text) ? text : '#000000';
}
