import { readFileSync } from 'node:fs';
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

/** What the server passes over before it looks for a formula. */
function unseen(): string[] {
  const source = readFileSync('apps/analyst/tables/neutral.py', 'utf8');
  return [...source.matchAll(/\(0x([0-9A-F]+), 0x([0-9A-F]+)\)/g)].flatMap(([, first = '', last = '']) => {
    const from = Number.parseInt(first, 16);
    return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, step) =>
      String.fromCodePoint(from + step),
    );
  });
}

test('what is not seen before a formula does not hide it, as in the files of the server', () => {
  const hidden = unseen().flatMap((mark) => [`${mark}=1+1`, `'${mark}@x`]);
  expect(hidden.length).toBeGreaterThan(8_000);
  const rows: AnswerTable['rows'] = [...hidden, '﹦1', '﹢1', '﹣1', '﹫x'].map((text) => [text, 1]);
  const written = tableAsTabs(table(rows), rows).split('\n').slice(1);
  expect(written.filter((line) => !line.startsWith("'"))).toEqual([]);
  expect(written).toHaveLength(rows.length);
});

test('ordinary text stays as it is', () => {
  for (const text of ['West', 'Ärger', '日本', 'a=b', '1-2-x', '😀', "O'Hara", 'é=1'])
    expect(csv([[text, 1]])).toEqual([`${text},1`]);
});

test.each([
  'x\r=1',
  'x\n=1',
  'x;=1',
  'x|=1',
  'x\t=1',
  'x\u000b=1',
  'x\u0085=1',
  'x\u2028=1',
  'x\u2029=1',
  'x ',
])('text in which some reader could see the end of a cell or a row is quoted: %j', (text) => {
  expect(tableAsCsv(table([[text, 1]]), [[text, 1]])).toContain(`"${text}",1`);
});

test('a head that starts like a formula is neutralised too', () => {
  const hostile = {
    ...table([]),
    columns: [{ name: '=cmd()', type: 'text', kind: 'dimension', unit: null }],
  };
  expect(tableAsCsv(hostile, [])).toContain("'=cmd()");
});

test('for the clipboard cells are parted by tabs and lose their own', () => {
  expect(tableAsTabs(table([['a\tb\nc', 1]]), [['a\tb\nc', 1]])).toBe('Name\tAmount (USD)\na b c\t1');
  expect(tableAsTabs(table([['x\u0085=1\u2028=1', 1]]), [['x\u0085=1\u2028=1', 1]])).toContain('x =1 =1\t1');
});
