import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SignedInSession } from './api';
import { deviceName } from './device';
import { END_FAILED, SessionsList } from './sessions-list';

const SESSIONS = '*/_allauth/app/v1/auth/sessions';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E148 Safari/604.1';

const held = (id: number, more: Partial<SignedInSession> = {}): SignedInSession => ({
  id,
  user_agent: FIREFOX,
  ip: `10.0.0.${id}`,
  created_at: 1_700_000_000 + id,
  is_current: false,
  ...more,
});

function show(sessions: SignedInSession[], failures = 0) {
  let left = failures;
  server.use(
    http.get(SESSIONS, () =>
      left-- > 0
        ? HttpResponse.json({}, { status: 500 })
        : HttpResponse.json({ status: 200, data: sessions }),
    ),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <SessionsList />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

beforeEach(() => sessionStart('tok', false));

describe('where you are signed in', () => {
  test('this session stands first and cannot be ended here', async () => {
    show([held(1, { user_agent: IPHONE }), held(2, { is_current: true })]);
    const rows = await screen.findAllByRole('listitem');
    expect(rows.map((row) => row.textContent?.includes('This session'))).toEqual([true, false]);
    expect(rows[1]?.textContent).toContain('Safari on iPhone');
    expect(screen.getAllByRole('button')).toHaveLength(1);
  });

  test('one session is ended, and what is left is shown', async () => {
    const ended: unknown[] = [];
    const user = show([held(1, { is_current: true }), held(2), held(3)]);
    server.use(
      http.delete(SESSIONS, async ({ request }) => {
        ended.push(await request.json());
        return HttpResponse.json({ status: 200, data: [held(1, { is_current: true }), held(3)] });
      }),
    );
    await user.click(await screen.findByRole('button', { name: /10\.0\.0\.2/ }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
    expect(ended).toEqual([{ sessions: [2] }]);
  });

  test('all others are ended at once', async () => {
    const ended: unknown[] = [];
    const user = show([held(1, { is_current: true }), held(2), held(3)]);
    server.use(
      http.delete(SESSIONS, async ({ request }) => {
        ended.push(await request.json());
        return HttpResponse.json({ status: 200, data: [held(1, { is_current: true })] });
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'End all other sessions' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(ended).toEqual([{ sessions: [3, 2] }]);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('a failed ending is told and changes nothing', async () => {
    const user = show([held(1, { is_current: true }), held(2)]);
    server.use(http.delete(SESSIONS, () => HttpResponse.json({}, { status: 500 })));
    await user.click(await screen.findByRole('button', { name: /^End the session/ }));
    await waitFor(() => expect(JSON.stringify(useToast.getState())).toContain(END_FAILED));
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  test('a list that cannot be loaded can be tried again', async () => {
    const user = show([], 1);
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('list')).toBeTruthy();
  });
});

describe('the name of a device', () => {
  test.each([
    [FIREFOX, 'Firefox on Windows'],
    [IPHONE, 'Safari on iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on macOS'],
    ['python-requests/2.32', 'python-requests'],
    ['', 'Unknown device'],
  ])('%s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});
