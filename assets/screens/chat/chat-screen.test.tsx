import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { sessionStart, sessionToken } from 'api/session';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ChatScreen } from './chat-screen';

const me = { username: 'demo', email: '', name: 'Mara', organization: 'Acme', role: 'admin' };

const question = (children: unknown[] = []) => ({
  message_id: 'u1',
  run_id: 'r1',
  parent_message_id: null,
  role: 'user',
  content: 'How many deals?',
  type: 'text',
  created_at: 1_760_000_000,
  metadata: { is_selected_assistant: null },
  output_files: [],
  user_specified_files: [],
  answer: null,
  children,
});
const answer = {
  ...question(),
  message_id: 'a1',
  role: 'assistant',
  content: 'There are 42 deals.',
  metadata: { is_thumbs_up: null, is_selected_assistant: true },
};
const running = {
  thread_id: 't1',
  run_id: 'r1',
  user_message_id: 'u1',
  status: 'running',
  step_description: 'Counting deals',
  steps: [],
  data_sources_being_accessed: null,
  started_at: null,
  finished_at: null,
  error: null,
  messages: null,
};
const done = { ...running, status: 'completed', messages: [question([answer])] };

/** A server with one thread; `ask` tells how it meets each kind of body. */
function serve(ask: (body: Record<string, unknown>) => unknown) {
  const asked: Record<string, unknown>[] = [];
  server.use(
    http.get('*/api/v3/me', () => HttpResponse.json(me)),
    http.get('*/api/v3/preferences', () =>
      HttpResponse.json({ explanation: '', user_preferences: '{"audio":false}' }),
    ),
    http.get('*/api/v3/models', () => HttpResponse.json([])),
    http.get('*/api/v3/files', () => HttpResponse.json({ content: [], sources: [] })),
    http.get('*/api/v3/question-suggestions', () =>
      HttpResponse.json([{ suggested_question: 'How many deals?' }]),
    ),
    http.post('*/api/v3/socket-ticket', () => HttpResponse.json({}, { status: 503 })),
    http.post('*/api/v3/ask', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      asked.push(body);
      const reply = body.give ? [] : await ask(body);
      return reply === null ? HttpResponse.json({}, { status: 404 }) : HttpResponse.json(reply as object);
    }),
  );
  return asked;
}

function open(path: string) {
  window.history.replaceState(null, '', path);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ChatScreen />
    </QueryClientProvider>,
  );
  return client;
}

