import { describe, expect, test } from 'vitest';
import { age, countOf, dateTime, dayAge, fileSize, initials, sizeLimit, timeOf } from './format';

describe('numbers and times in words', () => {
  const now = new Date(2026, 10, 21, 9, 30).getTime();

  test('sizes keep two figures at most below ten', () => {
    expect([0, 999, 1000, 12_345, 3_400_000, 999_600, 200_000_000, 5.2e9].map(fileSize)).toEqual([
      '0 B',
      '999 B',
      '1 kB',
      '12 kB',
      '3.4 MB',
      '1 MB',
      '200 MB',
      '5.2 GB',
    ]);
  });

  test('limits are told in the units that they are set in', () => {
    expect([512, 1536, 209_715_200, 2 ** 31].map(sizeLimit)).toEqual([
      '512 bytes',
      '1.5 KB',
      '200 MB',
      '2 GB',
    ]);
  });

  test('ages go from minutes to dates', () => {
    expect(age(now - 20_000, now)).toBe('just now');
    expect(age(now - 5 * 60_000, now)).toBe('5 min ago');
    expect(age(new Date(2026, 10, 21, 7, 5).getTime(), now)).toBe('today 07:05');
    expect(age(new Date(2026, 10, 20, 7, 5).getTime(), now)).toBe('yesterday');
    expect(age(new Date(2026, 10, 3).getTime(), now)).toBe('3 Nov');
    expect(age(new Date(2024, 10, 3).getTime(), now)).toBe('3 Nov 2024');
  });

  test('days are told without a time, also right after midnight', () => {
    expect(dayAge(now - 20_000, now)).toBe('today');
    expect(dayAge(now + 20_000, now)).toBe('today');
    const midnight = new Date(2026, 10, 21, 0, 10).getTime();
    expect(dayAge(midnight - 20 * 60_000, midnight)).toBe('yesterday');
    expect(dayAge(new Date(2026, 10, 3).getTime(), now)).toBe('3 Nov');
    expect(dayAge(new Date(2024, 10, 3).getTime(), now)).toBe('3 Nov 2024');
  });

  test('date-times name the day, also where it is today, and the year where it is another', () => {
    expect(dateTime(new Date(2026, 10, 21, 7, 5).getTime(), now)).toBe('21 Nov, 07:05');
    expect(dateTime(new Date(2026, 10, 3, 7, 5).getTime(), now)).toBe('3 Nov, 07:05');
    expect(dateTime(new Date(2024, 10, 3, 7, 5).getTime(), now)).toBe('3 Nov 2024, 07:05');
  });

  test('one row is one row', () => {
    expect(countOf(1, 'row')).toBe('1 row');
    expect(countOf(1284, 'row')).toBe('1,284 rows');
  });

  test('a time may be seconds, ISO text or missing', () => {
    expect(timeOf(1)).toBe(1000);
    expect(timeOf('1970-01-01T00:00:01Z')).toBe(1000);
    expect(timeOf(null)).toBeNull();
    expect(timeOf('soon')).toBeNull();
  });

  test('initials come from the first and the last name', () => {
    expect(['Mara Klein', 'demo', 'Ana de la Cruz', ''].map(initials)).toEqual(['MK', 'DE', 'AC', '']);
  });
});
