/**
 * How figures are written in charts, tables and headlines: one place for signs, separators, decimals and units.
 * A unit is a currency code ("USD"), "%" (the figure is in per cent already) or words ("days", "percentage points").
 */

const MINUS = '−';
/** The unit of a difference of two per cents, as the server names it. */
const POINTS = 'percentage points';
const SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  KRW: '₩',
  BRL: 'R$',
  CAD: 'C$',
  AUD: 'A$',
  NZD: 'NZ$',
  CNY: 'CN¥',
  MXN: 'MX$',
};

export const isCurrency = (unit: string | null | undefined): unit is string => /^[A-Z]{3}$/.test(unit ?? '');

/** Decimals that show these figures without noise: none for whole numbers, two for money, one for per cents as in the text. */
export function decimalsFor(
  values: readonly number[],
  unit?: string | null,
  most = unit === '%' || unit === POINTS ? 1 : 2,
): number {
  if (values.every((value) => Number.isInteger(value))) return 0;
  if (isCurrency(unit)) return 2;
  const largest = Math.max(...values.map(Math.abs));
  // Small figures keep three significant digits: 0.00412 must not become 0.00.
  const wanted = largest > 0 && largest < 1 ? Math.min(8, 2 - Math.floor(Math.log10(largest))) : most;
  for (let decimals = 1; decimals < wanted; decimals += 1) {
    if (values.every((value) => Math.abs(value - Number(value.toFixed(decimals))) < 1e-9)) return decimals;
  }
  return wanted;
}

/** "1,284.50" with a true minus; `group: false` for years and numbers that only tell rows apart. */
export function numberText(value: number, decimals = 0, group = true): string {
  const text = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: group,
  }).format(Math.abs(value));
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** The exact figure with its unit: "$132,300", "12.4%", "14 days"; with the decimals of its column where it stands in one. */
export function figureText(value: number, unit?: string | null, decimals?: number): string {
  const exact = Number(value.toPrecision(12));
  return withUnit(numberText(exact, decimals ?? exactDecimals(exact, unit)), unit);
}

function exactDecimals(value: number, unit: string | null | undefined): number {
  if (Number.isInteger(value)) return 0;
  if (isCurrency(unit)) return 2;
  const [, fraction = ''] = value.toFixed(10).replace(/0+$/, '').split('.');
  return Math.min(fraction.length, Math.abs(value) >= 1 ? 4 : 8);
}

function withUnit(text: string, unit: string | null | undefined): string {
  if (!unit) return text;
  if (unit === '%') return `${text}%`;
  if (!isCurrency(unit)) return `${text} ${unit}`;
  const symbol = SYMBOLS[unit];
  if (symbol === undefined) return `${text} ${unit}`;
  return text.startsWith(MINUS) ? `${MINUS}${symbol}${text.slice(1)}` : symbol + text;
}

const STEPS: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/**
 * A short text for an axis tick: "150k", "1.5M", "−0.25". `step` is the distance of two ticks and sets the decimals,
 * `largest` the size of the axis's largest tick, so that all ticks of an axis are shortened or none. An axis that has no
 * title gives its `unit` with the ticks: "$150k".
 */
export function tickText(
  value: number,
  step: number,
  largest = Math.abs(value),
  unit: string | null = null,
): string {
  const size = Math.max(largest, Math.abs(step));
  const [divisor, suffix] = (size >= 10_000
    ? STEPS.find(([from]) => Math.abs(value) >= from)
    : undefined) ?? [1, ''];
  const decimals = stepDecimals(Math.abs(step / divisor));
  const scaled = numberText(value / divisor, decimals);
  const text = (decimals > 0 && suffix !== '' ? scaled.replace(/\.?0+$/, '') : scaled) + suffix;
  return withUnit(text, unit);
}

/** A figure short enough for a small place: to four digits, from 10,000 on three significant ones ("$6,735", "$1.24M"). */
export function shortFigure(value: number, unit?: string | null): string {
  const size = Math.abs(value);
  const [divisor, suffix] = STEPS.find(([from]) => size >= Math.max(from, 10_000)) ?? [1, ''];
  if (suffix === '') {
    const decimals = unit === '%' && size >= 1 ? 1 : 2; // one, as in the sentence and the table
    return figureText(Number(value.toFixed(size >= 1_000 ? 0 : decimals)), unit);
  }
  const text = String(Number(Math.abs(value / divisor).toPrecision(3)));
  return withUnit((value < 0 ? MINUS : '') + text + suffix, unit);
}

const WORDS: readonly (readonly [number, string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
];

/** A figure as prose has it: three significant digits and a word from a million on ("$24.6 billion"); whole and money below. */
export function proseFigure(value: number, unit?: string | null): string {
  const [divisor, word] = WORDS.find(([from]) => Math.abs(value) >= from * 0.9995) ?? [1, ''];
  if (word === '' || unit === '%') {
    const whole = Number.isInteger(value) || isCurrency(unit);
    return figureText(
      whole ? value : Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)),
      unit,
    );
  }
  const text = `${Number(Math.abs(value / divisor).toPrecision(3))} ${word}`;
  return withUnit(value < 0 ? MINUS + text : text, unit);
}

function stepDecimals(step: number): number {
  for (let decimals = 0; decimals < 6; decimals += 1) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, scaled)) return decimals;
  }
  return 6;
}
