import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStart } from 'api/session';
import type { ProfileTable } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type ColumnMeaning,
  type Dictionary,
  type DictionaryColumn,
  NOTHING_TO_UNDO,
} from './dictionary-api';
import { draftOf, saidOf } from './dictionary-draft';
import { DictionaryView } from './dictionary-view';

const meaning = (label: string, more: Partial<ColumnMeaning> = {}): ColumnMeaning => ({
  label,
  kind: 'measure',
  concept: 'general.amount',
  concept_label: 'amount',
  may_mean: [
    { concept: 'general.amount', label: 'amount' },
    { concept: 'shop.net', label: 'net sales' },
  ],
  adds: 'sum',
  unit: null,
  values: {},
  synonyms: [],
  value_synonyms: {},
  ...more,
});
const column = (name: string, found: ColumnMeaning, more: Partial<DictionaryColumn> = {}) => ({
  name,
  ...found,
  found,
  taught: null,
  ...more,
});

const amount = column('NET_AMT', meaning('net amount'));
const flag = column(
  'RTN_FLG',
  meaning('return flag', {
    kind: 'flag',
    adds: null,
    concept: null,
    concept_label: null,
    may_mean: [],
    values: { Y: 'returned' },
  }),
);
const rows = { row: 'order', rows: 'orders', date_column: null };
const dictionary = (more: Partial<Dictionary> = {}, columns = [amount, flag]): Dictionary => ({
  file_name: 'orders.csv',
  may_edit: true,
  tables: [
    {
      name: 'orders',
      ...rows,
      found: rows,
      key_column: 'ORD_ID',
      name_column: null,
      taught: null,
      columns,
    },
  ],
  ...more,
});

const profile: ProfileTable = {
  name: 'orders',
  rows: 40,
  columns: [
    {
      name: 'RTN_FLG',
      type: 'text',
      role: 'dimension',
      unit: null,
      distinct: 2,
      missing: 0,
      unique: false,
      minimum: null,
      maximum: null,
      values: [
        { value: 'Y', count: 20 },
        { value: 'N', count: 20 },
      ],
      histogram: null,
    },
  ],
  sample: { columns: [], rows: [] },
  connections: [],
};

const ROUTE = '*/api/v3/files/dictionary';

function show(told: Dictionary | null) {
  const sent: unknown[] = [];
  server.use(
    http.get(`${ROUTE}/privacy`, () => HttpResponse.json({ may_edit: true, tables: [] })),
    http.get(ROUTE, () => (told ? HttpResponse.json(told) : HttpResponse.json({}, { status: 500 }))),
    http.put(ROUTE, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(
        dictionary({}, [
          {
            ...amount,
            label: 'takings',
            taught: { said: { label: 'takings' }, by: 'Ada', at: '2026-01-01T00:00:00Z' },
          },
          flag,
        ]),
      );
    }),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <DictionaryView fileName="orders.csv" table={profile} />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), sent };
}

beforeEach(() => sessionStart('t', false));

