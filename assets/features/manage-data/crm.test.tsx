import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { connectionKey } from 'api/connections';
import { useSources } from 'api/queries';
import { sessionStart } from 'api/session';
import type { Source } from 'api/types';
import { HttpResponse, http } from 'msw';
import { codeFrom, codeSave, codeTake } from 'stores/callback';
import { countEdits, crmEditsToSend } from 'stores/crm-edits';
import { toastClose, useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CrmStatus } from './crm-api';
import { summary } from './crm-changes';
import { shownProperties, withChange } from './crm-choice';
import { MOMENTS, progressLine } from './crm-copy';
import { CrmSection } from './crm-section';
import { useRefreshEnd } from './use-refresh-end';

const STATUS: CrmStatus = {
  state: 'connected',
  reason: null,
  state_at: '2026-11-21T10:00:00Z',
  account_name: 'acme.example',
  refreshed_at: '2026-11-21T10:00:00Z',
  configured: true,
  may_manage: true,
  progress: null,
  every_hours: 24,
  unread: 0,
  problems: {},
};
const FIELDS = { deals: { Amount: true, 'Next step': false, 'Deal Stage': true }, contacts: { Email: true } };
const said = () => useToast.getState().toast?.content;

function show(status: Partial<CrmStatus>) {
  server.use(
    http.get('*/api/v3/hubspot/status', () => HttpResponse.json({ ...STATUS, ...status })),
    http.get('*/api/v3/hubspot/fields', () => HttpResponse.json(FIELDS)),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <CrmSection sources={[]} onPreview={() => {}} onEditContext={() => {}} />
    </QueryClientProvider>,
  );
}

const file = (file_name: string) =>
  ({
    file_name,
    display_name: file_name,
    group: 'crm',
    state: 'ready',
    step: '',
    report: [],
  }) as unknown as Source;
/** The section over the files that the server lists, and what the chat around it does. */
function Section() {
  useRefreshEnd();
  const sources = useSources(true).data ?? [];
  return <CrmSection sources={sources} onPreview={() => {}} onEditContext={() => {}} />;
}

beforeEach(() => sessionStart('t', false));

describe('the way of a code from the callback page to the chat', () => {
  test('a refused consent or a missing code is none', () => {
    expect(codeFrom('hubspot', '?error=access_denied&state=s')).toBeNull();
    expect(codeFrom('hubspot', '?state=s')).toBeNull();
  });

  test('the chat takes it once, and only the one that its address carries', () => {
    const address = codeSave({ service: 'hubspot', code: 'c1', state: 's1' });
    expect(address).toBe('/chat?service=hubspot&code=c1');
    expect(codeTake('')).toBeNull();
    expect(codeTake(address.slice(5))).toEqual({ service: 'hubspot', code: 'c1', state: 's1' });
    expect(codeTake(address.slice(5))).toBeNull();
    codeSave({ service: 'hubspot', code: 'c2', state: 's2' });
    expect(codeTake('?service=hubspot&code=forged')).toBeNull();
  });
});

describe('the connect button', () => {
  test('asks for the consent page and goes there', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    server.use(
      http.post('*/api/v3/connections', () =>
        HttpResponse.json({ authorize_url: 'https://crm.example/consent' }, { status: 201 }),
      ),
    );
    show({ state: 'not_connected', every_hours: null });
    fireEvent.click(await screen.findByRole('button', { name: 'Click to Connect' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://crm.example/consent'));
    expect(screen.getByRole('button', { name: 'Connecting...' })).toBeTruthy();
    assign.mockRestore();
  });

  test('is nobody’s but an admin’s, and nothing where the server is not set up', async () => {
    show({ state: 'not_connected', may_manage: false });
    expect(
      (await screen.findByRole<HTMLButtonElement>('button', { name: 'Click to Connect' })).disabled,
    ).toBe(true);
    expect(screen.getByText('An admin of your organization can connect HubSpot.')).toBeTruthy();
  });

  test('a dead sign-in says why and since when, and can be renewed', async () => {
    show({ state: 'needs_sign_in', reason: 'Please connect again.' });
    expect((await screen.findByRole('alert')).textContent).toContain('Please connect again.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Click to Connect' }).disabled).toBe(false);
  });
});

