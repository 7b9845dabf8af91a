import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { expect, test } from 'vitest';
import { Greeting } from './greeting';

test('only a new conversation asks for other example questions, and keeps their place meanwhile', async () => {
  sessionStart('t', false);
  let asked = 0;
  server.use(
    http.get('*/api/v3/question-suggestions', () => {
      asked += 1;
      return HttpResponse.json(
        [1, 2, 3, 4].map((nth) => ({ suggested_question: `Question ${nth} of ${asked}` })),
      );
    }),
  );
  const client = new QueryClient();
  const open = () =>
    render(
      <QueryClientProvider client={client}>
        <Greeting name="Mara" disabled={false} hasData onPick={() => {}} />
      </QueryClientProvider>,
    );
  const { unmount } = open();
  expect(await screen.findByText('Question 1 of 1')).toBeTruthy();
  for (const line of ['offline', 'online']) act(() => void window.dispatchEvent(new Event(line)));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.getByText('Question 1 of 1')).toBeTruthy();
  unmount();
  open();
  expect(screen.queryByRole('list', { name: 'Example questions' })).toBeNull();
  expect(await screen.findByText('Question 1 of 2')).toBeTruthy();
});
