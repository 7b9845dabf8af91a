import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { BroughtFile, BroughtFiles } from './api';
import { BroughtCard } from './brought-card';
import { holds } from './copy';

const file = (display_name: string, more: Partial<BroughtFile> = {}): BroughtFile => ({
  file_name: `${display_name}.csv`,
  display_name,
  rows: 12_400,
  noun: 'orders',
  period: 'Jan 2024 to Dec 2025',
  ...more,
});
const QUESTIONS = ['What is the total amount by region?', 'How many orders are there by month?'].map(
  (text) => ({
    text,
    file_name: 'orders.csv',
  }),
);

/** The card over a server that gives these answers one after the other, the last for good. */
function show(answers: BroughtFiles[], disabled = false, names = ['orders.csv']) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/v3/question-suggestions/brought', ({ request }) => {
      asked.push(...new URL(request.url).searchParams.getAll('filename'));
      return HttpResponse.json(answers.length > 1 ? answers.shift() : answers[0]);
    }),
  );
  const calls = { onAsk: vi.fn(), onDismiss: vi.fn(), onNothing: vi.fn() };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <QueryClientProvider client={client}>
      <BroughtCard names={names} disabled={disabled} {...calls} />
    </QueryClientProvider>,
  );
  return { ...calls, asked, container };
}

const READY: BroughtFiles = { ready: true, files: [file('orders')], questions: QUESTIONS };

describe('what was brought', () => {
  beforeEach(() => sessionStart('t', false));

  test('is told in a line a file, with its period where there is one', () => {
    expect(holds(file('orders'))).toBe('12,400 orders, Jan 2024 to Dec 2025');
    expect(holds(file('boat', { rows: 1, noun: 'boat', period: '' }))).toBe('1 boat');
  });

  test('is asked for until it is there, and says meanwhile what is looked through', async () => {
    const { asked } = show([{ ready: false, files: [], questions: [] }, READY]);
    expect((await screen.findByRole('status')).textContent).toBe('Looking through orders...');
    const card = await screen.findByRole('region', { name: 'What you brought' }, { timeout: 4_000 });
    expect(card.textContent).toContain('orders: 12,400 orders, Jan 2024 to Dec 2025');
    expect(asked).toEqual(['orders.csv', 'orders.csv']);
  });

  test('offers questions; a click asks, and another button puts it away', async () => {
    const { onAsk, onDismiss } = show([READY]);
    fireEvent.click(await screen.findByRole('button', { name: QUESTIONS[0]?.text }));
    expect(onAsk).toHaveBeenCalledExactlyOnceWith(QUESTIONS[0]);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(onDismiss).toHaveBeenCalledOnce();
  });

  test('asks nothing while an answer is under way', async () => {
    const { onAsk } = show([READY], true);
    fireEvent.click(await screen.findByRole('button', { name: QUESTIONS[0]?.text }));
    expect(onAsk).not.toHaveBeenCalled();
  });

  test('of very many files names the first and counts the rest', async () => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name));
    show([{ ready: true, files, questions: [] }]);
    expect(await screen.findByText('and 2 more')).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Questions worth asking' })).toBeNull();
  });

  test('of several files says which one a question is asked of', async () => {
    show([{ ready: true, files: [file('orders'), file('returns')], questions: QUESTIONS }]);
    const [first] = within(await screen.findByRole('list', { name: 'Questions worth asking' })).getAllByRole(
      'button',
    );
    expect(first?.textContent).toBe('What is the total amount by region?orders');
  });

  test('is nothing where no file could be read', async () => {
    const { onNothing } = show([{ ready: true, files: [], questions: [] }]);
    await waitFor(() => expect(onNothing).toHaveBeenCalled());
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('without a file asks the server for nothing', () => {
    const { asked, container } = show([READY], false, []);
    expect(asked).toEqual([]);
    expect(container.innerHTML).toBe('');
  });
});
