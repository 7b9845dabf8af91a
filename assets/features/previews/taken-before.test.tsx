import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStart } from 'api/session';
import type { ProfileTable } from 'api/types';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { expect, test } from 'vitest';
import type { Dictionary } from './dictionary-api';
import { DictionaryView } from './dictionary-view';

const ROUTE = '*/api/v3/files/dictionary';
const rows = { row: 'order', rows: 'orders', date_column: null };
const told: Dictionary = {
  file_name: 'orders.csv',
  may_edit: true,
  tables: [
    {
      name: 'orders',
      ...rows,
      found: rows,
      key_column: null,
      name_column: null,
      taught: { said: { before: ['orders copy'] }, by: 'Ada', at: '2026-05-01T10:00:00Z' },
      columns: [],
    },
  ],
};

const profile: ProfileTable = {
  name: 'orders',
  rows: 0,
  columns: [],
  sample: { columns: [], rows: [] },
  connections: [],
};

/** What is said once the form was changed and saved. */
async function saved(change: (user: ReturnType<typeof userEvent.setup>) => Promise<void>): Promise<unknown> {
  sessionStart('t', false);
  const sent: { said: unknown }[] = [];
  server.use(
    http.get(`${ROUTE}/privacy`, () => HttpResponse.json({ may_edit: true, tables: [] })),
    http.get(ROUTE, () => HttpResponse.json(told)),
    http.put(ROUTE, async ({ request }) => {
      sent.push((await request.json()) as { said: unknown });
      return HttpResponse.json(told);
    }),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DictionaryView fileName="orders.csv" table={profile} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  expect(await screen.findByText(/taken before orders copy/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Edit what one row is' }));
  await change(user);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  return sent[0]?.said;
}

test('that a file comes before another is said, and stays when something else is changed', async () => {
  const said = await saved((user) => user.type(screen.getByRole('textbox', { name: 'One row is one' }), 's'));
  expect(said).toEqual({ row: 'orders', before: ['orders copy'] });
});

test('a file that came before another can be put back among the others', async () => {
  const said = await saved((user) =>
    user.click(screen.getByRole('switch', { name: /^Taken before orders copy where/ })),
  );
  expect(said).toEqual({});
});
