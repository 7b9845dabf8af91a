import { expect, test } from 'vitest';
import { epochMillis, timeAxis, timeText, timeTickTexts } from './epochs';

const JANUARY = Date.UTC(2024, 0, 1);

test('epochs of 13, 16 and 19 digits are the same instant', () => {
  expect(epochMillis(1704067200000)).toBe(JANUARY);
  expect(epochMillis(1704067200000000)).toBe(JANUARY);
  expect(epochMillis(JSON.parse('1704067200000000000'))).toBe(JANUARY);
  expect(epochMillis('1704067200000000000')).toBe(JANUARY);
});

test('numbers of any other length, fractions and negative numbers are no epochs', () => {
  for (const value of [
    0,
    1704067200,
    17040672000000,
    1704067200000.5,
    -1704067200000,
    1e25,
    '01704067200000',
    null,
    {},
  ]) {
    expect(epochMillis(value)).toBeNull();
  }
});

test('date text is read as UTC whatever way it is written', () => {
  const cases = [
    '2024-01-01',
    '2024-01',
    '2024-01-01T00:00',
    '2024-01-01 00:00:00',
    '2024-01-01T00:00:00.000Z',
    '2024-01-01T02:00:00+02:00',
    '1/1/2024',
    '01.01.2024',
    '2024/1/1',
    'Jan 2024',
    '1 January 2024',
    'Jan 1, 2024',
  ];
  for (const text of cases) expect(timeAxis([text])?.times, text).toEqual([JANUARY]);
});

test('an axis is one of time only where all of its values are times of the same kind', () => {
  expect(timeAxis(['2024-01-01', 'West'])).toBeNull();
  expect(timeAxis([1704067200000, 12])).toBeNull();
  expect(timeAxis([1704067200000, 1704067200000000])).toBeNull();
  expect(timeAxis([1704067200000, '2024-01-01'])).toBeNull();
  expect(timeAxis(['2024-01-01', null])).toBeNull();
  expect(timeAxis([])).toBeNull();
});

test('what only looks like a date stays a category', () => {
  for (const text of [
    '2024',
    'May',
    'Q1 2024',
    '2024-Q1',
    '2024-13-01',
    '30 Feb 2024',
    '2024-02-30',
    'Marble 2024',
    'Sum 2024',
    '12/2024',
    '99/99/2024',
  ]) {
    expect(timeAxis([text]), text).toBeNull();
  }
});

test('slashes are month first unless one of the values forbids it', () => {
  expect(timeAxis(['2/1/2024'])?.times).toEqual([Date.UTC(2024, 1, 1)]);
  expect(timeAxis(['2/1/2024', '13/1/2024'])?.times).toEqual([JANUARY + 86_400_000, Date.UTC(2024, 0, 13)]);
  expect(timeAxis(['13/1/2024', '1/13/2024'])).toBeNull();
});

test('the grain is the coarsest that loses nothing', () => {
  expect(timeAxis(['2024-01', '2024-02'])?.grain).toBe('month');
  expect(timeAxis(['2024-01-01', '2024-02-01', '2024-03-01'])?.grain).toBe('month');
  expect(timeAxis(['2024-02-01', '2024-03-01'])?.grain).toBe('day');
  expect(timeAxis(['2022-01-01', '2023-01-01', '2024-01-01'])?.grain).toBe('year');
  expect(timeAxis(['2024-01-01', '2024-01-02'])?.grain).toBe('day');
  expect(timeAxis(['2024-01-01T14:05'])?.grain).toBe('minute');
});

test('times are written as people read them', () => {
  const time = Date.UTC(2026, 2, 12, 14, 5);
  expect(timeText(time, 'minute')).toBe('12 Mar 2026, 14:05');
  expect(timeText(time, 'day')).toBe('12 Mar 2026');
  expect(timeText(time, 'month')).toBe('Mar 2026');
  expect(timeText(time, 'year')).toBe('2026');
});

test('a tick says only what changes there, and one of them says the year', () => {
  const at = (...parts: [number, number, number, number?, number?]) => Date.UTC(...parts);
  expect(timeTickTexts([JANUARY, at(2024, 1, 1), at(2024, 1, 14)])).toEqual([
    '1 Jan 2024',
    '1 Feb',
    '14 Feb',
  ]);
  expect(timeTickTexts([at(2023, 10, 1), JANUARY, at(2024, 2, 1)])).toEqual(['Nov', 'Jan 2024', 'Mar']);
  expect(timeTickTexts([JANUARY, at(2025, 0, 1)])).toEqual(['2024', '2025']);
  expect(timeTickTexts([at(2024, 2, 1), at(2024, 3, 1)])).toEqual(['Mar 2024', 'Apr']);
  expect(timeTickTexts([at(2024, 2, 12), at(2024, 2, 13)])).toEqual(['12 Mar 2024', '13 Mar']);
  expect(timeTickTexts([at(2024, 1, 14, 9, 30), at(2024, 1, 14, 10)])).toEqual(['14 Feb, 09:30', '10:00']);
  expect(timeTickTexts([])).toEqual([]);
});
