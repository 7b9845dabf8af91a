import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStart } from 'api/session';
import type { ProfileTable } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { Connections } from './connections';
import type { Join, Joins } from './joins-api';

const found: Join = {
  columns: ['customer'],
  table: 'customers',
  table_columns: ['id'],
  refers: true,
  direction: 'many_to_one',
  match_rate: 0.98,
  loose: false,
  standing: 'found',
  by: '',
  at: null,
};
const settled = (more: Partial<Join>): Join => ({
  ...found,
  by: 'Ada',
  at: '2020-01-01T00:00:00Z',
  ...more,
});
const columns = [
  { name: 'id', type: 'integer' },
  { name: 'pier', type: 'text' },
];
const joins = (ways: Join[], more: Partial<Joins> = {}): Joins => ({
  file_name: 'orders.csv',
  may_edit: true,
  tables: [{ table: 'orders', columns, joins: ways }],
  others: [
    { display_name: 'customers', table: 'customers', columns },
    { display_name: 'Port - Berths', table: 'Port - Berths', columns: [{ name: 'berth', type: 'text' }] },
  ],
  ...more,
});
const profile: ProfileTable = {
  name: 'orders',
  rows: 40,
  columns: [],
  sample: { columns: [], rows: [] },
  connections: [
    { columns: ['customer'], table: 'customers', table_columns: ['id'], match_rate: 0.98, refers: true },
  ],
};
const SENTENCE = 'customer matches customers: 98% of rows find their match';
const ROUTE = '*/api/v3/files/dictionary/joins';

/** `replies`: what changes answer, one after the other. */
function show(told: Joins | null, replies: Joins[] = [], table = profile) {
  const sent: unknown[] = [];
  const reply = async ({ request }: { request: Request }) => {
    sent.push(await request.json());
    return HttpResponse.json(replies.shift());
  };
  server.use(
    http.get(ROUTE, () => (told ? HttpResponse.json(told) : HttpResponse.json({}, { status: 500 }))),
    http.put(ROUTE, reply),
    http.post(`${ROUTE}/undo`, reply),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Connections fileName="orders.csv" table={table} />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), sent };
}

const way = {
  table: 'orders',
  columns: ['customer'],
  other_table: 'customers',
  other_columns: ['id'],
};

beforeEach(() => sessionStart('t', false));

