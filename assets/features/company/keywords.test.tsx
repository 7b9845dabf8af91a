import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import type { Preferences } from 'api/types';
import { companyEditsForget } from 'stores/company';
import { click, common, said, servePreferences, type, wrap } from 'test/company';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keywordMap, keywordRows } from './keyword-list';
import { COLLAPSE_MS } from './keyword-row';
import { KeywordsPanel } from './keywords-panel';

beforeEach(() => {
  companyEditsForget();
  sessionStart('t', false);
});

describe('Keywords', () => {
  const show = (keywords: Record<string, string> = { ARR: 'yearly value', NRR: 'net retention' }) => {
    const onBack = vi.fn();
    const client = new QueryClient();
    client.setQueryData(keys.preferences, { ...DEFAULT_PREFERENCES, keywords });
    wrap(
      <KeywordsPanel {...common} keywords={keywords} failed={false} onRetry={() => {}} onBack={onBack} />,
      client,
    );
    return { onBack, client };
  };
  const terms = () =>
    within(screen.getByRole('list', { name: 'Keywords' }))
      .getAllByRole('button', { name: /^(Expand|Collapse)/ })
      .map((button) => button.getAttribute('aria-label')?.replace(/^\w+ /, ''));

  test('stand newest first; a new one needs both its words', async () => {
    const posted = servePreferences();
    const { onBack, client } = show();
    expect(terms()).toEqual(['NRR', 'ARR']);
    const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add' });
    expect(add.disabled).toBe(true);
    type('Keyword', 'ICP');
    type('Definition', '   ');
    expect(add.disabled).toBe(true);
    type('Definition', 'ideal customer');
    fireEvent.click(add);
    expect(terms()).toEqual(['ICP', 'NRR', 'ARR']);
    click('Delete NRR');
    click('Submit');
    await waitFor(() => expect(onBack).toHaveBeenCalledOnce());
    expect(posted).toEqual([{ keywords: { ARR: 'yearly value', ICP: 'ideal customer' } }]);
    expect(client.getQueryData<Preferences>(keys.preferences)?.keywords).toEqual({
      ARR: 'yearly value',
      ICP: 'ideal customer',
    });
  });

  test('are not sent where none changed; Cancel takes changes back', () => {
    const posted = servePreferences();
    const { onBack } = show();
    click('Submit');
    expect(onBack).toHaveBeenCalledTimes(1);
    click('Delete ARR');
    type('Keyword', 'ICP');
    click('Cancel');
    expect(onBack).toHaveBeenCalledTimes(2);
    expect(screen.getByLabelText('Keyword')).toHaveProperty('value', '');
    expect(terms()).toEqual(['NRR', 'ARR']);
    expect(posted).toEqual([]);
  });

  test('a definition is edited in its opened row, which goes 400 ms after it was closed', () => {
    vi.useFakeTimers();
    try {
      show();
      click('Expand ARR');
      type('Definition of ARR', 'annual value');
      click('Collapse ARR');
      act(() => vi.advanceTimersByTime(COLLAPSE_MS - 1));
      expect(screen.queryByLabelText('Definition of ARR')).toBeTruthy();
      act(() => vi.advanceTimersByTime(2));
      expect(screen.queryByLabelText('Definition of ARR')).toBeNull();
      expect(screen.getByText('annual value')).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });

  test('a term that is there already is not added twice: its row opens', () => {
    show();
    type('Keyword', 'arr');
    type('Definition', 'something else');
    click('Add');
    expect(screen.getByRole('alert').textContent).toContain('arr is already a keyword.');
    expect(screen.getByLabelText('Definition of ARR')).toHaveProperty('value', 'yearly value');
  });

  test('typed and not added are taken by Submit', async () => {
    const posted = servePreferences();
    const { onBack } = show();
    type('Keyword', 'ICP');
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    click('Submit');
    expect(screen.getByRole('alert').textContent).toBe('A keyword needs a definition.');
    expect(document.activeElement).toBe(screen.getByLabelText('Definition'));
    type('Keyword', '');
    type('Definition', 'ideal customer');
    click('Submit');
    expect(screen.getByRole('alert').textContent).toBe('Which word does this define?');
    expect(document.activeElement).toBe(screen.getByLabelText('Keyword'));
    expect(posted).toEqual([]);
    type('Keyword', 'ICP');
    click('Submit');
    await waitFor(() => expect(onBack).toHaveBeenCalledOnce());
    expect(posted).toEqual([
      { keywords: { ARR: 'yearly value', NRR: 'net retention', ICP: 'ideal customer' } },
    ]);
  });

  test('typed and not added outlive the panel', () => {
    show();
    type('Keyword', 'ICP');
    cleanup();
    show();
    expect(screen.getByLabelText('Keyword')).toHaveProperty('value', 'ICP');
  });

  test('without a definition are not sent: the row opens and says what is missing', () => {
    const posted = servePreferences();
    show();
    click('Expand ARR');
    type('Definition of ARR', ' ');
    click('Collapse ARR');
    click('Submit');
    expect(screen.getByText(/A keyword needs a definition/)).toBeTruthy();
    expect(posted).toEqual([]);
  });

  test('that cannot be saved stay as edited, with a word', async () => {
    servePreferences(500);
    const { onBack } = show();
    click('Delete ARR');
    click('Submit');
    await waitFor(() => expect(said()).toBe('Failed to update keywords'));
    expect(onBack).not.toHaveBeenCalled();
    expect(terms()).toEqual(['NRR']);
  });

  test('keep their order through the stored map', () => {
    const stored = { a: '1', b: '2', c: '3' };
    expect(keywordRows(stored).map((row) => row.term)).toEqual(['c', 'b', 'a']);
    expect(Object.keys(keywordMap(keywordRows(stored)))).toEqual(['a', 'b', 'c']);
  });
});
