/**
 * A table as text for other programs: raw values (points as decimals, ISO dates), one line a row. Spreadsheets run text
 * that starts like a formula, behind whatever is not seen, so such text gets a leading single quote, and so does each
 * part of it at which a reader by another delimiter begins a cell or a row; numbers stay numbers. What counts is what
 * the server's own files go by (apps/analyst/tables/neutral.py); a test holds them together.
 */
import type { AnswerTable, CellValue } from 'api/types';

/** Control and format characters, spaces of all kinds, fillers. */
const UNSEEN =
  '\\p{Cc}\\p{Cf}\\p{Z}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2065\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0' +
  '\\uFFF0-\\uFFF8\\u{E0000}-\\u{E0FFF}';
const MARKS = '=+\\-@＝＋－＠﹦﹢﹣﹫';
const PARTS = '[\\t\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029;|]';
const FORMULA = new RegExp(`^[${UNSEEN}'"]*[${MARKS}\\t\\r\\n]`, 'u');
const FORMULA_WITHIN = new RegExp(`(${PARTS})((?:(?!${PARTS})[${UNSEEN}'"])*[${MARKS}])`, 'gu');
/** What some reader takes for the end of a cell or of a row. */
const BREAKS = /[",;|\p{Cc}\u00A0\u2028\u2029]|^\s|\s$/u;

function neutral(text: string): string {
  const within = text.replaceAll(FORMULA_WITHIN, "$1'$2");
  return FORMULA.test(text) ? `'${within}` : within;
}

function cellText(value: CellValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return typeof value === 'number' ? String(value) : neutral(value);
}

/** The unit that a head needs beside its name: none where the name says it already ("Change %"). */
export function unitBeside({ name, unit }: AnswerTable['columns'][number]): string | null {
  return unit && !name.endsWith(unit) ? unit : null;
}

function heads(table: AnswerTable): string[] {
  return table.columns.map((column) => {
    const unit = unitBeside(column);
    return neutral(unit ? `${column.name} (${unit})` : column.name);
  });
}

function lines(table: AnswerTable, rows: readonly (readonly CellValue[])[]): string[][] {
  return [heads(table), ...rows.map((row) => table.columns.map((_, index) => cellText(row[index] ?? null)))];
}

/** Comma-separated values by RFC 4180, with the mark by which spreadsheets know UTF-8. */
export function tableAsCsv(table: AnswerTable, rows: readonly (readonly CellValue[])[]): string {
  const quoted = (text: string) => (BREAKS.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `\uFEFF${lines(table, rows)
    .map((line) => line.map(quoted).join(','))
    .join('\r\n')}\r\n`;
}

/** Tab-separated values for the clipboard: they fall into cells when pasted. */
export function tableAsTabs(table: AnswerTable, rows: readonly (readonly CellValue[])[]): string {
  const pasted = (text: string) => {
    const flat = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
    // A quote mark in front would be taken for the beginning of a quoted cell, over all cells up to the next one.
    return flat.startsWith('"') ? `"${flat.replaceAll('"', '""')}"` : flat;
  };
  return lines(table, rows)
    .map((line) => line.map(pasted).join('\t'))
    .join('\n');
}
