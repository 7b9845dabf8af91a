import { fireEvent, render, screen } from '@testing-library/react';
import type { OtherReading } from 'api/types';
import { beforeAll, expect, test, vi } from 'vitest';
import { HeldNote } from './held-note';

beforeAll(() => import('./other-readings'), 60_000);

const other: OtherReading = {
  key: 'o',
  label: 'As the built-in analyst reads it',
  figure: '240',
  teaches: null,
};
const readings = () => ({
  find: vi.fn(async (_part: string) => [other]),
  take: vi.fn(async () => {}),
  teaches: true,
});

test('the same result is said quietly, another one with how it was read', () => {
  render(<HeldNote held={{ state: 'same', text: '', opens: false }} readings={readings()} />);
  expect(screen.getByText('The built-in analyst reads it the same.')).toBeTruthy();
  render(<HeldNote held={{ state: 'other', text: 'Number of deals by stage.' }} readings={readings()} />);
  expect(
    screen.getByText('The built-in analyst comes to another result. It reads: Number of deals by stage.'),
  ).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('the other result is shown with its figure and answers in place, however much it differs', async () => {
  const ways = readings();
  render(<HeldNote held={{ state: 'other', text: 'Number of deals.', opens: true }} readings={ways} />);
  fireEvent.click(screen.getByRole('button', { name: 'The other result' }));
  fireEvent.click(await screen.findByRole('button', { name: /As the built-in analyst reads it\s*240/ }));
  expect(ways.find.mock.calls[0]?.[0]).toBe('held');
  expect(ways.take).toHaveBeenCalledExactlyOnceWith('held', other, false);
});

test('nothing is offered where nothing can be answered anew', () => {
  render(<HeldNote held={{ state: 'other', text: 'Number of deals.', opens: true }} />);
  expect(screen.queryByRole('button')).toBeNull();
});
