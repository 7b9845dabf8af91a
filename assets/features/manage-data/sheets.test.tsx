import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { sessionStart } from 'api/session';
import type { Source } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { consentOf } from './google-sign-in';
import type { SheetTab } from './sheets-api';
import { connectTabs } from './sheets-connect';
import { describeTab } from './sheets-row';
import { SheetsSection } from './sheets-section';

const tab = (more: Partial<SheetTab> = {}): SheetTab => ({
  file_name: 'googlesheets_Plan__tab__Deals.csv',
  file_id: 'f1',
  file_title: 'Plan',
  tab_title: 'Deals',
  state: 'ready',
  reason: null,
  read_at: null,
  owner: 'Ana',
  mine: true,
  may_disconnect: true,
  ...more,
});

const source = (more: Partial<Source> = {}): Source => ({
  file_name: tab().file_name,
  display_name: 'Plan - Deals',
  group: 'spreadsheet',
  state: 'ready',
  step: '',
  rows_so_far: null,
  rows: 1284,
  columns: 3,
  size: 3_000,
  owner: 'Ana',
  uploaded_at: null,
  replaced_at: null,
  refreshed_at: null,
  error: null,
  retryable: false,
  example: false,
  report: [],
  mine: true,
  ...more,
});

const connection = (state: string, reason: string | null = null) => ({
  service: 'google',
  name: 'Google Sheets',
  configured: true,
  may_manage: true,
  state,
  reason,
  state_at: null,
  account_name: 'ana@example.com',
  refreshed_at: null,
});

/** What the server knows; the tests change it as they go. */
let tabs: SheetTab[];
let standing: ReturnType<typeof connection>;

beforeEach(() => {
  sessionStart('t', false);
  tabs = [tab()];
  standing = connection('connected');
  server.use(
    http.get('*/api/v3/google/manage-sheets', () => HttpResponse.json({ sheets: tabs, every_hours: 24 })),
    http.get('*/api/v3/connections', () => HttpResponse.json([standing])),
    http.get('*/api/v3/files', () => HttpResponse.json({ sources: [source()] })),
  );
});

function show(): void {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SheetsSection
        sources={[source()]}
        me={{ role: 'basic', organization: 'Acme' }}
        onPreview={() => {}}
        onEditContext={() => {}}
      />
    </QueryClientProvider>,
  );
}

const said = () => useToast.getState().toast?.content;
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

describe('a message from the sign-in window', () => {
  const data = { authorizationCode: 'c', state: 's' };

  test('is believed from our own origin and with our state only', () => {
    expect(consentOf(window.location.origin, data, 's')).toEqual(data);
    expect(consentOf('https://evil.example', data, 's')).toBeNull();
    expect(consentOf(`${window.location.origin}.evil.example`, data, 's')).toBeNull();
    expect(consentOf(window.location.origin, data, 'other')).toBeNull();
    expect(consentOf(window.location.origin, data, '')).toBeNull();
  });

  test.each([null, 'c', 5, {}, { state: 's' }, { authorizationCode: '', state: 's' }])(
    '%j is none',
    (sent) => {
      expect(consentOf(window.location.origin, sent, 's')).toBeNull();
    },
  );
});

