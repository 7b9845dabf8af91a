import { expect, test } from 'vitest';
import { csvRows } from './csv-rows';

test('quoted cells hold separators, quotes and line breaks', () => {
  expect(csvRows('a,b\r\n"x, ""y""","two\nlines"\r\n', 9)).toEqual([
    ['a', 'b'],
    ['x, "y"', 'two\nlines'],
  ]);
});

test('only the rows asked for are read; a last line without an end counts', () => {
  expect(csvRows('a\n1\n2\n3', 3)).toEqual([['a'], ['1'], ['2']]);
  expect(csvRows('a\n1', 9)).toEqual([['a'], ['1']]);
});

test('semicolons and tabs separate as well; a mark at the start and blank lines are dropped', () => {
  expect(csvRows('\uFEFFa;b\n\n1,5;2', 9)).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  expect(csvRows('a\tb\n1\t2', 9)[1]).toEqual(['1', '2']);
  expect(csvRows('', 9)).toEqual([]);
});
