import { render, waitFor } from '@testing-library/react';
import { sessionEnd, sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { refreshAwait, refreshForget } from 'stores/crm-refresh';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { RefreshEnd } from './refresh-end';

const said = () => useToast.getState().toast?.content;
let calls = 0;

// What is loaded when needed is compiled here, which may take longer than a test waits.
beforeAll(async () => void (await import('./teller')), 60_000);
beforeEach(() => {
  calls = 0;
  refreshForget();
  sessionStart('t', false);
  server.use(
    http.post('*/api/v3/socket-ticket', () => HttpResponse.json({})),
    http.get('*/api/v3/hubspot/status', () => {
      calls += 1;
      return HttpResponse.json({ state: 'connected', reason: null, unread: 0 });
    }),
  );
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
