import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import type { ReactElement } from 'react';
import { server } from 'test/server';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Entry, Outcomes, Usage } from './api';
import { AuditPanel, LOAD_FAILED } from './audit-panel';
import { UsagePanel } from './usage-panel';

const nothing = () => {};
const panel = { footer: null, onBack: nothing, onClose: nothing };
const NONE: Outcomes = {
  asked: 0,
  answered: 0,
  asked_back: 0,
  declined: 0,
  failed: 0,
  stopped: 0,
  rated_up: 0,
  rated_down: 0,
};

function show(node: ReactElement) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{node}</QueryClientProvider>);
}

beforeEach(() => sessionStart('token', false));

describe('The usage', () => {
  const told = (usage: Partial<Usage>) => {
    const none: Usage = { month: NONE, members: [], weeks: [], models: { budget: null, each: [] } };
    server.use(http.get('*/api/v3/usage', () => HttpResponse.json({ ...none, ...usage })));
    show(<UsagePanel {...panel} />);
  };

  test('names how the questions of the month ended, by member and week', async () => {
    const asked = { ...NONE, asked: 1200, answered: 1000, declined: 200 };
    const weeks = [{ ...NONE, asked: 1, answered: 1, starts: '2024-11-04T00:00:00Z' }];
    told({ month: asked, members: [{ ...asked, id: 'a', name: 'Ada' }], weeks });
    const figures = (await screen.findByText('Questions')).closest('dl');
    expect(figures?.textContent).toContain('Questions1,200Answered1,000Asked back0Declined200');
    const members = within(screen.getByRole('region', { name: 'By member, last 30 days' }));
    expect(members.getByRole('listitem').textContent?.replace(/\s+/g, ' ')).toBe(
      'Ada1,200 questions · 1,000 answered · 200 declined ',
    );
    const week = within(screen.getByRole('region', { name: 'By week' })).getByRole('listitem');
    expect(week.textContent).toContain('Week of 4 Nov 2024');
    expect(week.textContent).toContain('1 question ·');
    expect(screen.getByRole('link').getAttribute('href')).toBe('/admin/threads/declinedanswer/');
  });

  test('tells what models took of which budget', async () => {
    told({ models: { budget: '20.00', each: [{ model: 'gpt', calls: 3, cost: '1.50' }] } });
    expect((await screen.findByText('gpt')).parentElement?.textContent).toContain('3 calls · cost 1.50');
    expect(screen.getByText('Monthly budget: 20.00')).toBeTruthy();
  });

  test('says so where nobody asked anything', async () => {
    told({});
    expect(await screen.findByText('Nobody has asked anything in the last eight weeks.')).toBeTruthy();
  });
});

describe('The audit log', () => {
  const entry = (id: string, more: Partial<Entry> = {}): Entry => ({
    id,
    at: '2024-11-04T10:00:00Z',
    who: 'ada',
    what: 'Source deleted',
    target: `${id}.csv`,
    address: '192.0.2.7',
    ...more,
  });

  test('says who did what, when and from where', async () => {
    const entries = [
      entry('deals'),
      entry('x', { who: '', what: 'Sign-in failed', target: '', address: null }),
    ];
    server.use(http.get('*/api/v3/audit-log', () => HttpResponse.json({ entries, more: false })));
    show(<AuditPanel {...panel} />);
    const deleted = (await screen.findByText('Source deleted: deals.csv')).closest('li');
    expect(deleted?.textContent?.replace(/\s+/g, ' ')).toMatch(/ada · 4 Nov 2024, \d\d:00 · 192\.0\.2\.7/);
    expect(screen.getByText('Sign-in failed').closest('li')?.textContent).toContain('Nobody signed in');
    expect(screen.queryByRole('button', { name: 'Show older entries' })).toBeNull();
  });

  test('goes back page by page', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/v3/audit-log', ({ request }) => {
        const before = new URL(request.url).searchParams.get('before');
        asked.push(before);
        const older = before !== null;
        return HttpResponse.json({ entries: [entry(older ? 'old' : 'new')], more: !older });
      }),
    );
    show(<AuditPanel {...panel} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Show older entries' }));
    expect(await screen.findByText('Source deleted: old.csv')).toBeTruthy();
    expect(screen.getByText('Source deleted: new.csv')).toBeTruthy();
    expect(asked).toEqual([null, '2024-11-04T10:00:00Z']);
  });

  test('can be asked for again where it could not be had', async () => {
    let failures = 1;
    server.use(
      http.get('*/api/v3/audit-log', () =>
        failures-- > 0
          ? HttpResponse.json({}, { status: 500 })
          : HttpResponse.json({ entries: [], more: false }),
      ),
    );
    show(<AuditPanel {...panel} />);
    expect(await screen.findByText(LOAD_FAILED)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing has been written down yet.')).toBeTruthy();
  });
});
