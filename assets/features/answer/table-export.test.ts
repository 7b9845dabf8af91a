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

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\ta', '\ra', '\na', '＝1', '"=1'])(
  'text that starts like a formula is neutralised: %j',
  (text) => {
    expect(tableAsCsv(table([[text, 1]]), [[text, 1]])).toContain(`'${text.replaceAll('"', '""')}`);
  },
);

test.each([
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\n=1', "'\n'=1"],
  ['x;=1', "x;'=1"],
  ['x\n\n -1', "x\n\n' -1"],
  ['x\t@y', "x\t'@y"],
  ['x|+1;=2', "x|'+1;'=2"],
  ['x;"=1', 'x;\'"=1'],
  ['x\u2028=1', "x\u2028'=1"],
])(
  'a part that starts like a formula for a reader by another delimiter is neutralised: %j',
  (text, written) => {
    const quoted = `"${written.replaceAll('"', '""')}"`;
    expect(tableAsCsv(table([[text, 1]]), [[text, 1]])).toContain(`\n${quoted},1`);
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

test('parts begin where they do in the files of the server', () => {
  const source = readFileSync('apps/analyst/tables/neutral.py', 'utf8');
  const [, written = ''] = /^_PARTS = (".+")$/mu.exec(source) ?? [];
  const parts = [...String(JSON.parse(written.replaceAll('\\x', '\\u00')))];
  expect(parts).toHaveLength(13);
  for (const part of parts) expect(csv([[`a${part}=b`, 1]])).toEqual([`"a${part}'=b",1`]);
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
  const written = text.replace('=', "'=");
  expect(tableAsCsv(table([[text, 1]]), [[text, 1]])).toContain(`"${written}",1`);
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
  expect(tableAsTabs(table([['x\u0085=1\u2028=1', 1]]), [['x\u0085=1\u2028=1', 1]])).toContain(
    "x '=1 '=1\t1",
  );
});

test('a quote mark in front neither makes a formula nor swallows cells when pasted', () => {
  const tabs = (text: string) => tableAsTabs(table([[text, 1]]), [[text, 1]]).split('\n')[1];
  expect(tabs('"=1+1"')).toBe('\'"=1+1"\t1');
  expect(tabs(' "=1+1"')).toBe('\' "=1+1"\t1');
  expect(tabs('"Ana" said')).toBe('"""Ana"" said"\t1');
  expect(tabs('"open')).toBe('"""open"\t1');
  expect(tabs('5" pipe')).toBe('5" pipe\t1');
});