describe('the files', () => {
  const files = () =>
    server.use(
      http.get('*/api/v3/files', () =>
        HttpResponse.json({
          sources: [{ ...file('deals.csv'), rows: 3, uploaded_at: '2024-11-03T10:00:00Z', mine: false }],
        }),
      ),
    );
  const shown = () =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Section />
      </QueryClientProvider>,
    );

  test('without a connection were loaded once: nothing refreshes them', async () => {
    files();
    server.use(
      http.get('*/api/v3/hubspot/status', () => HttpResponse.json({ ...STATUS, state: 'not_connected' })),
    );
    shown();
    expect((await screen.findByRole('button', { name: 'Preview deals.csv' })).textContent).toContain(
      'loaded 3 Nov 2024',
    );
  });

  test('that are the product’s examples are named so, with what connecting makes of them', async () => {
    server.use(
      http.get('*/api/v3/hubspot/status', () => HttpResponse.json({ ...STATUS, state: 'not_connected' })),
      http.get('*/api/v3/files', () => HttpResponse.json({ sources: [{ ...file('deals'), example: true }] })),
    );
    shown();
    expect(
      await screen.findByText('Not connected. These are example files; connecting HubSpot takes them away.'),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Preview deals' }).textContent).toContain('example');
  });

  test('stay where the connection cannot be asked for', async () => {
    files();
    server.use(http.get('*/api/v3/hubspot/status', () => HttpResponse.json({}, { status: 500 })));
    shown();
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The connection to HubSpot could not be checked.',
    );
    expect(await screen.findByRole('button', { name: 'Preview deals.csv' })).toBeTruthy();
  });
});

describe('a refresh', () => {
  test('tells what is read, or why it waits', () => {
    const running = { ...STATUS, progress: { category: 'deals', read: 1200, waiting_until: null } };
    expect(progressLine(running, String)).toBe('Reading deals, 1200 records so far');
    const waiting = { category: 'deals', read: 1200, waiting_until: '2026-11-21T11:00:00Z' };
    expect(progressLine({ ...STATUS, reason: 'HubSpot asks us to wait.', progress: waiting }, String)).toBe(
      'HubSpot asks us to wait.',
    );
  });

  test('that cannot be started says so', async () => {
    server.use(http.post('*/api/v3/hubspot/direct-export', () => HttpResponse.json({}, { status: 500 })));
    show({});
    fireEvent.click(await screen.findByRole('button', { name: 'Refresh Data' }));
    await waitFor(() => expect(said()).toBe('HubSpot could not be refreshed. Please try again.'));
  });
});

describe('the files of a refresh', () => {
  test('are read before it counts as done', async () => {
    toastClose();
    let state = 'refreshing';
    let unread = 0;
    server.use(
      http.get('*/api/v3/hubspot/status', () => HttpResponse.json({ ...STATUS, state, unread })),
      http.get('*/api/v3/hubspot/fields', () => HttpResponse.json(FIELDS)),
      http.get('*/api/v3/files', () =>
        HttpResponse.json({ content: [], sources: [file('deals'), file('owners')] }),
      ),
    );
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={client}>
        <Section />
      </QueryClientProvider>,
    );
    await screen.findByRole('button', { name: 'Refreshing...' });
    state = 'connected';
    unread = 1;
    await client.invalidateQueries({ queryKey: connectionKey('hubspot') });
    expect(await screen.findByText('Reading the files, 1 of 2 done')).toBeTruthy();
    expect(screen.queryByText(/refreshed/)).toBeNull();
    expect(said()).toBeUndefined();
    unread = 0;
    await client.invalidateQueries({ queryKey: connectionKey('hubspot') });
    await waitFor(() => expect(said()).toBe('HubSpot data refreshed'));
    expect(screen.getByRole('button', { name: 'Refresh Data' })).toBeTruthy();
  });

  test('that a disconnection left are not called connected', async () => {
    server.use(
      http.get('*/api/v3/hubspot/status', () => HttpResponse.json({ ...STATUS, state: 'not_connected' })),
      http.get('*/api/v3/files', () => HttpResponse.json({ content: [], sources: [file('deals')] })),
    );
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Section />
      </QueryClientProvider>,
    );
    expect(await screen.findByText(/Not connected. These files stay as they are/)).toBeTruthy();
  });
});

