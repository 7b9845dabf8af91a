import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { server } from 'test/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLive } from './use-live';

/** A socket that the test speaks through. */
class FakeSocket {
  static made: FakeSocket[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    FakeSocket.made.push(this);
  }
  close() {}
}

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
  const say = (event: object) => FakeSocket.made[0]?.onmessage?.({ data: JSON.stringify(event) });
  return { changed, say };
}

beforeEach(() => {
  FakeSocket.made = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  sessionStart('t', false);
  server.use(http.post('*/api/v3/socket-ticket', () => HttpResponse.json({ ticket: 't', expires_in: 30 })));
});
afterEach(() => vi.unstubAllGlobals());

test('a source with other rows is told once, however often its reading is told of', async () => {
  const { changed, say } = await listening();
  say({ type: 'source', source: { ...deals, step: 'Reading' } });
  expect(changed).not.toHaveBeenCalled();
  say({ type: 'source', source: { ...deals, refreshed_at: 'Tuesday' } });
  say({ type: 'source', source: { ...deals, refreshed_at: 'Tuesday', step: 'Looking for joins' } });
  expect(changed.mock.calls).toEqual([['deals.csv']]);
});

test('a source that is gone is told', async () => {
  const { changed, say } = await listening();
  say({ type: 'source_removed', file_name: 'deals.csv' });
  expect(changed.mock.calls).toEqual([['deals.csv']]);
});