describe('the chat', () => {
  beforeEach(() => {
    sessionStart('t', false);
    useToast.setState({ toast: null });
  });

  test('is closed to who is not signed in', async () => {
    sessionStorage.clear();
    open('/chat');
    expect(screen.getByRole('heading', { name: 'Not Logged In' })).toBeTruthy();
    expect(screen.getByRole('link').getAttribute('href')).toBe('/login');
  });

  test('is closed to who has no organization, whose session ends on the way to another account', async () => {
    serve(() => ({}));
    let ended = 0;
    server.use(
      http.get('*/api/v3/me', () => HttpResponse.json({ ...me, organization: '' })),
      http.delete('*/_allauth/app/v1/auth/session', () => {
        ended += 1;
        return HttpResponse.json({}, { status: 401 });
      }),
    );
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    open('/chat');
    expect(await screen.findByRole('heading', { name: 'Not Logged In' })).toBeTruthy();
    expect(screen.getByText('does not belong to an organization', { exact: false })).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: 'Log in with another account' }));
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('/login'));
    expect(ended).toBe(1);
    expect(sessionToken()).toBeNull();
    assign.mockRestore();
  });

  test('leaves when the server no longer knows the session', async () => {
    serve(() => ({}));
    server.use(http.get('*/api/v3/me', () => HttpResponse.json({}, { status: 401 })));
    open('/chat');
    expect(await screen.findByRole('heading', { name: 'Not Logged In' })).toBeTruthy();
    expect(sessionToken()).toBeNull();
  });

  test('stays open where preferences fail, also while a panel asks for them again', async () => {
    serve(() => ({}));
    let asked = 0;
    server.use(
      http.get('*/api/v3/preferences', () => {
        asked += 1;
        return HttpResponse.json({}, { status: 500 });
      }),
    );
    open('/chat');
    const input = await screen.findByRole('textbox', { name: 'Message' });
    fireEvent.click(screen.getByRole('button', { name: 'Settings' }));
    expect(await screen.findByRole('switch', { name: 'Dark theme' })).toBeTruthy();
    await waitFor(() => expect(asked).toBeGreaterThan(1));
    expect(screen.getByRole('textbox', { name: 'Message' })).toBe(input);
  });

  test('greets by name; an example goes into the input, is asked, answered, and has an address', async () => {
    const asked = serve((body) => (body.prompt ? { ...running, data_sources_being_accessed: null } : done));
    open('/chat');
    expect(
      await screen.findByRole('heading', { name: 'Hi Mara, how can I support you today?' }),
    ).toBeTruthy();
    const examples = await screen.findByRole('list', { name: 'Example questions' });
    expect(within(examples).getAllByRole('button')).toHaveLength(4);
    fireEvent.click(within(examples).getByRole('button', { name: 'How many deals?' }));
    const input = screen.getByRole('textbox', { name: 'Message' });
    expect((input as HTMLTextAreaElement).value).toBe('How many deals?');
    fireEvent.keyDown(input, { key: 'Enter' });
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
    expect(await screen.findByText('There are 42 deals.')).toBeTruthy();
    expect(window.location.pathname).toBe('/chat/c/t1');
    expect(asked.find((body) => body.prompt)).toEqual({
      prompt: 'How many deals?',
      thread_id: null,
      models: null,
      temperature: 1,
      parent_message_id: null,
    });
    expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy();
    expect(useToast.getState().toast).toBeNull(); // it began here: nothing was loaded
  });

  test('without data and with it a file can be uploaded from the first screen, until Manage Data is open', async () => {
    serve(() => ({}));
    open('/chat');
    fireEvent.click(await screen.findByRole('button', { name: 'Upload a file' }));
    expect(await screen.findByRole('heading', { name: 'Manage Data' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Upload a file' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Close Manage Data' }));
    expect(screen.getByRole('button', { name: 'Upload a file' })).toBeTruthy();
  });

  test('has the focus in the message box, so that a question can be typed at once', async () => {
    serve(() => ({}));
    open('/chat');
    const box = await screen.findByRole('textbox', { name: 'Message' });
    expect(document.activeElement).toBe(box);
  });

  test('a thread that is opened by its address goes on with the run that was under way', async () => {
    const loaded = { thread_id: 't1', status: 'running', messages: [question()], since_refreshed_files: [] };
    serve((body) => (body.run_id ? done : { ...loaded, run: running }));
    open('/chat/c/t1');
    expect((await screen.findAllByText('Counting deals')).length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
    expect(useToast.getState().toast?.content).toBe('Messages loaded!');
    expect(await screen.findByText('There are 42 deals.')).toBeTruthy();
  });

  test('a thread whose messages were fetched ahead says that they are loaded, too', async () => {
    const loaded = { thread_id: 't1', status: 'completed', messages: [question([answer])], run: null };
    serve(() => ({ ...loaded, since_refreshed_files: [] }));
    const client = open('/chat');
    await screen.findByRole('textbox', { name: 'Message' });
    client.setQueryData(['thread', 't1'], { ...loaded, since_refreshed_files: [] });
    act(() => {
      window.history.pushState(null, '', '/chat/c/t1');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    expect(await screen.findByText('There are 42 deals.')).toBeTruthy();
    expect(useToast.getState().toast?.content).toBe('Messages loaded!');
  });

  test('while a thread is on its way nothing can be sent and there is nothing to stop', async () => {
    serve(() => new Promise<never>(() => {}));
    open('/chat/c/t1');
    expect(await screen.findByPlaceholderText('Please Wait...')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true');
  });

  test('a thread that is not there leads to a new conversation, with a word', async () => {
    serve(() => null);
    open('/chat/c/gone');
    expect(await screen.findByRole('heading', { name: /Hi Mara/ })).toBeTruthy();
    expect(useToast.getState().toast?.content).toBe('Error loading messages. Please try again.');
    expect(window.location.pathname).toBe('/chat');
  });

  test('a thread that could not be loaded can be tried again from the word about it', async () => {
    const loaded = { thread_id: 't1', status: 'completed', messages: [question([answer])], run: null };
    let there = false;
    serve(() => (there ? { ...loaded, since_refreshed_files: [] } : null));
    open('/chat/c/t1');
    await waitFor(() => expect(useToast.getState().toast?.action?.label).toBe('Try again'));
    there = true;
    act(() => useToast.getState().toast?.action?.run());
    expect(await screen.findByText('There are 42 deals.')).toBeTruthy();
    expect(window.location.pathname).toBe('/chat/c/t1');
  });

  test('once other files are ready other questions are offered', async () => {
    serve(() => ({}));
    const sources = [
      { file_name: 'deals.csv', display_name: 'deals', state: 'reading', group: 'uploaded', tables: [] },
    ];
    let offered = 'How many targets?';
    server.use(
      http.get('*/api/v3/files', () => HttpResponse.json({ content: [], sources })),
      http.get('*/api/v3/question-suggestions', () => HttpResponse.json([{ suggested_question: offered }])),
    );
    const client = open('/chat');
    expect(await screen.findByRole('button', { name: 'How many targets?' })).toBeTruthy();
    await waitFor(() => expect(client.getQueryData(['sources'])).toHaveLength(1));
    offered = 'How many deals?';
    act(() => {
      client.setQueryData(['sources'], [{ ...sources[0], state: 'ready' }]);
    });
    expect(await screen.findByRole('button', { name: 'How many deals?' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'How many targets?' })).toBeNull();
  });

  test('a path that is none leads to a new conversation, with a word', async () => {
    serve(() => ({}));
    open('/chat/elsewhere');
    await waitFor(() => expect(window.location.pathname).toBe('/chat'));
    expect(useToast.getState().toast?.content).toBe('Error matching path.');
  });

  test('an answer is validated, the panel opens by itself, and another approach takes its place', async () => {
    const approach = (id: string, group: string, selected: boolean) => ({
      ...answer,
      message_id: id,
      content: `${id} says ${group}`,
      metadata: {
        is_thumbs_up: null,
        is_selected_assistant: selected,
        is_best_answer: !selected,
        consensus_group: group,
        reasoning_trace: 'Counted.',
      },
    });
    const loaded = {
      thread_id: 't1',
      status: 'completed',
      messages: [question([answer])],
      since_refreshed_files: [],
      run: null,
    };
    const validation = { ...running, kind: 'validation', run_id: 'v1', validates: 'r1' };
    const checked = [question([approach('a1', 'A', true), approach('a2', 'B', false)])];
    const asked = serve((body) => {
      if (body.should_validate) return validation;
      if (body.run_id === 'v1')
        return { ...validation, status: 'completed', finished_at: 1, messages: checked };
      return body.selected_assistant_message_id ? {} : loaded;
    });
    open('/chat/c/t1');
    fireEvent.click(await screen.findByRole('button', { name: 'Validate' }));
    expect(screen.getByRole('button', { name: 'Validating...' })).toBeTruthy();
    const panel = await screen.findByRole('region', { name: 'Validation' });
    expect(asked.find((body) => body.should_validate)).toEqual({
      thread_id: 't1',
      run_id: 'r1',
      organization: 'Acme',
      should_validate: true,
    });
    fireEvent.click(within(panel).getByRole('tab', { name: /Approach 2/ }));
    fireEvent.click(within(panel).getByRole('button', { name: 'Select' }));
    const shown = screen.getByRole('region', { name: 'Messages' });
    await waitFor(() => expect(within(shown).getAllByText('a2 says B').length).toBeGreaterThan(0));
    await waitFor(() =>
      expect(asked.find((body) => body.selected_assistant_message_id)).toEqual({
        thread_id: 't1',
        run_id: 'r1',
        selected_assistant_message_id: 'a2',
      }),
    );
  });

  test('a validation that fails says so and can be asked for again', async () => {
    const loaded = {
      thread_id: 't1',
      status: 'completed',
      messages: [question([answer])],
      since_refreshed_files: [],
      run: null,
    };
    serve((body) => (body.should_validate ? null : loaded));
    open('/chat/c/t1');
    fireEvent.click(await screen.findByRole('button', { name: 'Validate' }));
    await waitFor(() =>
      expect(useToast.getState().toast?.content).toBe(
        'Error validating message. Please refresh and try again.',
      ),
    );
    expect(screen.getByRole('button', { name: 'Validate' })).toBeTruthy();
  });
});
