import { describe, expect, test } from 'vitest';
import { groupByTime, timeGroup } from './time-groups';

const now = new Date(2026, 10, 21, 9, 30);
const at = (...parts: [number, number, number, number?]) =>
  new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 12).getTime() / 1000;

describe('the groups of History', () => {
  test('go by calendar days, not by hours', () => {
    expect(timeGroup(at(2026, 11, 21, 0), now)).toBe('Today');
    expect(timeGroup(at(2026, 11, 20, 23), now)).toBe('Yesterday');
    expect(timeGroup(at(2026, 11, 20, 0), now)).toBe('Yesterday');
    expect(timeGroup(at(2026, 11, 19), now)).toBe('Past Week');
    expect(timeGroup(at(2026, 11, 14, 0), now)).toBe('Past Week');
    expect(timeGroup(at(2026, 11, 13), now)).toBe('Past Month');
    expect(timeGroup(at(2026, 10, 21, 0), now)).toBe('Past Month');
    expect(timeGroup(at(2026, 10, 20), now)).toBe('Before');
  });

  test('put a thread without a date last', () => {
    expect(timeGroup(null, now)).toBe('Before');
  });

  test('leave out empty groups and stand newest first', () => {
    const rows = [
      { id: 'old', updated_at: at(2020, 1, 1) },
      { id: 'morning', updated_at: at(2026, 11, 21, 8) },
      { id: 'later', updated_at: at(2026, 11, 21, 9) },
    ];
    expect(groupByTime(rows, now)).toEqual([
      { group: 'Today', rows: [rows[2], rows[1]] },
      { group: 'Before', rows: [rows[0]] },
    ]);
  });
});
