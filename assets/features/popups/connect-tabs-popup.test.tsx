import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import ConnectTabsPopup from './connect-tabs-popup';

test('a second click takes a tab out again, and without one there is nothing to connect', () => {
  const onConnect = vi.fn();
  render(
    <ConnectTabsPopup title="Plan" tabs={['Deals', 'Goals']} onConnect={onConnect} onClose={() => {}} />,
  );
  expect(screen.getByRole('heading', { name: 'Which tabs would you like to connect?' })).toBeTruthy();
  const connect = screen.getByRole('button', { name: 'Connect' });
  expect(connect).toHaveProperty('disabled', true);
  for (const name of ['Deals', 'Goals', 'Deals']) fireEvent.click(screen.getByRole('button', { name }));
  fireEvent.click(screen.getByRole('button', { name: 'Connect (1)' }));
  expect(onConnect).toHaveBeenCalledWith(['Goals']);
});
