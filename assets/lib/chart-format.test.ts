import { expect, test } from 'vitest';
import { decimalsFor, figureText, numberText, proseFigure, shortFigure, tickText } from './chart-format';

test('a figure beside the text is rounded as the text rounds it', () => {
  expect(proseFigure(23475.0406)).toBe('23,475');
  expect(proseFigure(57_812_345.6, 'USD')).toBe('$57.8 million');
  expect(proseFigure(999_700)).toBe('1 million');
  expect(proseFigure(20.9167)).toBe('20.9');
  expect(proseFigure(-12.25, 'USD')).toBe('−$12.25');
});

test('figures carry their unit and a true minus', () => {
  expect(figureText(132300, 'USD')).toBe('$132,300');
  expect(figureText(-1284.5, 'EUR')).toBe('−€1,284.50');
  expect(figureText(12.4, '%')).toBe('12.4%');
  expect(figureText(14, 'days')).toBe('14 days');
  expect(figureText(20, 'CHF')).toBe('20 CHF');
  expect(figureText(-3)).toBe('−3');
});

test('floating noise is not shown and small figures keep their digits', () => {
  expect(figureText(0.1 + 0.2)).toBe('0.3');
  expect(figureText(0.00412)).toBe('0.00412');
  expect(figureText(1234567.891234)).toBe('1,234,567.8912');
});

test('percentage points show the decimals of percentages', () => {
  expect(decimalsFor([13.1579, -17.6], 'percentage points')).toBe(1);
  expect(figureText(13.2, 'percentage points')).toBe('13.2 percentage points');
});

test('a figure that rounds to nothing has no sign', () => {
  expect(numberText(-0.001, 2)).toBe('0.00');
  expect(numberText(-0.01, 2)).toBe('−0.01');
});

test('numbers that only tell rows apart are not grouped', () => {
  expect(numberText(2017, 0, false)).toBe('2017');
});

test('a column shows the decimals it needs and money shows two', () => {
  expect(decimalsFor([1, 2, 30])).toBe(0);
  expect(decimalsFor([1, 2.5])).toBe(1);
  expect(decimalsFor([1, 2.5], 'USD')).toBe(2);
  expect(decimalsFor([1.23456, 2])).toBe(2);
  expect(decimalsFor([-23.88, 2], '%')).toBe(1);
  expect(decimalsFor([0.00412, 0.001])).toBe(5);
  expect(decimalsFor([])).toBe(0);
});

test('ticks are short and equally precise', () => {
  expect([0, 50_000, 100_000, 150_000].map((tick) => tickText(tick, 50_000))).toEqual([
    '0',
    '50k',
    '100k',
    '150k',
  ]);
  expect([0, 500_000, 1_000_000, 1_500_000].map((tick) => tickText(tick, 500_000))).toEqual([
    '0',
    '500k',
    '1M',
    '1.5M',
  ]);
  expect([0, 0.25, -0.5].map((tick) => tickText(tick, 0.25))).toEqual(['0.00', '0.25', '−0.50']);
  expect([0, 2500, 5000].map((tick) => tickText(tick, 2500))).toEqual(['0', '2,500', '5,000']);
  expect([0, 5_000, 10_000].map((tick) => tickText(tick, 5_000, 10_000))).toEqual(['0', '5k', '10k']);
  expect(tickText(3_000_000_000, 1_000_000_000)).toBe('3B');
});

test('a figure for a small place keeps three digits', () => {
  expect(shortFigure(1_240_300, 'USD')).toBe('$1.24M');
  expect(shortFigure(2245)).toBe('2,245');
  expect(shortFigure(6735.06)).toBe('6,735');
  expect(shortFigure(-6735.5, 'USD')).toBe('−$6,736');
  expect(shortFigure(735.06)).toBe('735.06');
  expect(shortFigure(-45_670, 'EUR')).toBe('−€45.7k');
  expect(shortFigure(98.5, '%')).toBe('98.5%');
});

test('a share in a small place has one decimal, as in the sentence and the table; a small one keeps two', () => {
  expect([50.6122, 44, -40.1515].map((share) => shortFigure(share, '%'))).toEqual(['50.6%', '44%', '−40.2%']);
  expect(shortFigure(0.37, '%')).toBe('0.37%');
});
