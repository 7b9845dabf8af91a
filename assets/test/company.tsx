/** What the tests of the company's panels share: how they are shown, used, and saved to. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactElement } from 'react';
import { useToast } from 'stores/toast';
import { server } from 'test/server';

export const common = { product: 'Bob', footer: null, onClose: () => {} };
export const said = () => useToast.getState().toast?.content;
export const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

export function wrap(
  node: ReactElement,
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
) {
  return { client, ...render(<QueryClientProvider client={client}>{node}</QueryClientProvider>) };
}

/** A server that takes preferences, and what it was sent. */
export function servePreferences(status = 200) {
  const posted: unknown[] = [];
  server.use(
    http.post('*/api/v3/preferences', async ({ request }) => {
      const body = (await request.json()) as { user_preferences: string };
      posted.push(JSON.parse(body.user_preferences));
      return HttpResponse.json({}, { status });
    }),
  );
  return posted;
}
