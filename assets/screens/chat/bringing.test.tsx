import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { contextFilesSet, useContextFiles } from 'stores/context-files';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { source } from 'test/spec-stage';
import { beforeEach, describe, expect, test } from 'vitest';
import { ChatScreen } from './chat-screen';

const ME = { username: 'demo', email: '', name: 'Mara', organization: 'Acme', role: 'admin' };
const QUESTION = 'What is the total amount by region?';
const DEALS = { ...source, file_name: 'deals.csv', display_name: 'deals' };

/** The chat over a server that takes files and has read them at once; what it was asked and sent. */
async function open() {
  const asked: Record<string, unknown>[] = [];
  let sent = 0;
  server.use(
    http.get('*/api/v3/me', () => HttpResponse.json(ME)),
    http.get('*/api/v3/preferences', () =>
      HttpResponse.json({ explanation: '', user_preferences: '{"audio":false}' }),
    ),
    http.get('*/api/v3/models', () => HttpResponse.json([])),
    http.get('*/api/v3/files', () => HttpResponse.json({ content: [], sources: [DEALS] })),
    http.post('*/api/v3/files', () => {
      sent += 1;
      const orders = { ...source, file_name: 'orders.csv', display_name: 'orders', state: 'received' };
      return HttpResponse.json({ failed_uploads: 0, sources: [orders], errors: [] });
    }),
    http.get('*/api/v3/question-suggestions/brought', () =>
      HttpResponse.json({
        ready: true,
        files: [{ file_name: 'orders.csv', display_name: 'orders', rows: 3, noun: 'orders', period: '' }],
        questions: [{ text: QUESTION, file_name: 'orders.csv' }],
      }),
    ),
    http.get('*/api/v3/question-suggestions', () =>
      HttpResponse.json([{ suggested_question: 'How many deals?' }]),
    ),
    http.post('*/api/v3/socket-ticket', () => HttpResponse.json({}, { status: 503 })),
    http.post('*/api/v3/ask', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      if (body.prompt) asked.push(body);
      return body.give ? HttpResponse.json([]) : HttpResponse.json({}, { status: 500 });
    }),
  );
  window.history.replaceState(null, '', '/chat');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ChatScreen />
    </QueryClientProvider>,
  );
  const message = await screen.findByRole('textbox', { name: 'Message' });
  await waitFor(() => expect(client.getQueryData(keys.sources)).toHaveLength(1));
  return { asked, message, sent: () => sent };
}

const dragged = (...names: string[]) => ({
  dataTransfer: { types: ['Files'], files: names.map((name) => new File(['a,b\n1,2\n'], name)) },
});
const card = () => screen.findByRole('region', { name: 'What you brought' });

describe('files dropped on the chat', () => {
  beforeEach(() => sessionStart('t', false));

  test('show where they may be let go, are sent, and are told of; a click on a question asks it', async () => {
    const { asked, message } = await open();
    fireEvent.dragEnter(message, dragged('orders.csv'));
    expect(screen.getByText('Drop .csv or .xlsx files')).toBeTruthy();
    fireEvent.drop(message, dragged('orders.csv'));
    expect(screen.queryByText('Drop .csv or .xlsx files')).toBeNull();
    expect((await card()).textContent).toContain('orders: 3 orders');
    expect(screen.queryByRole('list', { name: 'Example questions' })).toBeNull();
    fireEvent.click(within(await card()).getByRole('button', { name: QUESTION }));
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ prompt: QUESTION, user_specified_files: ['orders.csv'] });
    expect(screen.queryByRole('region', { name: 'What you brought' })).toBeNull();
  });

  test('are refused by the words of Manage Data, and the others are taken', async () => {
    const { message, sent } = await open();
    fireEvent.drop(message, dragged('notes.txt', 'deals.csv', 'orders.csv'));
    const told = await screen.findByRole('alert');
    expect(told.textContent).toContain('does not support this file type yet.');
    expect(told.textContent).toContain('A file with the name: deals.csv already exists.');
    await card();
    expect(sent()).toBe(1);
    expect(useToast.getState().toast?.content).toBe('Failed to upload files: 2');
  });

  test('onto the open Manage Data panel are sent once', async () => {
    const { sent } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Manage Data' }));
    const panel = await screen.findByRole('heading', { name: 'Manage Data' });
    fireEvent.dragEnter(panel, dragged('orders.csv'));
    expect(screen.getAllByText('Drop .csv or .xlsx files')).toHaveLength(1);
    fireEvent.drop(panel, dragged('orders.csv'));
    await card();
    expect(sent()).toBe(1);
  });

  test('are told of until they are dismissed or something is asked', async () => {
    const { message } = await open();
    fireEvent.drop(message, dragged('orders.csv'));
    fireEvent.click(within(await card()).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('region', { name: 'What you brought' })).toBeNull();
    expect(await screen.findByRole('list', { name: 'Example questions' })).toBeTruthy();
  });

  test('can be chosen from the paper clip instead', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Choose files for this question' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Upload a file' }));
    const chooser = screen.getByTestId('bring');
    fireEvent.change(chooser, { target: { files: dragged('orders.csv').dataTransfer.files } });
    expect((await card()).textContent).toContain('orders: 3 orders');
  });
});

describe('the chosen files', () => {
  beforeEach(() => sessionStart('t', false));

  test('are named as the only ones, go with the question, and end with a new chat', async () => {
    const { asked, message } = await open();
    contextFilesSet(['deals.csv']);
    expect(await screen.findByText('Only deals')).toBeTruthy();
    fireEvent.change(message, { target: { value: 'How many?' } });
    fireEvent.keyDown(message, { key: 'Enter' });
    await waitFor(() => expect(asked[0]?.user_specified_files).toEqual(['deals.csv']));
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'New Chat' }).disabled).toBe(false),
    );
    fireEvent.click(screen.getByRole('button', { name: 'New Chat' }));
    await waitFor(() => expect(useContextFiles.getState().files).toEqual([]));
    expect(screen.queryByText('Only deals')).toBeNull();
  });
});