describe('the choice of properties', () => {
  test('a change back to what is saved is none', () => {
    const once = withChange({}, FIELDS, 'deals', 'Amount', false);
    expect(countEdits(once)).toBe(1);
    const back = withChange(once, FIELDS, 'deals', 'Amount', true);
    expect(countEdits(back)).toBe(0);
  });

  test('is asked for with the address that a consent would come back to', async () => {
    const asked: (string | null)[] = [];
    show({});
    server.use(
      http.get('*/api/v3/hubspot/fields', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('redirect_uri'));
        return HttpResponse.json(FIELDS);
      }),
    );
    await screen.findByRole('button', { name: 'Deals' });
    expect(asked).toEqual([`${window.location.origin}/hubspot-callback`]);
  });

  test('search and Selected narrow the list, edits counted', () => {
    const names = (search: string, selectedOnly: boolean) =>
      shownProperties(FIELDS.deals, { 'Next step': true }, { search, selectedOnly }).map(
        (row) => row.property,
      );
    expect(names('', false)).toEqual(['Amount', 'Deal Stage', 'Next step']);
    expect(names('STAGE', false)).toEqual(['Deal Stage']);
    expect(names('', true)).toEqual(['Amount', 'Deal Stage', 'Next step']);
    expect(shownProperties(FIELDS.deals, { Amount: false }, { search: '', selectedOnly: true })).toHaveLength(
      1,
    );
  });

  test('Update Selection sends what changed only; where it cannot it reconnects, and the choice waits in this tab', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    const [sent, started]: [unknown[], unknown[]] = [[], []];
    server.use(
      http.post('*/api/v3/hubspot/fields', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({}, { status: 502 });
      }),
      http.post('*/api/v3/connections', async ({ request }) => {
        started.push(await request.json());
        return HttpResponse.json({ authorize_url: 'https://crm.example/consent' }, { status: 201 });
      }),
    );
    show({});
    fireEvent.click(await screen.findByRole('button', { name: 'Deals' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Next step' }));
    fireEvent.click(screen.getByRole('button', { name: 'Update Selection (1)' }));
    expect(await screen.findByRole('button', { name: 'Connecting...' })).toBeTruthy();
    expect(said()).toBe('Failed to update CRM Properties. Reconnecting to the CRM.');
    expect(sent).toEqual([{ fields: { deals: { 'Next step': true } } }]);
    expect(screen.getByRole('checkbox', { name: 'Next step' }).getAttribute('aria-checked')).toBe('true');
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://crm.example/consent'));
    expect(started).toEqual([
      { service: 'hubspot', redirect_uri: `${window.location.origin}/hubspot-callback` },
    ]);
    expect(JSON.parse(sessionStorage.getItem('crm-edits') ?? '')).toEqual({ deals: { 'Next step': true } });
    assign.mockRestore();
  });

  test('that is saved is forgotten', async () => {
    server.use(
      http.post('*/api/v3/hubspot/fields', () => HttpResponse.json('Successfully updated fields')),
      http.post('*/api/v3/hubspot/direct-export', () => HttpResponse.json({})),
    );
    show({});
    fireEvent.click(await screen.findByRole('button', { name: 'Deals' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Next step' }));
    fireEvent.click(screen.getByRole('button', { name: 'Update Selection (1)' }));
    await waitFor(() => expect(said()).toBe('Successfully updated fields'));
    expect(crmEditsToSend()).toBeNull();
    expect(sessionStorage.getItem('crm-edits')).toBeNull();
  });
});

describe('what moved', () => {
  const record = {
    id: '7',
    name: 'Harbour deal',
    kind: 'changed',
    seen_at: '2026-11-20T10:00:00Z',
    fields: [
      { field: 'Deal Stage', before: 'Qualified', after: 'Closed won' },
      { field: 'Next Step', before: 'Call', after: '' },
    ],
  };
  const answer = {
    file: 'hubspot_deals.csv',
    known_from: '2026-01-01T00:00:00Z',
    total: 1,
    records: [record],
  };

  function open() {
    const details = screen.getByText('What changed').closest('details');
    if (!details) throw new Error('nothing to open');
    details.open = true;
    fireEvent(details, new Event('toggle'));
  }

  test('is asked for when it is opened, and shows each field before and after', async () => {
    const asked: URLSearchParams[] = [];
    server.use(
      http.get('*/api/v3/hubspot/changes', ({ request }) => {
        asked.push(new URL(request.url).searchParams);
        return HttpResponse.json(answer);
      }),
    );
    show({});
    await screen.findByText('What changed');
    expect(asked).toHaveLength(0);
    open();
    const row = await screen.findByRole('listitem');
    expect(row.textContent).toContain('Harbour deal');
    expect(row.textContent).toContain('Deal Stage');
    expect(row.textContent).toMatch(/Qualified → Closed won/);
    expect(row.textContent).toMatch(/Call → –/);
    expect(within(row).getAllByRole('img', { name: 'no value' })).toHaveLength(1);
    expect(screen.getByText('1 record changed.')).toBeTruthy();
    expect(asked[0]?.get('category')).toBe('deals');
    fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'companies' } });
    await waitFor(() => expect(asked.at(-1)?.get('category')).toBe('companies'));
  });

  test('shows ten at first, and all on demand', async () => {
    const records = Array.from({ length: 12 }, (_, id) => ({ ...record, id: String(id) }));
    server.use(
      http.get('*/api/v3/hubspot/changes', () => HttpResponse.json({ ...answer, total: 12, records })),
    );
    show({});
    await screen.findByText('What changed');
    open();
    expect(await screen.findAllByRole('listitem')).toHaveLength(10);
    fireEvent.click(screen.getByRole('button', { name: 'Show all 12' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(12);
  });

  test('that cannot be loaded says so', async () => {
    server.use(http.get('*/api/v3/hubspot/changes', () => HttpResponse.json({}, { status: 500 })));
    show({});
    await screen.findByText('What changed');
    open();
    expect(await screen.findByText('What changed could not be loaded.')).toBeTruthy();
  });

  test('Monday is the last one that is over', () => {
    const monday = (day: number) => MOMENTS.monday?.of(new Date(2026, 10, day, 15)).getDate();
    expect([16, 17, 21, 22, 23].map(monday)).toEqual([9, 16, 16, 16, 16]);
  });

  test('what was before the first refresh is said to be unknown', () => {
    const since = new Date('2025-12-01T00:00:00Z');
    expect(summary({ known_from: null, total: 0, records: [] }, since)).toContain('Nothing can be said yet');
    expect(summary({ known_from: answer.known_from, total: 3, records: [] }, since)).toContain(
      '3 records changed since the first refresh',
    );
  });
});

test('disconnecting asks what becomes of the files', async () => {
  const asked: string[] = [];
  server.use(
    http.delete('*/api/v3/connections', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json([]);
    }),
  );
  show({});
  fireEvent.click(await screen.findByRole('button', { name: 'Disconnect' }));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Disconnect, keep files' }));
  fireEvent.click(screen.getByRole('button', { name: 'Disconnect, delete files' }));
  await waitFor(() => expect(said()).toBe('HubSpot disconnected'));
  expect(asked).toEqual(['?service=hubspot&data=delete']);
});
