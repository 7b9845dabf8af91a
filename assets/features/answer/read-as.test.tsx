import { fireEvent, render, screen, within } from '@testing-library/react';
import { ApiError } from 'api/errors';
import type { OtherReading, ReadAs } from 'api/types';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Readings } from './api';
import { ReadAsLine } from './read-as';

beforeAll(() => import('./other-readings'), 60_000);

const readAs: ReadAs = {
  chips: [
    { key: 'figure:0', part: 'figure', label: 'Total net amount', opens: true, guessed: true },
    { key: 'files:0', part: 'files', label: 'In orders', opens: false, guessed: false },
  ],
  unread: [],
};
const gross: OtherReading = {
  key: 'g',
  label: 'Total gross amount',
  figure: '5,040',
  teaches: '“sales” will mean gross amount in orders.',
};
const average: OtherReading = { key: 'a', label: 'Average net amount', figure: '210', teaches: null };

function shown(more: Partial<Readings> = {}): Readings {
  const readings = {
    find: vi.fn(async () => [gross, average]),
    take: vi.fn(async () => {}),
    teaches: true,
    ...more,
  };
  render(<ReadAsLine head="Read as" readAs={readAs} messageId="m1" readings={readings} />);
  return readings;
}

const open = () => fireEvent.click(screen.getByRole('button', { name: /Total net amount/ }));

test('says the parts of a reading; only those that could mean something else open', () => {
  shown();
  const line = screen.getByRole('list', { name: 'Read as' });
  expect(within(line).getAllByRole('listitem')).toHaveLength(2);
  expect(within(line).getAllByRole('button')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Figure, not certain: Total net amount' })).toBeTruthy();
});

test('nothing opens where nothing can be answered anew, and nothing is said of no parts', () => {
  const { rerender } = render(<ReadAsLine head="Read as" readAs={readAs} messageId="m1" />);
  expect(screen.queryByRole('button')).toBeNull();
  rerender(<ReadAsLine head="Read as" readAs={{ chips: [], unread: [] }} messageId="m1" />);
  expect(screen.queryByRole('list')).toBeNull();
});

test('an opened part shows what else it may mean, with the figure of each; a click takes it', async () => {
  const readings = shown();
  expect(readings.find).not.toHaveBeenCalled();
  open();
  fireEvent.click(await screen.findByRole('button', { name: /Average net amount\s*210/ }));
  expect(readings.find).toHaveBeenCalledTimes(1);
  expect(readings.take).toHaveBeenCalledExactlyOnceWith('figure:0', average, false);
});

test('Always teaches what can be taught, and nothing else', async () => {
  const readings = shown();
  open();
  fireEvent.click(await screen.findByRole('switch', { name: /Always/ }));
  expect(screen.getByRole('button', { name: /Average net amount\s*This time only/ })).toBeTruthy();
  fireEvent.click(
    screen.getByRole('button', { name: /Total gross amount\s*“sales” will mean gross amount in orders/ }),
  );
  expect(readings.take).toHaveBeenCalledExactlyOnceWith('figure:0', gross, true);
});

test('Always is not offered to who may not teach', async () => {
  shown({ teaches: false });
  open();
  await screen.findByRole('button', { name: /Total gross amount\s*5,040/ });
  expect(screen.queryByRole('switch')).toBeNull();
});

test('a failed search says so and is tried again; a failed choice may be made again', async () => {
  const find = vi.fn<Readings['find']>().mockRejectedValueOnce(new ApiError('No way.', 'x', 500));
  const take = vi.fn<Readings['take']>().mockRejectedValueOnce(new ApiError('Gone.', 'x', 409));
  shown({ find: find.mockResolvedValue([gross]), take: take.mockResolvedValue() });
  open();
  expect((await screen.findByRole('alert')).textContent).toContain('No way.');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  fireEvent.click(await screen.findByRole('button', { name: /Total gross amount/ }));
  expect((await screen.findByRole('alert')).textContent).toBe('Gone.');
  fireEvent.click(screen.getByRole('button', { name: /Total gross amount/ }));
  expect(take).toHaveBeenCalledTimes(2);
});

test('a part without another reading that holds says so', async () => {
  shown({ find: async () => [] });
  open();
  expect(await screen.findByText('No other reading gives a figure here.')).toBeTruthy();
});

test('Escape closes the panel and gives its part the focus', async () => {
  shown();
  open();
  await screen.findByRole('button', { name: /Total gross amount/ });
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(screen.queryByRole('button', { name: /Total gross amount/ })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /Total net amount/ }));
});
