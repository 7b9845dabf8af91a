import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ModelHint } from './model-hint';

const analyst = { id: 'builtin', name: 'Built-in analyst', provider: '', takes_temperature: false };
const local = { id: 'own:1', name: 'local-7b', provider: 'openai', takes_temperature: true };

test('without a model the chat says once what one would add, and leads to Settings', async () => {
  const settings = vi.fn();
  const { unmount } = render(<ModelHint models={[analyst]} onSettings={settings} />);
  expect(screen.getByText(/would understand freer words/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Language models in Settings' }));
  expect(settings).toHaveBeenCalledOnce();
  unmount();
  render(<ModelHint models={[analyst]} onSettings={settings} />);
  expect(screen.queryByText(/would understand freer words/)).toBeNull();
});

test('where there is a model nothing is said, and nothing counts as said', () => {
  localStorage.removeItem('model-hint');
  const { unmount } = render(<ModelHint models={[analyst, local]} onSettings={() => {}} />);
  expect(screen.queryByText(/would understand freer words/)).toBeNull();
  unmount();
  render(<ModelHint models={[analyst]} onSettings={() => {}} />);
  expect(screen.getByText(/would understand freer words/)).toBeTruthy();
});
