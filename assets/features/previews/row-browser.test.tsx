import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStart } from 'api/session';
import type { ProfileTable } from 'api/types';
import { delay, HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { RowBrowser } from './row-browser';

const PAGE = 25;
const visits = Array.from({ length: 60 }, (_, at) => [at + 1, (at + 1) % 20 === 0 ? null : `Pier ${at % 4}`]);
const column = (name: string, missing: number) => ({
  name,
  type: 'text',
  role: 'dimension',
  unit: null,
  distinct: 4,
  missing,
  unique: false,
  minimum: null,
  maximum: null,
  values: [],
  histogram: null,
});
const table: ProfileTable = {
  name: 'visits',
  rows: visits.length,
  columns: [column('visit', 0), column('pier', 3)],
  sample: { columns: ['visit', 'pier'], rows: visits.slice(0, 10) },
  connections: [],
};
const ROUTE = '*/api/v3/files/rows';

function show() {
  const asked: string[] = [];
  server.use(
    http.get(ROUTE, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(`${query.get('search')}|${query.get('missing')}|${query.get('offset')}`);
      const words = (query.get('search') ?? '').toLowerCase();
      const found = visits.filter(
        ([, pier]) =>
          (!words || String(pier).toLowerCase().includes(words)) && (!query.get('missing') || pier === null),
      );
      const offset = Number(query.get('offset'));
      return HttpResponse.json({
        table: 'visits',
        columns: ['visit', 'pier'],
        rows: found.slice(offset, offset + PAGE),
        offset,
        matched: found.length,
        total: visits.length,
      });
    }),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RowBrowser fileName="visits.csv" table={table} onFilter={() => {}} />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), asked };
}

const rows = () => within(screen.getByRole('table')).getAllByRole('row').length - 1;

beforeEach(() => sessionStart('t', false));

describe('the rows of a file', () => {
  test('begin with the first seven, without a call', () => {
    const { asked } = show();
    expect(rows()).toBe(7);
    expect(screen.getByRole('status').textContent).toBe('The first 7 of 60 rows');
    expect(asked).toEqual([]);
  });

  test('are browsed page by page, there and back', async () => {
    const { user, asked } = show();
    await user.click(screen.getByRole('button', { name: 'Browse all rows' }));
    expect(await screen.findByText('Rows 1 to 25 of 60')).toBeTruthy();
    expect(rows()).toBe(25);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Rows 26 to 50 of 60')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Rows 51 to 60 of 60')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(await screen.findByText('Rows 26 to 50 of 60')).toBeTruthy();
    expect(asked).toEqual(['||0', '||25', '||50', '||25']);
  });

  test('are searched once the typing rests, and say how many were found among how many', async () => {
    const { user, asked } = show();
    await user.type(screen.getByRole('searchbox', { name: 'Search the rows of visits' }), 'PIER 1');
    expect(await screen.findByText('Rows 1 to 15 of 15, found among 60')).toBeTruthy();
    expect(asked).toEqual(['PIER 1||0']);
    await user.clear(screen.getByRole('searchbox'));
    expect(await screen.findByText('The first 7 of 60 rows')).toBeTruthy();
  });

  test('without a value are shown by column, as many as there are', async () => {
    const { user } = show();
    const which = screen.getByRole('combobox', { name: 'Which rows' });
    expect(
      within(which)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['All rows', 'Without pier (3)']);
    await user.selectOptions(which, 'pier');
    expect(await screen.findByText('Rows 1 to 3 of 3, found among 60')).toBeTruthy();
    expect(screen.getAllByLabelText('no value')).toHaveLength(3);
  });

  test('that nobody finds are told as that', async () => {
    const { user } = show();
    await user.type(screen.getByRole('searchbox'), 'moon');
    expect(await screen.findByText('No row holds “moon”.')).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Which rows' }), 'pier');
    expect(await screen.findByText('No row holds “moon” and lacks pier.')).toBeTruthy();
  });

  test('are waited for, and a failure can be tried again', async () => {
    const { user } = show();
    const message = 'Looking through the rows took too long. Please search for fewer words.';
    server.use(
      http.get(
        ROUTE,
        async () => {
          await delay(50);
          return HttpResponse.json({ error: { message, code: 'too_slow' } }, { status: 503 });
        },
        { once: true },
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Browse all rows' }));
    expect(screen.getByText('Looking through the rows...')).toBeTruthy();
    expect(await screen.findByText(message)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(rows()).toBe(25));
  });
});