describe('what a file means', () => {
  test('is told in words: the rows, each column, its flags', async () => {
    show(dictionary({ may_edit: false }));
    expect((await screen.findByText(/One row is one/)).textContent).toBe('One row is one order.');
    expect(screen.getByText('told apart by ORD_ID')).toBeTruthy();
    const [first, second] = within(screen.getByRole('list', { name: 'What the columns mean' })).getAllByRole(
      'listitem',
    );
    expect(first?.textContent).toContain('net amount NET_AMT');
    expect(first?.textContent).toContain('amount · A figure · Adds up');
    expect(second?.textContent).toContain('Y: returned');
  });

  test("has each column's stored name beside the readable one only where they differ", async () => {
    show(dictionary({}, [column('region', meaning('region')), column('REGION_CD', meaning('region code'))]));
    expect(await screen.findByText('REGION_CD')).toBeTruthy();
    expect(screen.getAllByText('region')).toHaveLength(1);
  });

  test('is changed by admins alone', async () => {
    show(dictionary({ may_edit: false }));
    expect(await screen.findByText('Admins of your organization can change what is said here.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('is said anew: only what differs from what was found is sent, and it shows who said it', async () => {
    const { user, sent } = show(dictionary());
    await user.click(await screen.findByRole('button', { name: 'Edit what NET_AMT means' }));
    const name = screen.getByRole('textbox', { name: 'Readable name' });
    await user.clear(name);
    await user.type(name, 'takings');
    await user.type(screen.getByRole('textbox', { name: 'Also called' }), 'turnover, revenue, turnover');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Meaning' }), 'net sales');
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'How it adds up' }),
      'The last value counts',
    );
    await user.type(screen.getByRole('textbox', { name: 'Unit or currency' }), 'EUR');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/Changed by Ada/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(sent).toEqual([
      {
        table: 'orders',
        column: 'NET_AMT',
        said: {
          label: 'takings',
          concept: 'shop.net',
          adds: 'last',
          unit: 'EUR',
          synonyms: ['turnover', 'revenue'],
        },
      },
    ]);
  });

  test('a flag gets meanings and other words for its values', async () => {
    const { user, sent } = show(dictionary());
    await user.click(await screen.findByRole('button', { name: 'Edit what RTN_FLG means' }));
    expect(screen.queryByRole('combobox', { name: 'How it adds up' })).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'N means' }), 'kept');
    await user.type(screen.getByRole('textbox', { name: 'Y is also called' }), 'sent back');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          table: 'orders',
          column: 'RTN_FLG',
          said: { values: { N: 'kept' }, value_synonyms: { Y: ['sent back'] } },
        },
      ]),
    );
  });

  test('the rows get the noun that people use', async () => {
    const { user, sent } = show(dictionary());
    await user.click(await screen.findByRole('button', { name: 'Edit what one row is' }));
    const one = screen.getByRole('textbox', { name: 'One row is one' });
    expect(document.activeElement).toBe(one);
    await user.clear(one);
    await user.type(one, 'receipt');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual([{ table: 'orders', column: '', said: { row: 'receipt' } }]));
    const opener = screen.getByRole('button', { name: 'Edit what one row is' });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  test('the date that periods go by is chosen among the dates of the table', async () => {
    const dated = (name: string, label: string) => column(name, meaning(label, { kind: 'time', adds: null }));
    const told = dictionary({}, [amount, dated('ORD_DT', 'order date'), dated('SHP_DT', 'ship date')]);
    const of = { ...rows, date_column: 'ORD_DT' };
    const { user, sent } = show({
      ...told,
      tables: told.tables.map((one) => ({ ...one, ...of, found: of })),
    });
    await user.click(await screen.findByRole('button', { name: 'Edit what one row is' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Periods go by' }), 'ship date');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent).toEqual([{ table: 'orders', column: '', said: { date_column: 'SHP_DT' } }]),
    );
  });

  test('a refusal stands in the form, and what was typed stays', async () => {
    const { user } = show(dictionary());
    server.use(
      http.put(ROUTE, () =>
        HttpResponse.json({ error: { message: 'label is too long.', code: 'too_long' } }, { status: 400 }),
      ),
    );
    await user.click(await screen.findByRole('button', { name: 'Edit what NET_AMT means' }));
    await user.type(screen.getByRole('textbox', { name: 'Readable name' }), ' x');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('label is too long.');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Readable name' }).value).toBe(
      'net amount x',
    );
  });

  test('the last change is undone, and a failure is told', async () => {
    const taught = {
      ...amount,
      label: 'takings',
      taught: { said: { label: 'takings' }, by: 'Ada', at: '2026-01-01T00:00:00Z' },
    };
    const { user } = show(dictionary({}, [taught]));
    const undone: unknown[] = [];
    server.use(http.post(`${ROUTE}/undo`, () => HttpResponse.json({}, { status: 500 }), { once: true }));
    await user.click(await screen.findByRole('button', { name: 'Undo the last change of NET_AMT' }));
    await waitFor(() => expect(useToast.getState().toast?.content).toBe(NOTHING_TO_UNDO));
    server.use(
      http.post(`${ROUTE}/undo`, async ({ request }) => {
        undone.push(await request.json());
        return HttpResponse.json(dictionary());
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Undo the last change of NET_AMT' }));
    expect(await screen.findByText('net amount')).toBeTruthy();
    expect(undone).toEqual([{ table: 'orders', column: 'NET_AMT' }]);
    expect(screen.queryByText(/Changed by/)).toBeNull();
  });

  test('that cannot be loaded can be tried again', async () => {
    const { user } = show(null);
    server.use(http.get(ROUTE, () => HttpResponse.json({}, { status: 500 }), { once: true }));
    expect(await screen.findByText('What this file means could not be loaded.')).toBeTruthy();
    server.use(http.get(ROUTE, () => HttpResponse.json(dictionary())));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/One row is one/)).toBeTruthy();
  });

  test('of which nothing is known says so', async () => {
    show(dictionary({ tables: [] }));
    expect(await screen.findByText('Nothing is known of this table yet.')).toBeTruthy();
  });
});

describe('what is said of a column', () => {
  test('is nothing where nothing was changed, and everything that was taught stays', () => {
    expect(saidOf(draftOf(amount), amount.found)).toEqual({});
    const taught = { ...amount, unit: 'EUR', synonyms: ['turnover'] };
    expect(saidOf(draftOf(taught), taught.found)).toEqual({ unit: 'EUR', synonyms: ['turnover'] });
  });

  test('may be that it has no unit, no meaning and no words for a value', () => {
    const found = meaning('share', { unit: '%', values: { Y: 'returned' } });
    const draft = { ...draftOf(column('share', found)), unit: '', concept: '', values: { Y: ' ' } };
    expect(saidOf(draft, found)).toEqual({ unit: '', concept: '', values: { Y: '' } });
  });
});
