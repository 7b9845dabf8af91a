import type { AnswerTable } from 'api/types';
import { expect, test } from 'vitest';
import { tableAsCsv, tableAsTabs } from './table-export';

const table = (rows: AnswerTable['rows']): AnswerTable => ({
  columns: [
    { name: 'Name', type: 'text', kind: 'dimension', unit: null },
    { name: 'Amount', type: 'decimal', kind: 'measure', unit: 'USD' },
  ],
  rows,
  total_rows: rows.length,
});
const csv = (rows: AnswerTable['rows']) =>
  tableAsCsv(table(rows), rows).replace('\uFEFF', '').split('\r\n').slice(1, -1);

test('numbers stay numbers, also negative ones, and gaps stay empty', () => {
  expect(
    csv([
      ['Ana', -1234.5],
      ['Bob', null],
    ]),
  ).toEqual(['Ana,-1234.5', 'Bob,']);
});

test('the head names the units', () => {
  expect(tableAsCsv(table([]), [])).toBe('\uFEFFName,Amount (USD)\r\n');
});

test('the head does not say a unit twice', () => {
  const percent = {
    ...table([]),
    columns: [{ name: 'Change %', type: 'decimal', kind: 'percent', unit: '%' }],
  };
  expect(tableAsCsv(percent, [])).toBe('\uFEFFChange %\r\n');
});

test('separators, quotes and line breaks are quoted', () => {
  expect(
    csv([
      ['a,b', 1],
      ['say "x"', 2],
    ]),
  ).toEqual(['"a,b",1', '"say ""x""",2']);
  expect(tableAsCsv(table([['two\nlines', 1]]), [['two\nlines', 1]])).toContain('"two\nlines",1');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
  'text that starts like a formula is neutralised: %j',
  (text) => {
    expect(tableAsCsv(table([[text, 1]]), [[text, 1]])).toContain(`'${text}`);
  },
);

test('a head that starts like a formula is neutralised too', () => {
  const hostile = {
    ...table([]),
    columns: [{ name: '=cmd()', type: 'text', kind: 'dimension', unit: null }],
  };
  expect(tableAsCsv(hostile, [])).toContain("'=cmd()");
});

test('for the clipboard cells are parted by tabs and lose their own', () => {
  expect(tableAsTabs(table([['a\tb\nc', 1]]), [['a\tb\nc', 1]])).toBe('Name\tAmount (USD)\na b c\t1');
});
