import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { keys, useThreads } from 'api/queries';
import { sessionStart } from 'api/session';
import type { ThreadSummary } from 'api/types';
import { HttpResponse, http } from 'msw';
import { toastHold, useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ALL_ARCHIVED, EMPTY, HistoryPanel, START } from './history-panel';
import { FAILED, useThreadActions } from './use-thread-actions';

const nothing = () => {};

function show(threads: ThreadSummary[] | undefined, more: Partial<Parameters<typeof HistoryPanel>[0]> = {}) {
  render(
    <HistoryPanel
      threads={threads}
      failed={false}
      current={null}
      searching={false}
      actions={{ rename: nothing, archive: nothing, unarchive: nothing, remove: nothing }}
      footer={null}
      onOpen={nothing}
      onHint={nothing}
      onRetry={nothing}
      onStart={nothing}
      onClose={nothing}
      {...more}
    />,
  );
}

const thread = (thread_id: string, summary: string, daysAgo: number | null): ThreadSummary => ({
  thread_id,
  summary,
  updated_at: daysAgo === null ? null : Date.now() / 1000 - daysAgo * 86_400,
  archived: false,
});

describe('History', () => {
  test('gives the focus to its title, and to the search where the keyboard asked for it', () => {
    show([thread('a', 'Won deals', 0)]);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'History' }));
    cleanup();
    show([thread('a', 'Won deals', 0)], { searching: true });
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search history' }));
  });

  test('shows threads under their groups, the current one marked, those without a date or a name named so', () => {
    show([thread('a', 'Won deals', 0), thread('b', 'Old numbers', 400), thread('c', 'Undated', null)], {
      current: 'b',
    });
    expect(within(screen.getByRole('region', { name: 'Today' })).getByText('Won deals')).toBeTruthy();
    const before = within(screen.getByRole('region', { name: 'Before' }));
    expect(before.getByText('Old numbers').closest('button')?.getAttribute('aria-current')).toBe('true');
    expect(before.getByText('No date')).toBeTruthy();
    cleanup();
    show([thread('d', '', 400)]);
    expect(screen.getByRole('button', { name: /^Untitled conversation/ })).toBeTruthy();
  });

  test('says date and time of a thread of today too', () => {
    const now = new Date();
    show([thread('a', 'Won deals', 0)]);
    const row = screen.getByRole('button', { name: /^Won deals/ });
    const month = now.toLocaleString('en-GB', { month: 'short' });
    expect(row.textContent).toMatch(new RegExp(`${now.getDate()} ${month}, \\d\\d:\\d\\d$`));
  });

  test('finds threads by their words and opens one', () => {
    const onOpen = vi.fn();
    show([thread('a', 'Won deals', 0), thread('b', 'Tickets by priority', 0)], { onOpen });
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'PRIOR' } });
    expect(screen.queryByText('Won deals')).toBeNull();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nowhere' } });
    expect(screen.getByText('No title contains “nowhere”.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    fireEvent.click(screen.getByText('Tickets by priority'));
    expect(onOpen).toHaveBeenCalledWith('b');
  });

  test('says that there is none yet and leads to the first, and offers a second try where loading failed', () => {
    const onStart = vi.fn();
    show([], { onStart });
    expect(screen.getByText(EMPTY)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: START }));
    expect(onStart).toHaveBeenCalled();
    const onRetry = vi.fn();
    show(undefined, { failed: true, onRetry });
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalled();
  });
});

const THREADS = '*/api/v3/threads';

/** History on a server that keeps its threads; what it was sent, and what became of the open thread. */
function live(threads: ThreadSummary[], current: string | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  client.setQueryData(keys.threads, threads);
  let kept = threads;
  const sent: unknown[] = [];
  const change = (thread_id: string, said: Partial<ThreadSummary>) =>
    kept.map((one) => (one.thread_id === thread_id ? { ...one, ...said } : one));
  server.use(
    http.put(THREADS, async ({ request }) => {
      const { thread_id, ...said } = (await request.json()) as ThreadSummary;
      sent.push({ thread_id, ...said });
      kept = change(thread_id, said);
      return HttpResponse.json(kept);
    }),
    http.delete(THREADS, ({ request }) => {
      const gone = new URL(request.url).searchParams.get('thread_id');
      sent.push(gone);
      kept = kept.filter((one) => one.thread_id !== gone);
      return HttpResponse.json(kept);
    }),
    http.post(`${THREADS}/restore`, async ({ request }) => {
      sent.push(await request.json());
      kept = threads;
      return HttpResponse.json(kept);
    }),
  );
  const moves: unknown[] = [];
  render(
    <QueryClientProvider client={client}>
      <Live current={current} moves={moves} />
    </QueryClientProvider>,
  );
  return { sent, moves };
}

