/**
 * Which values of an axis are points in time. A value counts only where all others of its axis agree: a revenue with
 * thirteen digits beside names is not a date. All text without a zone is read as UTC, so that no reader west of
 * Greenwich sees the day before. Times are milliseconds since 1970 in UTC.
 */

/** What the axis is exact to; it decides how a time is written. */
export type TimeGrain = 'year' | 'month' | 'day' | 'minute';

export interface TimeAxis {
  readonly times: readonly number[];
  readonly grain: TimeGrain;
}

interface Reading {
  readonly shape: string;
  readonly time: number;
  readonly grain: TimeGrain;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Milliseconds of an epoch with 13 (ms), 16 (µs) or 19 (ns) digits, null for any other number or text (SPEC §3). */
export function epochMillis(value: unknown): number | null {
  const digits = integerText(value);
  if (digits === null) return null;
  const divisor = { 13: 1, 16: 1e3, 19: 1e6 }[digits.length];
  return divisor === undefined ? null : Math.round(Number(digits) / divisor);
}

function integerText(value: unknown): string | null {
  if (typeof value === 'number')
    return Number.isInteger(value) && value > 0 && value < 1e20 ? String(value) : null;
  return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? value : null;
}

/** Milliseconds of a calendar date, null where that day does not exist (30 February). */
function calendar(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number | null {
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month >= 1 && month <= 12;
  return exists && hour < 24 && minute < 60 && second < 60 ? date.getTime() : null;
}

const ISO =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?)?)?$/;
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
const DAY_MONTH_YEAR = /^(?:(\d{1,2}) )?([A-Za-z]{3,9})\.? (\d{4})$/;
const MONTH_DAY_YEAR = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})$/;

function reading(shape: string, time: number | null, grain: TimeGrain): Reading[] {
  return time === null ? [] : [{ shape, time, grain }];
}

function isoReadings(text: string): Reading[] {
  const match = ISO.exec(text);
  if (match === null) return [];
  const [, year, month, day, hour, minute, second, zone] = match;
  const time = calendar(
    Number(year),
    Number(month),
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  if (time === null) return [];
  const grain = hour !== undefined ? 'minute' : day !== undefined ? 'day' : 'month';
  return reading('iso', time - zoneMillis(zone), grain);
}

function zoneMillis(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'UTC') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

function monthNumber(word: string): number {
  const index = MONTHS.indexOf(word.slice(0, 3).toLowerCase());
  const full = MONTH_NAMES[index]?.toLowerCase() ?? '';
  const lower = word.toLowerCase();
  return lower.length === 3 || lower === full || lower === 'sept' ? index + 1 : 0;
}

function wordReadings(text: string): Reading[] {
  const dayFirst = DAY_MONTH_YEAR.exec(text);
  if (dayFirst !== null) {
    const [, day, month, year] = dayFirst;
    const grain = day === undefined ? 'month' : 'day';
    return reading(
      `words-${grain}`,
      calendar(Number(year), monthNumber(month ?? ''), Number(day ?? 1)),
      grain,
    );
  }
  const monthFirst = MONTH_DAY_YEAR.exec(text);
  if (monthFirst === null) return [];
  const [, month, day, year] = monthFirst;
  return reading('words-us', calendar(Number(year), monthNumber(month ?? ''), Number(day)), 'day');
}

function slashReadings(text: string): Reading[] {
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    return reading('year-first', calendar(Number(first[1]), Number(first[2]), Number(first[3])), 'day');
  }
  const last = YEAR_LAST.exec(text);
  if (last === null) return [];
  const [, a, separator, b, year] = last;
  const monthFirst = reading('month-first', calendar(Number(year), Number(a), Number(b)), 'day');
  const dayFirst = reading('day-first', calendar(Number(year), Number(b), Number(a)), 'day');
  return separator === '/' ? [...monthFirst, ...dayFirst] : [...dayFirst, ...monthFirst];
}

/** All ways to read one value as a time, the likeliest first. */
function readings(value: unknown): Reading[] {
  const epoch = epochMillis(value);
  if (epoch !== null) return reading(`epoch-${String(value).length}`, epoch, 'minute');
  if (typeof value !== 'string') return [];
  const text = value.trim();
  if (text.length > 40) return [];
  for (const read of [isoReadings, slashReadings, wordReadings]) {
    const found = read(text);
    if (found.length > 0) return found;
  }
  return [];
}

/** Reads all values of an axis as times, or null where one of them is none or they are written in different ways. */
export function timeAxis(values: readonly unknown[]): TimeAxis | null {
  const [first, ...others] = values.map(readings);
  if (first === undefined) return null;
  for (const { shape } of first) {
    const found = [first, ...others].map((candidates) => candidates.find((one) => one.shape === shape));
    if (found.every((one) => one !== undefined)) {
      return { times: found.map((one) => one.time), grain: commonGrain(found) };
    }
  }
  return null;
}

const DAY = 86_400_000;

/** The coarsest grain that loses nothing; days only become months or years where at least three of them say so. */
function commonGrain(found: readonly Reading[]): TimeGrain {
  const dates = found.map(({ time }) => new Date(time));
  if (dates.some((date) => date.getTime() % DAY !== 0)) return 'minute';
  const enough = new Set(found.map(({ time }) => time)).size >= 3;
  const firstOfMonth = dates.every((date) => date.getUTCDate() === 1);
  const saidMonth = found.every(({ grain }) => grain === 'month');
  if (firstOfMonth && enough && dates.every((date) => date.getUTCMonth() === 0)) return 'year';
  return firstOfMonth && (saidMonth || enough) ? 'month' : 'day';
}

/** A time as people read it: "2026", "Mar 2026", "12 Mar 2026" or "12 Mar 2026, 14:05". */
export function timeText(time: number, grain: TimeGrain): string {
  const date = new Date(time);
  const year = String(date.getUTCFullYear());
  const month = (MONTH_NAMES[date.getUTCMonth()] ?? '').slice(0, 3);
  if (grain === 'year') return year;
  if (grain === 'month') return `${month} ${year}`;
  const day = `${date.getUTCDate()} ${month} ${year}`;
  return grain === 'day' ? day : `${day}, ${clockText(date)}`;
}

function clockText(date: Date): string {
  return [date.getUTCHours(), date.getUTCMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

const isNewYear = (time: number) => new Date(time).getUTCMonth() === 0 && new Date(time).getUTCDate() === 1;

/** A tick's text: only what changes there, so "Jan 2026" or "1 Jan 2026" at a new year, else "Mar", "12 Mar" or "14:05". */
function timeTickText(time: number, grain: 'month' | 'day'): string {
  if (time % DAY !== 0) return clockText(new Date(time));
  const text = timeText(time, grain);
  return isNewYear(time) ? text : text.replace(/ \d{4}$/, '');
}

/** The texts of an axis's ticks: bare years only where all of them are; where none of them says the year, the first does. */
export function timeTickTexts(times: readonly number[]): string[] {
  const midnights = times.every((time) => time % DAY === 0);
  if (midnights && times.every(isNewYear)) return times.map((time) => timeText(time, 'year'));
  const months = times.every((time) => time % DAY === 0 && new Date(time).getUTCDate() === 1);
  const grain = months ? 'month' : 'day';
  const texts = times.map((time) => timeTickText(time, grain));
  const first = times[0];
  if (first === undefined || texts.some((text) => / \d{4}$/.test(text))) return texts;
  const clock = first % DAY !== 0;
  const said = timeText(first, grain);
  return [clock ? `${said.replace(/ \d{4}$/, '')}, ${texts[0]}` : said, ...texts.slice(1)];
}
