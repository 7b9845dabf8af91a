import { render, waitFor } from '@testing-library/react';
import { sessionEnd, sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { refreshAwait, refreshForget } from 'stores/crm-refresh';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { FakeSocket, socketSays } from 'test/socket';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RefreshEnd } from './refresh-end';

const said = () => useToast.getState().toast?.content;
const stands = { state: 'connected', reason: null, unread: 0 };
let calls = 0;

// What is loaded when needed is compiled here, which may take longer than a test waits.
beforeAll(async () => void (await import('./teller')), 60_000);
beforeEach(() => {
  calls = 0;
  Object.assign(stands, { state: 'connected', unread: 0 });
  useToast.setState({ toast: null });
  refreshForget();
  sessionStart('t', false);
  server.use(
    http.post('*/api/v3/socket-ticket', () => HttpResponse.json({})),
    http.get('*/api/v3/hubspot/status', () => {
      calls += 1;
      return HttpResponse.json(stands);
    }),
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

test('a refresh that ends on another screen is told there', async () => {
  refreshAwait();
  render(<RefreshEnd />);
  await waitFor(() => expect(said()).toBe('HubSpot data refreshed'), { timeout: 5_000 });
});

test('who waits for none is asked nothing', async () => {
  render(<RefreshEnd />);
  await settled();
  expect(calls).toBe(0);
});

test('nor is who is signed out', async () => {
  refreshAwait();
  sessionEnd();
  render(<RefreshEnd />);
  await settled();
  expect(calls).toBe(0);
});

test('what the server pushes brings the end, files included, without a poll', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }); // the poll's clock stands
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.made = [];
  server.use(http.post('*/api/v3/socket-ticket', () => HttpResponse.json({ ticket: 't', expires_in: 30 })));
  stands.state = 'refreshing';
  refreshAwait();
  render(<RefreshEnd />);
  await vi.waitFor(() => expect([calls, FakeSocket.made.length]).toEqual([1, 1]), { timeout: 5_000 });

  Object.assign(stands, { state: 'connected', unread: 1 });
  socketSays({ type: 'connection', service: 'hubspot' });
  await vi.waitFor(() => expect(calls).toBe(2));
  await settled();
  expect(said()).toBeUndefined();

  stands.unread = 0;
  socketSays({ type: 'source', source: { file_name: 'hubspot_deals.csv', group: 'crm', state: 'ready' } });
  await vi.waitFor(() => expect(said()).toBe('HubSpot data refreshed'));
});
