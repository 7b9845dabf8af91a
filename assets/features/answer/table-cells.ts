/** How the cells of an answer's table are written: one way a column, so that figures stand under each other. */
import type { AnswerColumn, CellValue } from 'api/types';
import { decimalsFor, numberText } from 'lib/chart-format';
import { timeText } from 'lib/epochs';

export type Column = AnswerColumn;

export interface CellWriter {
  /** True where the column's cells are figures and stand right. */
  readonly figures: boolean;
  /** The cell as people read it, or null where there is no value. */
  readonly text: (value: CellValue) => string | null;
}

const NUMBERS = new Set(['integer', 'decimal', 'float']);
const MONTHS = [
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
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The writer of one column; `values` are all its cells, because they share their decimals. */
export function cellWriter(column: Column, values: readonly CellValue[]): CellWriter {
  const figures = values.filter((value) => typeof value === 'number');
  if (
    NUMBERS.has(column.type) ||
    (figures.length > 0 && figures.length === values.filter((value) => value !== null).length)
  ) {
    return numberWriter(column, figures);
  }
  if (column.type === 'date' || column.type === 'datetime') return dateWriter(column, values);
  return { figures: false, text: plainText };
}

function numberWriter(column: Column, figures: readonly number[]): CellWriter {
  // Years, ids and other numbers that only tell rows apart carry no separators and stand left like names.
  const measure = column.kind !== 'dimension' || Boolean(column.unit);
  const decimals = measure ? decimalsFor(figures, column.unit) : 0;
  return {
    figures: measure,
    text: (value) => {
      if (typeof value !== 'number') return plainText(value);
      if (measure) return numberText(value, decimals);
      return (
        datePart(value, column.grain) ??
        (Number.isInteger(value) ? numberText(value, 0, false) : String(value))
      );
    },
  };
}

function datePart(value: number, grain: string | null | undefined): string | null {
  switch (grain) {
    case 'quarter':
      return `Q${value}`;
    case 'month':
      return MONTHS[value - 1] ?? null;
    case 'weekday':
      return WEEKDAYS[value - 1] ?? null;
    case 'week':
      return `week ${value}`;
    case 'hour':
      return `${String(value).padStart(2, '0')}:00`;
    case 'decade':
      return `${value}s`;
    default:
      return null;
  }
}

function dateWriter(column: Column, values: readonly CellValue[]): CellWriter {
  const atMidnight = values.every((value) => value === null || timeOfText(value) % 86_400_000 === 0);
  return {
    figures: false,
    text: (value) => {
      const time = timeOfText(value);
      if (Number.isNaN(time)) return plainText(value);
      return period(time, column.grain ?? null) ?? timeText(time, atMidnight ? 'day' : 'minute');
    },
  };
}

/** ISO text without a zone is read as UTC and written as UTC, so that no reader sees the day before. */
function timeOfText(value: CellValue): number {
  if (typeof value !== 'string') return Number.NaN;
  const zoned = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(value) || !value.includes('T');
  return Date.parse(zoned ? value : `${value}Z`);
}

/** "Q1 FY2026" or "FY2026", named after the calendar year in which the fiscal year ends. */
function fiscalPeriod(date: Date, grain: string | null): string | null {
  const found = /^fiscal (quarter|year) (\d{1,2})$/.exec(grain ?? '');
  if (!found) return null;
  const first = Number(found[2]);
  const month = date.getUTCMonth() + 1;
  const year = `FY${date.getUTCFullYear() + (first !== 1 && month >= first ? 1 : 0)}`;
  return found[1] === 'year' ? year : `Q${Math.floor(((month - first + 12) % 12) / 3) + 1} ${year}`;
}

function period(time: number, grain: string | null): string | null {
  const date = new Date(time);
  switch (grain) {
    case 'year':
    case 'month':
      return timeText(time, grain);
    case 'quarter':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
    case 'week':
      return `week of ${timeText(time, 'day')}`;
    case 'hour':
      return timeText(time, 'minute');
    default:
      return fiscalPeriod(date, grain);
  }
}

function plainText(value: CellValue): string | null {
  if (value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? numberText(value, decimalsFor([value])) : value;
}
