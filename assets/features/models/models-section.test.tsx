import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { beforeEach, expect, test } from 'vitest';
import type { ModelsSetUp, WantedModel } from './api';
import { ModelsSection } from './models-section';
import type { ModelPolicy } from './policy-section';

const OWN = {
  id: 'm1',
  name: 'local-7b',
  provider: 'openai',
  base_url: 'https://m.example/v1',
  input_price: 2,
  output_price: 8,
};
const SHARED = {
  id: null,
  name: 'OpenAI gpt',
  provider: 'openai',
  base_url: '',
  input_price: 0,
  output_price: 0,
};

const policy = (now: ModelsSetUp): ModelPolicy => ({
  may_manage: now.may_manage,
  told: 'values',
  first: 'own:local-7b',
  choices: [
    { id: 'builtin', name: 'Built-in analyst' },
    { id: 'own:local-7b', name: 'local-7b' },
  ],
});

function show(first: Partial<ModelsSetUp>) {
  const now: ModelsSetUp = { may_manage: true, models: [], monthly_budget: 0, spent: 0, ...first };
  server.use(
    http.get('*/api/v3/models/own', () => HttpResponse.json(now)),
    http.get('*/api/v3/models/policy', () => HttpResponse.json(policy(now))),
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ModelsSection />
    </QueryClientProvider>,
  );
  return now;
}

beforeEach(() => sessionStart('token', false));

test('without a model it is said what one would add, and who may add one', async () => {
  show({ may_manage: false });
  expect(await screen.findByText(/The built-in analyst answers/)).toBeTruthy();
  expect(screen.getByText('An admin of your organization can add models.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('models of the installation are marked, and nobody tries or removes them here', async () => {
  show({ models: [SHARED] });
  expect(await screen.findByText('Of this installation')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  expect(screen.queryByLabelText(/^Monthly budget/)).toBeNull();
});

test('a model is added with its address, key and prices, and its key is gone from the page', async () => {
  const now = show({});
  const sent: WantedModel[] = [];
  server.use(
    http.post('*/api/v3/models/own', async ({ request }) => {
      sent.push((await request.json()) as WantedModel);
      return HttpResponse.json({ ...now, models: [OWN] }, { status: 201 });
    }),
    http.get('*/api/v3/models', () => HttpResponse.json([])),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Add a model' }));
  fireEvent.change(screen.getByLabelText('Provider'), { target: { value: 'other' } });
  fireEvent.change(screen.getByLabelText('Address'), { target: { value: OWN.base_url } });
  fireEvent.change(screen.getByLabelText('Key, if it needs one'), { target: { value: 'secret' } });
  fireEvent.change(screen.getByLabelText('Model'), { target: { value: OWN.name } });
  fireEvent.change(screen.getByLabelText('Price told'), { target: { value: '2,5' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText(OWN.name)).toBeTruthy();
  expect(sent).toEqual([
    {
      provider: 'openai',
      key: 'secret',
      base_url: OWN.base_url,
      model: OWN.name,
      input_price: 2.5,
      output_price: 0,
    },
  ]);
  expect(document.body.innerHTML).not.toContain('secret');
});

test('a test says what it took, which is spent then, or why the model is of no use', async () => {
  const now = show({ models: [OWN] });
  await screen.findByRole('button', { name: 'Test' });
  server.use(http.get('*/api/v3/models/own', () => HttpResponse.json({ ...now, spent: 0.0021 })));
  server.use(
    http.post('*/api/v3/models/own/test', () =>
      HttpResponse.json({ works: true, message: 'It answered.', seconds: 1.25, cost: 0.0021 }),
    ),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }));
  expect(await screen.findByText('It answered. It took 1.3 s and cost 0.0021.')).toBeTruthy();
  expect(await screen.findByText(/^0.0021 spent this month/)).toBeTruthy();
  server.use(
    http.post('*/api/v3/models/own/test', () =>
      HttpResponse.json({ works: false, message: 'Not a query.', seconds: 1, cost: 0 }),
    ),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Not a query. It took 1.0 s and cost 0.00.');
});

test('a budget is saved, and a refusal is told beside it', async () => {
  const now = show({ models: [OWN], spent: 1.5 });
  const field = await screen.findByLabelText('Monthly budget for your models');
  expect(screen.getByText(/1.50 spent this month/)).toBeTruthy();
  fireEvent.change(field, { target: { value: '-1' } });
  server.use(
    http.put('*/api/v3/models/own', () =>
      HttpResponse.json(
        { error: { code: 'invalid', message: 'A budget is a figure from 0 on.' } },
        { status: 400 },
      ),
    ),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Save budget' }));
  expect((await screen.findByRole('alert')).textContent).toContain('figure from 0 on');
  server.use(http.put('*/api/v3/models/own', () => HttpResponse.json({ ...now, monthly_budget: 7 })));
  fireEvent.change(field, { target: { value: '7' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save budget' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save budget' })).toBeNull());
});

test('a list that cannot be loaded says so and is asked for again', async () => {
  server.use(http.get('*/api/v3/models/own', () => HttpResponse.json({}, { status: 500 })));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ModelsSection />
    </QueryClientProvider>,
  );
  expect(await screen.findByText('The models could not be loaded.')).toBeTruthy();
});

test('an admin chooses what models see and who answers first, and is told what that means', async () => {
  const now = show({ models: [OWN] });
  const sent: unknown[] = [];
  server.use(
    http.put('*/api/v3/models/policy', async ({ request }) => {
      const change = (await request.json()) as Partial<ModelPolicy>;
      sent.push(change);
      return HttpResponse.json({ ...policy(now), ...change });
    }),
  );
  const level = await screen.findByLabelText<HTMLSelectElement>('What models see');
  expect(level.value).toBe('values');
  fireEvent.change(level, { target: { value: 'names' } });
  await waitFor(() => expect(level.value).toBe('names'));
  expect(screen.getByText(/^Names and types of tables and columns/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Who answers first'), { target: { value: 'builtin' } });
  await waitFor(() => expect(sent).toEqual([{ told: 'names' }, { first: 'builtin' }]));
});

test('a member reads what models see and changes nothing', async () => {
  show({ models: [OWN], may_manage: false });
  expect(await screen.findByText('Language models see names and matching values.')).toBeTruthy();
  expect(screen.queryByLabelText('What models see')).toBeNull();
});

test('what the server refuses is said, and the choice stays as it was', async () => {
  show({ models: [OWN] });
  server.use(
    http.put('*/api/v3/models/policy', () =>
      HttpResponse.json({ error: { message: 'Only an admin may.', code: 'refused' } }, { status: 403 }),
    ),
  );
  const level = await screen.findByLabelText<HTMLSelectElement>('What models see');
  fireEvent.change(level, { target: { value: 'ranges' } });
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(level.value).toBe('values');
});
