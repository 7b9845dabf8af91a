import { expect, test } from 'vitest';
import { inOrder, nextOrder } from './table-order';

test('figures sort largest first, then smallest first, then as they came', () => {
  const first = nextOrder(null, 1, true);
  const second = nextOrder(first, 1, true);
  expect([first?.direction, second?.direction, nextOrder(second, 1, true)]).toEqual([
    'descending',
    'ascending',
    null,
  ]);
});

test('texts sort from A to Z first, and another column starts anew', () => {
  const order = nextOrder(null, 0, false);
  expect(order).toEqual({ column: 0, direction: 'ascending' });
  expect(nextOrder(order, 1, true)).toEqual({ column: 1, direction: 'descending' });
});

test('rows without a value come last both ways, and numbers in texts count as numbers', () => {
  const rows = [
    ['Deal 10', 5],
    ['Deal 9', null],
    ['deal 1', 7],
  ] as const;
  expect(inOrder(rows, { column: 0, direction: 'ascending' }).map(([name]) => name)).toEqual([
    'deal 1',
    'Deal 9',
    'Deal 10',
  ]);
  expect(inOrder(rows, { column: 1, direction: 'ascending' }).map(([, value]) => value)).toEqual([
    5,
    7,
    null,
  ]);
  expect(inOrder(rows, { column: 1, direction: 'descending' }).map(([, value]) => value)).toEqual([
    7,
    5,
    null,
  ]);
  expect(inOrder(rows, null)).toBe(rows);
});
