import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import { connectionKey } from 'api/connections';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { refreshAwait, useCrmRefresh } from 'stores/crm-refresh';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refreshCrm } from './crm-api';
import { useRefreshEnd } from './use-refresh-end';

const said = () => useToast.getState().toast?.content;
const stands = { state: 'refreshing', reason: null as string | null, unread: 0 };
let calls = 0;

/** The chat with every panel closed. */
function Chat() {
  useRefreshEnd();
  return null;
}

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <Chat />
    </QueryClientProvider>,
  );
  /** What the server pushes makes the state old (screens/chat/use-live). */
  const push = () => act(() => client.invalidateQueries({ queryKey: connectionKey('hubspot') }));
  return { client, push };
}

function looksAway(hidden: boolean) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(hidden ? 'hidden' : 'visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

beforeEach(() => {
  sessionStart('t', false);
  Object.assign(stands, { state: 'refreshing', reason: null, unread: 0 });
  calls = 0;
  server.use(
    http.post('*/api/v3/hubspot/direct-export', () => HttpResponse.json({})),
    http.get('*/api/v3/hubspot/status', () => {
      calls += 1;
      return HttpResponse.json(stands);
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the end of a refresh', () => {
  test('is told with the panel closed, once the files are read too', async () => {
    const { push } = open();
    await act(refreshCrm);
    await waitFor(() => expect(calls).toBe(1));
    Object.assign(stands, { state: 'connected', unread: 2 });
    await push();
    expect(said()).toBeUndefined();
    stands.unread = 0;
    await push();
    await waitFor(() => expect(said()).toBe('HubSpot data refreshed'));
    expect(useCrmRefresh.getState().waiting).toBeNull();
  });

  test.each([
    ['failed', 'HubSpot refused a request (400).'],
    ['needs_sign_in', 'HubSpot no longer accepts this sign-in. Please connect again.'],
  ])('says why where it %s', async (state, reason) => {
    open();
    Object.assign(stands, { state, reason });
    await act(refreshCrm);
    await waitFor(() => expect(said()).toBe(reason));
  });

  test('is told also where it is known within the millisecond it was asked for in', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    open();
    stands.state = 'connected';
    await act(refreshCrm);
    await waitFor(() => expect(said()).toBe('HubSpot data refreshed'), { timeout: 1_000 });
  });

  test('is told in another tab, and in one that is opened meanwhile', async () => {
    open();
    localStorage.setItem('crm-refresh', JSON.stringify({ since: Date.now() - 1, told: false }));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'crm-refresh' })));
    stands.state = 'connected';
    await waitFor(() => expect(said()).toBe('HubSpot data refreshed'));
    expect(localStorage.getItem('crm-refresh')).toBeNull();
  });

  test('waits in a tab that nobody looks at', async () => {
    looksAway(true);
    const { push } = open();
    stands.state = 'connected';
    await act(refreshCrm);
    await push();
    expect(said()).toBeUndefined();
    looksAway(false);
    await waitFor(() => expect(said()).toBe('HubSpot data refreshed'));
  });

  test('is nobody’s who waits for none: nothing is asked', async () => {
    open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toBe(0);
  });
});

describe('a refresh of more than three minutes', () => {
  /** It was asked for so long ago, in a tab that was closed since. */
  async function openedAfter(seconds: number) {
    act(() => refreshAwait());
    const since = Date.now() - seconds * 1_000;
    localStorage.setItem('crm-refresh', JSON.stringify({ since, told: false }));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'crm-refresh' })));
    open();
    await waitFor(() => expect(calls).toBeGreaterThan(0));
  }

  test('says that it still goes on, once', async () => {
    await openedAfter(181);
    await waitFor(() => expect(said()).toContain('HubSpot is still being refreshed.'));
    expect(useCrmRefresh.getState().waiting?.told).toBe(true);
  });

  test('says so only where that is true', async () => {
    stands.state = 'connected';
    await openedAfter(181);
    await waitFor(() => expect(said()).toBe('HubSpot data refreshed'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(said()).toBe('HubSpot data refreshed');
  });

  test('says nothing before', async () => {
    await openedAfter(170);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(said()).toBeUndefined();
  });
});