describe('the section', () => {
  test('offers the sign-in first, and says what a dead one needs', async () => {
    tabs = [];
    standing = connection('needs_sign_in', 'Login credentials error, please sign in again');
    show();
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Login credentials error, please sign in again');
    expect(screen.queryByRole('button', { name: 'Upload Sheets' })).toBeNull();
  });

  test('shows the connected tabs and the hint of the specification', async () => {
    show();
    expect(await screen.findByRole('button', { name: 'Upload Sheets' })).toBeTruthy();
    expect(screen.getByText('Clear filters first')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Connected Sheets' }).textContent).toContain(
      'DealsPlan · 1,284 rows',
    );
  });

  test('puts tabs of one spreadsheet together under its name, and one of another beside them', async () => {
    tabs = [
      tab(),
      tab({ file_name: 'plan-b.csv', file_id: 'f2', tab_title: 'Costs' }),
      tab({ file_name: 'goals.csv', tab_title: 'Goals' }),
    ];
    show();
    const plan = await screen.findByRole('group', { name: 'Plan 2 tabs' });
    const rows = within(plan)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual([expect.stringMatching(/^Deals1,284 rows/), expect.stringMatching(/^Goals/)]);
    const costs = screen.getByText('Costs').closest('li');
    expect(plan.contains(costs)).toBe(false);
    expect(costs?.textContent).toContain('Plan'); // two spreadsheets may be called alike
  });

  test.each([
    [{ error: { message: 'x', code: 'service_failed' } }, 'Error Refreshing Sheets'],
    [{ error: { message: 'x', code: 'sign_in_again' } }, 'Login credentials error, please sign in again'],
  ])('says how a refresh failed: %j', async (body, text) => {
    server.use(http.post('*/api/v3/google/manage-sheets', () => HttpResponse.json(body, { status: 502 })));
    show();
    await press('Refresh Sheets');
    await waitFor(() => expect(said()).toBe(text));
  });

  test('keeps the connected tabs where the connection cannot be asked for', async () => {
    server.use(http.get('*/api/v3/connections', () => HttpResponse.json({}, { status: 500 })));
    show();
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The connection to Google could not be checked.',
    );
    expect(await screen.findByRole('button', { name: 'Preview Deals' })).toBeTruthy();
  });

  test('does not say that nothing is connected where that cannot be known', async () => {
    server.use(
      http.get('*/api/v3/connections', () => HttpResponse.json({}, { status: 500 })),
      http.get('*/api/v3/google/manage-sheets', () => HttpResponse.json({ sheets: [], every_hours: 24 })),
    );
    show();
    expect((await screen.findByRole('alert')).textContent).toContain('could not be checked');
    await waitFor(() => expect(screen.queryByText('Loading sheets...')).toBeNull());
    expect(screen.queryByText('Nothing connected yet.')).toBeNull();
  });

  test('asks before a tab is disconnected, and says where that failed', async () => {
    server.use(http.delete('*/api/v3/google/manage-sheets', () => HttpResponse.json({}, { status: 502 })));
    show();
    await press('Disconnect Deals');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep' }));
    await press('Disconnect');
    await waitFor(() => expect(said()).toBe('Error disconnecting Plan: Deals. Please try again.'));
  });
});

describe('connecting tabs', () => {
  const file = { id: 'f1', title: 'Plan', tabs: ['Deals', 'Goals'], modifiedMs: 5 };

  test('is told in three steps, from Connect to the rows being there', async () => {
    const sent: unknown[] = [];
    const told: (string | undefined)[] = [];
    const listen = useToast.subscribe(({ toast }) => told.push(toast?.content));
    server.use(
      http.put('*/api/v3/google/manage-sheets', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ sheets: tabs });
      }),
    );
    await connectTabs(new QueryClient(), file, ['Deals']);
    listen();
    expect(told).toEqual([
      'Connecting tabs...',
      'Tabs connected, processing data',
      'Data processed successfully',
    ]);
    expect(sent).toMatchObject([
      { file_id: 'f1', file_name: 'Plan', drive_last_modified: 5, tab_names: ['Deals'] },
    ]);
  });

  test('says where it failed: at once, or later with a tab that cannot be read', async () => {
    server.use(http.put('*/api/v3/google/manage-sheets', () => HttpResponse.json({}, { status: 500 })));
    await connectTabs(new QueryClient(), file, ['Deals']);
    expect(said()).toBe('Failed to connect tabs. Please try again later.');
    server.use(http.put('*/api/v3/google/manage-sheets', () => HttpResponse.json({ sheets: tabs })));
    tabs = [tab({ state: 'failed', reason: 'This tab is empty.' })];
    await connectTabs(new QueryClient(), file, ['Deals']);
    expect(said()).toBe('Failed to connect tabs. Please try again later.');
  });

  test('does nothing without a tab', async () => {
    let calls = 0;
    server.use(
      http.put('*/api/v3/google/manage-sheets', () => {
        calls += 1;
        return HttpResponse.json({ sheets: [] });
      }),
    );
    await connectTabs(new QueryClient(), file, []);
    expect(calls).toBe(0);
  });
});

test('the line below a tab tells what went wrong, what goes on, or what there is', () => {
  expect(describeTab(tab({ state: 'failed', reason: 'Gone.' }), source())).toBe('Gone.');
  expect(describeTab(tab({ state: 'reading' }), undefined)).toBe('Reading from Google');
  expect(describeTab(tab({ mine: false }), source())).toBe('Plan · 1,284 rows · by Ana');
  const now = Date.parse('2026-11-21T12:00:00Z');
  const read = tab({ read_at: '2026-11-21T11:30:00Z' });
  expect(describeTab(read, source(), now)).toBe('Plan · 1,284 rows · refreshed 30 min ago');
  expect(describeTab(tab(), source({ state: 'failed', error: 'No table.' }))).toBe('No table.');
  const preparing = source({ state: 'reading', step: 'Preparing the table', rows_so_far: 5_000 });
  expect(describeTab(read, preparing, now)).toBe('Preparing the table, 5,000 rows so far');
});
