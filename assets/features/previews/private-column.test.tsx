import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { beforeEach, expect, test } from 'vitest';
import { PrivateButton, PrivateNote } from './private-column';

const ROUTE = '*/api/v3/files/dictionary/privacy';
const PLACE = { fileName: 'people.csv', table: 'people', column: 'salary' };
const SAID = 'Private: no language model is told its name or its values.';
const told = (...columns: string[]) => ({ may_edit: true, tables: [{ name: 'people', columns }] });

function show(...columns: string[]) {
  server.use(http.get(ROUTE, () => HttpResponse.json(told(...columns))));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PrivateNote {...PLACE} />
      <PrivateButton {...PLACE} />
    </QueryClientProvider>,
  );
  return screen.findByRole('button', { name: 'Keep salary from language models' });
}

beforeEach(() => sessionStart('token', false));

test('a column becomes private and is one in words, and can be told again', async () => {
  const button = await show('name');
  const sent: unknown[] = [];
  server.use(
    http.put(ROUTE, async ({ request }) => {
      const change = (await request.json()) as { private: boolean };
      sent.push(change);
      return HttpResponse.json(told('name', ...(change.private ? ['salary'] : [])));
    }),
  );
  expect(button.getAttribute('aria-pressed')).toBe('false');
  expect(screen.queryByText(SAID)).toBeNull();
  fireEvent.click(button);
  expect(await screen.findByText(SAID)).toBeTruthy();
  expect(button.getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(button);
  await waitFor(() => expect(screen.queryByText(SAID)).toBeNull());
  expect(sent).toEqual(
    [true, false].map((wanted) => ({ table: 'people', column: 'salary', private: wanted })),
  );
});

test('what could not be changed stays as it was', async () => {
  const button = await show('salary');
  server.use(http.put(ROUTE, () => HttpResponse.json({}, { status: 500 })));
  fireEvent.click(button);
  await waitFor(() => expect(button.hasAttribute('disabled')).toBe(false));
  expect(screen.getByText(SAID)).toBeTruthy();
});
