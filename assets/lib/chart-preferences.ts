/** How a member wishes charts to look (SPEC §3, user preferences): the part of the preferences that a drawing needs. */
import { DEFAULT_PALETTE } from './colors';

export interface TextFormat {
  readonly bold: boolean;
  readonly underline: boolean;
  readonly italicize: boolean;
  /** True where the text takes its palette colour. */
  readonly colors: boolean;
}

export interface ChartPreferences {
  readonly chart_formatting: {
    readonly title: TextFormat;
    readonly x_axis: TextFormat;
    readonly y_axis: TextFormat;
    readonly gridlines: { readonly enabled: boolean };
  };
  /** Primary, secondary and tertiary colour as hex. */
  readonly colors: readonly string[];
}

const PLAIN: TextFormat = { bold: false, underline: false, italicize: false, colors: false };

export const DEFAULT_CHART_PREFERENCES: ChartPreferences = {
  chart_formatting: {
    title: { ...PLAIN, bold: true }, // SPEC §9
    x_axis: PLAIN,
    y_axis: PLAIN,
    gridlines: { enabled: true },
  },
  colors: DEFAULT_PALETTE,
};
