import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorScreen } from './error-screen';

afterEach(() => vi.restoreAllMocks());

test('a step that failed leads to the chat, where it can be tried again', () => {
  render(<ErrorScreen />);
  expect(screen.getByRole('link', { name: 'Go to the chat' }).getAttribute('href')).toBe('/chat');
});

test('in the window that the chat has opened there is no second chat, but the way back', () => {
  vi.spyOn(window, 'opener', 'get').mockReturnValue(window);
  const close = vi.spyOn(window, 'close').mockImplementation(() => undefined);
  render(<ErrorScreen />);
  expect(screen.queryByRole('link')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Close this window' }));
  expect(close).toHaveBeenCalledOnce();
});
