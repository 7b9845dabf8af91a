import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { beforeEach, expect, test } from 'vitest';
import { ToldLine } from './told-line';

const TURNS = [
  { by: 'rules', text: 'You write queries.' },
  { by: 'us', text: 'table "deals"\nQuestion: How many?' },
  { by: 'model', text: '{"sql": "SELECT 1"}' },
];

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ToldLine models={['Model M']} threadId="t1" messageId="m1" />
    </QueryClientProvider>,
  );
  expect(screen.getByText(/Sent to Model M\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'What a model sees' }));
}

beforeEach(() => sessionStart('token', false));

test('the exact prompt and reply of an answer open, the rules folded', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/v3/answers/told', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ models: [{ name: 'Model M', gave_way: true, turns: TURNS }] });
    }),
  );
  show();
  const popup = await screen.findByRole('dialog', { name: 'What a model sees' });
  const model = await within(popup).findByRole('region', { name: 'Model M' });
  expect(within(model).getByText(/gave no answer that could be used/)).toBeTruthy();
  expect([...model.querySelectorAll('pre')].map((text) => text.textContent)).toEqual(
    TURNS.map(({ text }) => text),
  );
  expect(within(model).getByText('You write queries.').closest('details')?.open).toBe(false);
  expect(asked).toEqual(['?thread_id=t1&message_id=m1']);
  fireEvent.click(within(popup).getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('where the models gave no answer it is said why, and who answered', () => {
  const { rerender } = render(<ToldLine models={['Model M']} instead="" threadId="t1" messageId="m1" />);
  expect(screen.getByText(/^The built-in analyst answered instead\. Sent to Model M\./)).toBeTruthy();
  rerender(<ToldLine models={[]} instead="The budget is spent." threadId="t1" messageId="m1" />);
  expect(screen.getByText('The budget is spent. The built-in analyst answered instead.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('what cannot be loaded is said, with another try', async () => {
  server.use(http.get('*/api/v3/answers/told', () => HttpResponse.json({}, { status: 500 })));
  show();
  expect(await screen.findByText('What was sent could not be loaded.')).toBeTruthy();
});
