import { act, renderHook } from '@testing-library/react';
import type { RunSnapshot, SendReply } from 'api/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunCalls } from './api';
import { loadingText } from './run-machine';
import { useRun } from './use-run';

const reply: SendReply = {
  thread_id: 't',
  run_id: 'r',
  user_message_id: 'u',
  data_sources_being_accessed: null,
};
const running = {
  thread_id: 't',
  run_id: 'r',
  user_message_id: 'u',
  status: 'running',
  steps: [],
  messages: null,
} as unknown as RunSnapshot;
const question = { prompt: 'How many deals?', files: [], threadId: null, parentId: null };

/** A server whose answers the test gives when it likes. */
function script(calls: Partial<RunCalls> = {}) {
  const polls: number[] = [];
  const scripted: RunCalls = {
    send: async () => reply,
    poll: async () => {
      polls.push(Date.now());
      return running;
    },
    cancel: vi.fn(async () => ({ ...running, status: 'cancelled' as const })),
    ...calls,
  };
  return { scripted, polls };
}

/** Lets time pass in small steps: React draws, and starts its timers, between two of them. */
async function pass(ms: number) {
  const step = 250;
  await act(async () => {});
  for (let left = ms; left > 0; left -= step)
    await act(() => vi.advanceTimersByTimeAsync(Math.min(step, left)));
}

describe('the clock of a question', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('shows the loading message after 750 ms and "Searching" after 5 s', async () => {
    const { scripted } = script({ send: () => new Promise(() => {}) });
    const { result } = renderHook(() => useRun(scripted));
    const text = () => loadingText(result.current.state, 'Bob', String);
    act(() => result.current.ask(question));
    expect(result.current.free).toBe(false);
    await pass(749);
    expect(text()).toBeNull();
    await pass(1);
    expect(text()).toBe('Starting Bob AI processing algorithm');
    await pass(4_249);
    expect(text()).toBe('Starting Bob AI processing algorithm');
    await pass(1);
    expect(text()).toBe('Searching relevant historical queries to improve speed and accuracy');
  });

  test('polls with at least 3 s from start to start, and gives up after 40', async () => {
    const { scripted, polls } = script();
    const { result } = renderHook(() => useRun(scripted));
    act(() => result.current.ask(question));
    await pass(1_000 + 38 * 3_000);
    expect(polls).toHaveLength(39);
    expect(result.current.state.kind).toBe('working');
    for (const [index, at] of polls.entries())
      if (index > 0) expect(at - (polls[index - 1] ?? 0)).toBe(3_000);
    await pass(3_000);
    expect(polls).toHaveLength(40);
    expect(result.current.state.kind).toBe('failed');
    expect(result.current.free).toBe(true);
    await pass(60_000);
    expect(polls).toHaveLength(40);
  });

  test('takes off what the request took', async () => {
    const starts: number[] = [];
    const { scripted } = script({
      poll: () => {
        starts.push(Date.now());
        return new Promise((resolve) => setTimeout(() => resolve(running), 2_000));
      },
    });
    const { result } = renderHook(() => useRun(scripted));
    act(() => result.current.ask(question));
    await pass(10_500);
    expect(starts.map((at) => at - 1_000_000)).toEqual([1_000, 4_000, 7_000, 10_000]);
  });

  test('a pushed answer ends the polling', async () => {
    const { scripted, polls } = script();
    const { result } = renderHook(() => useRun(scripted));
    act(() => result.current.ask(question));
    await pass(10);
    const answer = {
      role: 'assistant',
      message_id: 'a',
      metadata: { is_selected_assistant: true },
      children: [],
    };
    const messages = [{ role: 'user', message_id: 'u', metadata: {}, children: [answer] }];
    act(() =>
      result.current.receive({ ...running, status: 'completed', messages } as unknown as RunSnapshot),
    );
    expect(result.current.state.kind).toBe('done');
    await pass(10_000);
    expect(polls).toHaveLength(0);
  });

  test('Stop before the server has answered is told to it afterwards, once', async () => {
    let answer: (reply: SendReply) => void = () => {};
    const { scripted } = script({ send: () => new Promise((resolve) => (answer = resolve)) });
    const { result } = renderHook(() => useRun(scripted));
    act(() => result.current.ask(question));
    act(() => result.current.stop());
    await pass(100);
    expect(scripted.cancel).not.toHaveBeenCalled();
    await act(async () => answer(reply));
    await pass(0);
    expect(scripted.cancel).toHaveBeenCalledExactlyOnceWith('r');
    expect(result.current.state.kind).toBe('stopped');
  });

  test('Try again asks again after a refusal, and only looks again where the way was lost', async () => {
    const send = vi.fn(async () => reply);
    let up = false;
    const { scripted } = script({
      send,
      poll: async () => {
        if (!up) throw new Error('offline');
        return running;
      },
    });
    const { result } = renderHook(() => useRun(scripted));
    act(() => result.current.ask(question));
    await pass(5_000);
    expect(result.current.state).toMatchObject({ kind: 'failed', lost: true });
    up = true;
    act(() => result.current.again());
    await pass(5_000);
    expect(result.current.state.kind).toBe('working');
    expect(send).toHaveBeenCalledTimes(1);
    act(() => result.current.receive({ ...running, status: 'failed' }));
    act(() => result.current.again());
    await pass(10);
    expect(send).toHaveBeenCalledTimes(2);
    expect(send).toHaveBeenLastCalledWith(
      expect.objectContaining({ prompt: question.prompt, threadId: 't' }),
    );
  });
});
