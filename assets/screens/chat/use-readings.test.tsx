import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { keys } from 'api/queries';
import { sessionStart } from 'api/session';
import type { LoadedThread, Message, RunSnapshot } from 'api/types';
import { flattenTree } from 'lib/flatten-tree';
import { HttpResponse, http } from 'msw';
import type { PropsWithChildren } from 'react';
import { server } from 'test/server';
import { expect, test } from 'vitest';
import { useReadings } from './use-readings';
import { useThread } from './use-thread';

/** A message, selected where it is an answer, with what follows it. */
function message(id: string, children: Message[] = [], selected = true): Message {
  const role = id.startsWith('u') ? 'user' : 'assistant';
  const metadata = { is_selected_assistant: role === 'assistant' ? selected : null };
  return { message_id: id, role, type: 'text', content: id, metadata, answer: null, children } as Message;
}

const other = { key: 'o', label: 'Net sales', figure: '12', teaches: null };
const later = message('u2', [message('a2')]);

/** The thread of one question, and a server whose reply to a taken reading comes when it is let go. */
async function open() {
  sessionStart('t', false);
  let letGo = (_messages: Message[]) => {};
  const taken = new Promise<Message[]>((resolve) => {
    letGo = resolve;
  });
  server.use(
    http.get('*/api/v3/me', () => HttpResponse.json({ username: 'demo', permissions: [] })),
    http.post('*/api/v3/ask', () =>
      HttpResponse.json({ thread_id: 't1', messages: [message('u1', [message('a1')])], run: null }),
    ),
    http.post('*/api/v3/answers/readings', async () =>
      HttpResponse.json({ message_id: 'b1', messages: await taken }),
    ),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const go = () => {};
  const { result } = renderHook(() => ({ ...useThread('t1', go), readings: useReadings('t1', 'a1') }), {
    wrapper,
  });
  const shown = () => {
    const thread = client.getQueryData<LoadedThread>(keys.thread('t1'));
    return flattenTree(thread?.messages ?? []).map((one) => one.message_id);
  };
  await waitFor(() => expect(shown()).toEqual(['u1', 'a1']));
  const take = () => result.current.readings?.take('figure:0', other, false);
  const push = (...messages: Message[]) =>
    act(() => result.current.receive({ run_id: 'r2', thread_id: 't1', messages } as RunSnapshot));
  return { letGo, push, shown, take };
}

test('a turn that came while another reading was taken stays', async () => {
  const { letGo, push, shown, take } = await open();
  const taking = take();
  push(message('u1', [message('a1', [], false), message('b1', [later])]));
  expect(shown()).toEqual(['u1', 'b1', 'u2', 'a2']);
  letGo([message('u1', [message('a1', [], false), message('b1')])]);
  await act(async () => taking);
  expect(shown()).toEqual(['u1', 'b1', 'u2', 'a2']);
});

test('a reading that was taken stays where an older answer of the thread comes after it', async () => {
  const { letGo, push, shown, take } = await open();
  const taking = take();
  letGo([message('u1', [message('a1', [], false), message('b1', [later])])]);
  await act(async () => taking);
  expect(shown()).toEqual(['u1', 'b1', 'u2', 'a2']);
  push(message('u1', [message('a1', [later])]));
  expect(shown()).toEqual(['u1', 'b1', 'u2', 'a2']);
});

test('what is new is shown, and so is what changed about the messages that are known', async () => {
  const { push, shown } = await open();
  push(message('u1', [message('a1', [], false), message('b1')]));
  expect(shown()).toEqual(['u1', 'b1']);
  push(message('u1', [message('a1'), message('b1', [], false)]));
  expect(shown()).toEqual(['u1', 'a1']);
});
