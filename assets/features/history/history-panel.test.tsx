import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ThreadSummary } from 'api/types';
import { describe, expect, test, vi } from 'vitest';
import { EMPTY, HistoryPanel, START } from './history-panel';

const nothing = () => {};

function show(threads: ThreadSummary[] | undefined, more: Partial<Parameters<typeof HistoryPanel>[0]> = {}) {
  render(
    <HistoryPanel
      threads={threads}
      failed={false}
      current={null}
      searching={false}
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
