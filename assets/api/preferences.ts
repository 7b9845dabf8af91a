/** `user_preferences` is JSON text that older versions may have written: read it with a default for every field. */
import type { AxisFormatting, Preferences, ResponsePreference } from './types';

const AXIS: AxisFormatting = { bold: false, underline: false, italicize: false, colors: false };
export const RESPONSE_STYLES: readonly ResponsePreference[] = ['Standard', 'Concise', 'Explanatory'];

export const DEFAULT_PREFERENCES: Preferences = {
  chart_formatting: {
    title: { ...AXIS, bold: true },
    x_axis: AXIS,
    y_axis: AXIS,
    gridlines: { enabled: true },
  },
  keywords: {},
  colors: ['#F75D2C', '#BE58EA', '#EC8AB8'],
  theme: 'light',
  audio: false,
  response_preference: 'Standard',
};

type Loose = Record<string, unknown>;

function record(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

function axis(value: unknown, base: AxisFormatting): AxisFormatting {
  const given = record(value);
  const flag = (name: keyof AxisFormatting) => (typeof given[name] === 'boolean' ? given[name] : base[name]);
  return {
    bold: flag('bold'),
    underline: flag('underline'),
    italicize: flag('italicize'),
    colors: flag('colors'),
  };
}

function keywords(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record(value)).filter(([, meaning]) => typeof meaning === 'string'),
  ) as Record<string, string>;
}

export function parsePreferences(text: string | null | undefined): Preferences {
  let given: Loose = {};
  try {
    given = record(JSON.parse(text ?? '{}'));
  } catch {
    // unreadable text counts as none
  }
  const base = DEFAULT_PREFERENCES;
  const chart = record(given.chart_formatting);
  const enabled = record(chart.gridlines).enabled;
  const colors = Array.isArray(given.colors) ? given.colors.filter((color) => typeof color === 'string') : [];
  return {
    chart_formatting: {
      title: axis(chart.title, base.chart_formatting.title),
      x_axis: axis(chart.x_axis, base.chart_formatting.x_axis),
      y_axis: axis(chart.y_axis, base.chart_formatting.y_axis),
      gridlines: { enabled: typeof enabled === 'boolean' ? enabled : true },
    },
    keywords: keywords(given.keywords),
    colors: colors.length > 0 ? colors : base.colors,
    theme: given.theme === 'dark' ? 'dark' : 'light',
    audio: typeof given.audio === 'boolean' ? given.audio : base.audio,
    response_preference: RESPONSE_STYLES.find((style) => style === given.response_preference) ?? 'Standard',
  };
}