function Live({ current, moves }: { current: string | null; moves: unknown[] }) {
  const actions = useThreadActions(
    current,
    () => moves.push('new chat'),
    (thread_id) => moves.push(thread_id),
  );
  return (
    <HistoryPanel
      threads={useThreads(true).data}
      failed={false}
      current={current}
      searching={false}
      actions={actions}
      footer={null}
      onOpen={nothing}
      onHint={nothing}
      onRetry={nothing}
      onStart={nothing}
      onClose={nothing}
    />
  );
}

/** Opens what can be done with the only thread, and does it. */
function press(action: string) {
  fireEvent.click(screen.getByRole('button', { name: 'Rename, archive or delete' }));
  fireEvent.click(screen.getByRole('button', { name: action }));
}

async function undo(told: string) {
  await waitFor(() => expect(useToast.getState().toast?.content).toBe(told));
  expect(useToast.getState().toast?.action?.label).toBe('Undo');
  useToast.getState().toast?.action?.run();
}

describe('What is done with a thread can be undone', () => {
  beforeEach(() => sessionStart('token', false));

  test('another name', async () => {
    const { sent } = live([thread('a', 'Won deals', 0)]);
    press('Rename');
    const field = screen.getByLabelText('Name of the conversation');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' Wins ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: /^Wins/ })).toBeTruthy();
    await undo('Renamed to “Wins”.');
    expect(await screen.findByRole('button', { name: /^Won deals/ })).toBeTruthy();
    expect(sent).toEqual([
      { thread_id: 'a', summary: 'Wins' },
      { thread_id: 'a', summary: 'Won deals' },
    ]);
  });

  test('no name and the same name change nothing, and Escape leaves', () => {
    const { sent } = live([thread('a', 'Won deals', 0)]);
    press('Rename');
    const field = screen.getByLabelText('Name of the conversation');
    fireEvent.change(field, { target: { value: '  ' } });
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(screen.queryByLabelText('Name of the conversation')).toBeNull();
    press('Rename');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(sent).toEqual([]);
  });

  test('the archive, from which it is restored', async () => {
    live([thread('a', 'Won deals', 0)]);
    press('Archive');
    expect(await screen.findByText('Archived (1)')).toBeTruthy();
    expect(screen.getByText(ALL_ARCHIVED)).toBeTruthy();
    await undo('“Won deals” was archived.');
    await waitFor(() => expect(screen.queryByText('Archived (1)')).toBeNull());
    press('Archive');
    await screen.findByText('Archived (1)');
    press('Restore');
    await undo('“Won deals” was restored.');
    expect(await screen.findByText('Archived (1)')).toBeTruthy();
  });

  test('deletion, after which the open thread is left and comes back', async () => {
    const { sent, moves } = live([thread('a', 'Won deals', 0)], 'a');
    press('Delete');
    expect(await screen.findByText(EMPTY)).toBeTruthy();
    await undo('“Won deals” was deleted.');
    expect(await screen.findByRole('button', { name: /^Won deals/ })).toBeTruthy();
    await waitFor(() => expect(moves).toEqual(['new chat', 'a']));
    expect(sent).toEqual(['a', { thread_id: 'a' }]);
  });

  test('for ten seconds', async () => {
    live([thread('a', 'Won deals', 0)]);
    press('Archive');
    await waitFor(() => expect(useToast.getState().toast?.action?.label).toBe('Undo'));
    toastHold(true);
    vi.useFakeTimers();
    toastHold(false); // its time begins anew, by a clock that is ours
    vi.advanceTimersByTime(9_999);
    expect(useToast.getState().toast).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(useToast.getState().toast).toBeNull();
    vi.useRealTimers();
  });

  test('a change that fails is said, and the thread stays', async () => {
    live([thread('a', 'Won deals', 0)]);
    server.use(http.delete(THREADS, () => HttpResponse.json({}, { status: 500 })));
    press('Delete');
    await waitFor(() => expect(useToast.getState().toast?.content).toBe(FAILED));
    expect(screen.getByRole('button', { name: /^Won deals/ })).toBeTruthy();
  });
});