describe('the connections of a file', () => {
  test('are told with direction, match and who settled them; members change nothing', async () => {
    show(
      joins(
        [
          found,
          settled({
            table: 'lines',
            refers: false,
            direction: 'one_to_many',
            match_rate: 1,
            standing: 'confirmed',
          }),
          settled({ table: 'berths', standing: 'drawn', loose: true }),
          settled({ table: 'moons', standing: 'refused', match_rate: null, direction: null }),
        ],
        { may_edit: false },
      ),
    );
    await screen.findByText('Admins of your organization can change connections.');
    const texts = screen
      .getAllByRole('listitem')
      .map((item) => item.textContent?.replace(/\s+/g, ' ').trim());
    expect(texts).toEqual([
      `${SENTENCE}Many to one · customer = id · Found in the data`,
      'lines matches these rows by its id: every row finds its matchOne to many · customer = id · Confirmed by Ada, 1 Jan 2020',
      'customer matches berths: 98% of rows find their matchMany to one · customer = id · compared loosely · Drawn by hand by Ada, 1 Jan 2020',
      'customer and id of moons have nothing in common any morecustomer = id · Refused by Ada, 1 Jan 2020 · answers do not use it',
    ]);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('are confirmed, refused and taken back with one click each', async () => {
    const { user, sent } = show(joins([found]), [
      joins([settled({ standing: 'refused' })]),
      joins([settled({ standing: 'confirmed' })]),
      joins([found]),
    ]);
    await user.click(
      await screen.findByRole('button', { name: 'Refuse the connection of customer and customers' }),
    );
    expect(await screen.findByText(/Refused by Ada/)).toBeTruthy();
    expect(screen.getByText(/answers do not use it/)).toBeTruthy();
    await user.click(
      screen.getByRole('button', { name: 'Confirm the connection of customer and customers' }),
    );
    expect(await screen.findByText(/Confirmed by Ada/)).toBeTruthy();
    await user.click(
      screen.getByRole('button', {
        name: 'Undo the last change of the connection of customer and customers',
      }),
    );
    expect(await screen.findByText(/Found in the data/)).toBeTruthy();
    expect(sent).toEqual([{ ...way, verdict: 'refused' }, { ...way, verdict: 'confirmed' }, way]);
  });

  test('are drawn by hand from a column to a column of another file', async () => {
    const drawn = settled({
      columns: ['pier'],
      table: 'Port - Berths',
      table_columns: ['berth'],
      standing: 'drawn',
    });
    const { user, sent } = show(joins([]), [joins([drawn])]);
    expect(await screen.findByText(/No connection to another file was found/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Draw a connection' }));
    const form = screen.getByRole('form', { name: 'A connection by hand' });
    const mine = within(form).getByRole('combobox', { name: 'Column of this file' });
    const other = within(form).getByRole('combobox', { name: 'Other file' });
    expect(document.activeElement).toBe(other);
    await user.selectOptions(mine, 'pier');
    await user.selectOptions(other, 'Port - Berths');
    expect(
      within(form).getByRole<HTMLSelectElement>('combobox', { name: 'Its column with the same things' })
        .value,
    ).toBe('berth');
    await user.click(within(form).getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText(/Drawn by hand by Ada/)).toBeTruthy();
    expect(screen.queryByRole('form')).toBeNull();
    expect(sent).toEqual([
      {
        table: 'orders',
        columns: ['pier'],
        other_table: 'Port - Berths',
        other_columns: ['berth'],
        verdict: 'drawn',
      },
    ]);
  });

  test('are drawn by several pairs of columns where one alone does not tell', async () => {
    const drawn = settled({ columns: ['id', 'pier'], table_columns: ['id', 'pier'], standing: 'drawn' });
    const { user, sent } = show(joins([]), [joins([drawn])]);
    await user.click(await screen.findByRole('button', { name: 'Draw a connection' }));
    await user.click(screen.getByRole('button', { name: 'And another pair of columns' }));
    const second = screen.getByRole('group', { name: 'Pair 2 of columns' });
    const mine = within(second).getByRole<HTMLSelectElement>('combobox', {
      name: 'Column of this file, pair 2',
    });
    expect(document.activeElement).toBe(mine);
    expect([...mine.options].map(({ value }) => value)).toEqual(['pier']); // each column once
    expect(screen.queryByRole('button', { name: 'And another pair of columns' })).toBeNull();
    await user.click(within(second).getByRole('button', { name: 'Leave out pair 2' }));
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Other file' }));
    expect(screen.queryByRole('button', { name: /^Leave out/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'And another pair of columns' }));
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('id and pier match customers: 98% of rows find their match')).toBeTruthy();
    expect(sent).toEqual([
      {
        table: 'orders',
        columns: ['id', 'pier'],
        other_table: 'customers',
        other_columns: ['id', 'pier'],
        verdict: 'drawn',
      },
    ]);
  });

  test('that cannot be are refused in the form, and what was chosen stays', async () => {
    const message = 'pier of orders and berth of berths have no value in common.';
    const { user } = show(joins([]));
    server.use(
      http.put(ROUTE, () => HttpResponse.json({ error: { message, code: 'no_match' } }, { status: 400 })),
    );
    await user.click(await screen.findByRole('button', { name: 'Draw a connection' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Column of this file' }), 'pier');
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Column of this file' }).value).toBe(
      'pier',
    );
  });

  test('say why a change did not hold', async () => {
    const { user } = show(joins([found]));
    server.use(http.put(ROUTE, () => HttpResponse.json({}, { status: 500 })));
    await user.click(
      await screen.findByRole('button', { name: 'Refuse the connection of customer and customers' }),
    );
    await waitFor(() =>
      expect(useToast.getState().toast?.content).toBe(
        'The connection could not be changed. Please try again.',
      ),
    );
    expect(screen.getByText(/Found in the data/)).toBeTruthy();
  });

  test('stand there as they were found while the rest is not to be had, with another try', async () => {
    const { user } = show(null);
    expect(screen.getByText(SENTENCE)).toBeTruthy();
    expect(await screen.findByText('What can be changed here could not be loaded.')).toBeTruthy();
    expect(screen.getByText(SENTENCE)).toBeTruthy();
    server.use(http.get(ROUTE, () => HttpResponse.json(joins([found]))));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/Found in the data/)).toBeTruthy();
  });

  test('are waited for where none was found yet', async () => {
    show(joins([], { others: [] }), [], { ...profile, connections: [] });
    expect(screen.getByText('Loading connections...')).toBeTruthy();
    expect(await screen.findByText('No connection to another file was found.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Draw a connection' })).toBeNull();
  });
});
