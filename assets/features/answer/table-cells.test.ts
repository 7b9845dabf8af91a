import { expect, test } from 'vitest';
import { type Column, cellWriter } from './table-cells';

const column = (over: Partial<Column>): Column => ({
  name: 'x',
  type: 'text',
  kind: 'dimension',
  unit: null,
  ...over,
});
const texts = (over: Partial<Column>, values: (string | number | boolean | null)[]) => {
  const writer = cellWriter(column(over), values);
  return values.map(writer.text);
};

test('figures of a column share their decimals and stand right', () => {
  const money = column({ type: 'decimal', kind: 'measure', unit: 'USD' });
  const writer = cellWriter(money, [1200, 3.5, -4]);
  expect(writer.figures).toBe(true);
  expect([1200, 3.5, -4].map(writer.text)).toEqual(['1,200.00', '3.50', '−4.00']);
  expect(texts({ type: 'decimal', kind: 'measure', unit: 'USD' }, [1200, 300])).toEqual(['1,200', '300']);
  expect(texts({ type: 'float', kind: 'measure', unit: '%' }, [22.3, -4.1])).toEqual(['22.3', '−4.1']);
});

test('numbers that tell rows apart are written like names', () => {
  const writer = cellWriter(column({ type: 'integer' }), [2017, 10482]);
  expect(writer.figures).toBe(false);
  expect([2017, 10482].map(writer.text)).toEqual(['2017', '10482']);
});

test('dates are written as people read them, with the clock only where it says something', () => {
  expect(texts({ type: 'date' }, ['2026-03-12', null])).toEqual(['12 Mar 2026', null]);
  expect(texts({ type: 'datetime' }, ['2026-03-12T00:00:00', '2026-03-13T00:00:00'])).toEqual([
    '12 Mar 2026',
    '13 Mar 2026',
  ]);
  expect(texts({ type: 'datetime' }, ['2026-03-12T14:05:00'])).toEqual(['12 Mar 2026, 14:05']);
  expect(texts({ type: 'datetime' }, ['2026-03-12T00:30:00+02:00'])).toEqual(['11 Mar 2026, 22:30']);
});

test('periods and date parts are named by their grain', () => {
  expect(texts({ type: 'date', grain: 'month' }, ['2026-03-01'])).toEqual(['Mar 2026']);
  expect(texts({ type: 'date', grain: 'quarter' }, ['2026-07-01'])).toEqual(['Q3 2026']);
  expect(texts({ type: 'date', grain: 'year' }, ['2026-01-01'])).toEqual(['2026']);
  expect(texts({ type: 'date', grain: 'fiscal quarter 2' }, ['2026-02-01', '2025-11-01'])).toEqual([
    'Q1 FY2027',
    'Q4 FY2026',
  ]);
  expect(texts({ type: 'date', grain: 'fiscal year 7' }, ['2026-07-01'])).toEqual(['FY2027']);
  expect(texts({ type: 'date', grain: 'week' }, ['2026-01-05'])).toEqual(['week of 5 Jan 2026']);
  expect(texts({ type: 'integer', grain: 'quarter' }, [3])).toEqual(['Q3']);
  expect(texts({ type: 'integer', grain: 'month' }, [3, 13])).toEqual(['March', '13']);
  expect(texts({ type: 'integer', grain: 'hour' }, [9])).toEqual(['09:00']);
});

test('missing values have no text and truth values are words', () => {
  expect(texts({}, [null, '', 'West'])).toEqual([null, null, 'West']);
  expect(texts({ type: 'boolean' }, [true, false])).toEqual(['yes', 'no']);
});

test('text that is no date in a date column is shown as it is', () => {
  expect(texts({ type: 'date' }, ['soon'])).toEqual(['soon']);
});
