import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { connectionKey, crmStatusKey, type Service } from 'api/connections';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { server } from 'test/server';
import { FakeSocket, socketSays as say } from 'test/socket';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useLive } from './use-live';

const deals = { file_name: 'deals.csv', refreshed_at: 'Monday' };

async function listening() {
  const client = new QueryClient();
  client.setQueryData(keys.sources, [deals]);
  const changed = vi.fn();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  renderHook(() => useLive(vi.fn(), changed), { wrapper });
  await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(1));
  return { client, changed };
}

beforeEach(() => {
  FakeSocket.made = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  sessionStart('t', false);
  server.use(http.post('*/api/v3/socket-ticket', () => HttpResponse.json({ ticket: 't', expires_in: 30 })));
});
afterEach(() => vi.unstubAllGlobals());

test('a source with other rows is told once, however often its reading is told of', async () => {
  const { changed } = await listening();
  say({ type: 'source', source: { ...deals, step: 'Reading' } });
  expect(changed).not.toHaveBeenCalled();
  say({ type: 'source', source: { ...deals, refreshed_at: 'Tuesday' } });
  say({ type: 'source', source: { ...deals, refreshed_at: 'Tuesday', step: 'Looking for joins' } });
  expect(changed.mock.calls).toEqual([['deals.csv']]);
});

test('a source that is gone is told', async () => {
  const { changed } = await listening();
  say({ type: 'source_removed', file_name: 'deals.csv' });
  expect(changed.mock.calls).toEqual([['deals.csv']]);
});

test.each<Service>(['hubspot', 'google', 'slack'])(
  'a connection that changed makes what is known of %s old, and of no other',
  async (service) => {
    const { client } = await listening();
    const known = (['hubspot', 'google', 'slack'] as const).map((one) => [...connectionKey(one), 'status']);
    for (const key of known) client.setQueryData(key, {});
    say({ type: 'connection', service });
    const old = known.filter((key) => client.getQueryState(key)?.isInvalidated);
    expect(old).toEqual([[...connectionKey(service), 'status']]);
  },
);

describe('how the CRM stands is old', () => {
  test.each([
    ['crm', 'ready', true],
    ['crm', 'failed', true],
    ['crm', 'received', false],
    ['crm', 'reading', false],
    ['uploaded', 'ready', false],
    ['spreadsheet', 'ready', false],
  ])('once a file of group %s is %s: %s', async (group, state, old) => {
    const { client } = await listening();
    client.setQueryData(crmStatusKey, { unread: 1 });
    say({ type: 'source', source: { ...deals, group, state } });
    expect(client.getQueryState(crmStatusKey)?.isInvalidated).toBe(old);
  });
});
