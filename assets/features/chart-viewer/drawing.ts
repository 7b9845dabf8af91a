/** What every drawing of a chart gets. Drawings are pure in these: same values, same picture. */
import type { Measure } from 'lib/chart-layout';
import type { ChartModel } from 'lib/chart-model';
import type { TextFormat } from 'lib/chart-preferences';
import { textColor } from 'lib/colors';
import type { Tokens } from './use-tokens';

/** SVG text attributes; written as attributes, not classes, so that a downloaded picture carries them. */
export interface TextLook {
  readonly fill: string;
  readonly fontSize: number;
  readonly fontWeight: number;
  readonly fontStyle: 'italic' | 'normal';
  readonly textDecoration: 'underline' | 'none';
}

export interface Look {
  readonly tokens: Tokens;
  readonly gridlines: boolean;
  readonly x: TextLook;
  readonly y: TextLook;
  /** Width of a text at 12 px, the size of ticks, legend and labels. */
  readonly measure: Measure;
}

export interface DrawingProps {
  readonly model: ChartModel;
  readonly width: number;
  readonly look: Look;
  /** One a series. */
  readonly colors: readonly string[];
  /** One a row, for slices. */
  readonly rowColors: readonly string[];
  /** True until the chart was drawn once. */
  readonly animate: boolean;
  readonly onDrawn: () => void;
  readonly summary: string;
}

export const PHONE = 520; // px of drawing width under which a chart is laid out for a phone
export const ANIMATION_MS = 700; // SPEC §9
export const STILL_FROM = 200; // marks beyond which a chart is drawn at once: frames would take longer than they last
export const TICK_SIZE = 12;

/** A title's look: the reader's formatting first, then the file's wish, then the theme's. */
export function textLook(
  format: TextFormat,
  size: number,
  weight: number | null,
  colors: { readonly palette: string | undefined; readonly file: string | null; readonly standard: string },
  surface: string,
): TextLook {
  const wished = format.colors ? (colors.palette ?? null) : colors.file;
  return {
    fill: wished === null ? colors.standard : textColor(wished, surface),
    fontSize: size,
    fontWeight: weight ?? (format.bold ? 700 : 400),
    fontStyle: format.italicize ? 'italic' : 'normal',
    textDecoration: format.underline ? 'underline' : 'none',
  };
}

/** Colour is never the only carrier: from the fourth series on a point has a shape of its own. */
const SHAPES = ['square', 'triangle', 'diamond', 'cross', 'star', 'wye'] as const;
export type MarkShape = 'circle' | (typeof SHAPES)[number];
export const shapeOf = (series: number): MarkShape =>
  series < 3 ? 'circle' : (SHAPES[(series - 3) % SHAPES.length] ?? 'square');

/** Three lines are told apart by colour; of more than three each but the first has a dash and points of its own shape. */
const DASHES = ['6 4', '2 3', '9 3 2 3', '12 4', '4 2 1 2'];
const isMany = (count: number) => count > 3;
export const dashOf = (series: number, count: number): string | undefined =>
  series === 0 || !isMany(count) ? undefined : DASHES[(series - 1) % DASHES.length];

const POINTS = ['circle', ...SHAPES] as const;
export const pointOf = (series: number, count: number): MarkShape =>
  isMany(count) ? (POINTS[series % POINTS.length] ?? 'circle') : 'circle';

/** Area of a line's point. */
export const POINT_SIZE = 36;

/** Width of a line's mark in the legend: long enough for its dash. */
export const LINE_MARK = 28;
