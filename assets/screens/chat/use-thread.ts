import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, loadThread } from 'api/queries';
import type { LoadedThread, Message, RunSnapshot } from 'api/types';
import { LOAD_FAILED, LOADED } from 'features/conversation/copy';
import { newerThread } from 'features/conversation/newer';
import { answersUse, parentForNext } from 'features/conversation/rows';
import { isActive, threadOf } from 'features/conversation/run-machine';
import { playSound } from 'features/conversation/sounds';
import { type Run, useRun } from 'features/conversation/use-run';
import { findMessage } from 'lib/flatten-tree';
import { useCallback, useEffect, useRef } from 'react';
import { useAppearance } from 'stores/appearance';
import { toastShow } from 'stores/toast';

interface Thread {
  run: Run;
  thread: LoadedThread | null | undefined;
  /** True until a thread that was opened by its address is there. */
  loading: boolean;
  ask(prompt: string, files: readonly string[]): void;
  askAgain(message: Message): void;
  /** A snapshot of any run of this user, pushed by the server. */
  receive(run: RunSnapshot): void;
  /** This file has other rows now, or is gone; null: any may. A thread that answered from it says so at its end. */
  dataChanged(file: string | null): void;
}

const emptyThread = (id: string): LoadedThread => ({
  thread_id: id,
  status: 'completed',
  messages: [],
  since_refreshed_files: [],
  run: null,
});

/** Whatever is written about a thread, loaded, pushed, polled or brought by a reading, goes through here. */
const withoutLoss = (before: unknown, now: unknown) =>
  now
    ? replaceEqualDeep(before, newerThread(before as LoadedThread | null | undefined, now as LoadedThread))
    : now;

/** Joins the address, the loaded thread and the run that may be going on in it. */
export function useThread(
  threadId: string | null,
  go: (id: string | null, replace?: boolean) => void,
): Thread {
  const client = useQueryClient();
  const run = useRun();
  const query = useQuery({
    queryKey: keys.thread(threadId ?? ''),
    queryFn: ({ signal }) => loadThread(threadId ?? '', signal),
    enabled: threadId !== null,
    structuralSharing: withoutLoss,
  });
  const thread = threadId === null ? null : query.data;
  const loading = threadId !== null && query.isPending;

  const keep = useCallback(
    (id: string, messages: Message[]) => {
      client.setQueryData<LoadedThread | null>(keys.thread(id), (before) => ({
        ...(before ?? emptyThread(id)),
        messages,
        since_refreshed_files: [],
        run: null,
      }));
    },
    [client],
  );

  const again = useCallback(
    (id: string) => {
      client.removeQueries({ queryKey: keys.thread(id) });
      go(id);
    },
    [client, go],
  );
  const born = bornThread(run);
  useLoadWords(threadId, born, query.isPending, query.isError, go, again);
  useLeaving(threadId, run);
  useNewThread(threadId === null ? born : null, go, (id) => {
    client.setQueryData(keys.thread(id), emptyThread(id));
    void client.invalidateQueries({ queryKey: keys.threads });
  });
  useEnding(run, keep, () => void client.invalidateQueries({ queryKey: keys.threads }));
  useResuming(thread, run);

  const current = useRef({ threadId, thread, run });
  current.current = { threadId, thread, run };

  const ask = useCallback((prompt: string, files: readonly string[]) => {
    const { threadId: id, thread: loaded, run: running } = current.current;
    running.ask({ prompt, files, threadId: id, parentId: parentForNext(loaded?.messages ?? []) });
  }, []);

  const askAgain = useCallback((message: Message) => {
    const { threadId: id, run: running } = current.current;
    const { content: prompt, user_specified_files: files, parent_message_id: parentId } = message;
    running.ask({ prompt, files, threadId: id, parentId });
  }, []);

  const receive = useCallback(
    (snapshot: RunSnapshot) => {
      const { threadId: id, run: running } = current.current;
      const mine = 'ids' in running.state && running.state.ids?.runId === snapshot.run_id;
      if (mine) return running.receive(snapshot);
      // another tab asked: take its answer, or begin to follow it where this thread is open
      if (snapshot.messages && client.getQueryData(keys.thread(snapshot.thread_id)))
        keep(snapshot.thread_id, snapshot.messages);
      else if (snapshot.thread_id === id && !isActive(running.state)) {
        void client.invalidateQueries({ queryKey: keys.thread(snapshot.thread_id) });
      }
      if (snapshot.finished_at) void client.invalidateQueries({ queryKey: keys.threads });
    },
    [client, keep],
  );

  const dataChanged = useCallback(
    (file: string | null) => {
      const { threadId: id, thread: loaded, run: running } = current.current;
      if (id === null || !loaded || isActive(running.state)) return; // the run's end brings what is so then
      if (file === null || answersUse(loaded.messages, file))
        void client.invalidateQueries({ queryKey: keys.thread(id) });
    },
    [client],
  );

  return { run, thread, loading, ask, askAgain, receive, dataChanged };
}

/**
 * "Messages loaded!" once the messages of a thread that was opened stand there, also where they had been fetched ahead; a
 * failure leads back to a new conversation (SPEC 4). A conversation that began here was not opened.
 */
function useLoadWords(
  threadId: string | null,
  born: string | null,
  pending: boolean,
  failed: boolean,
  go: (id: string | null, replace?: boolean) => void,
  again: (id: string) => void,
) {
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (threadId === null) told.current = null;
    else if (failed) {
      told.current = null;
      toastShow('error', LOAD_FAILED, true, { label: 'Try again', run: () => again(threadId) });
      go(null, true);
    } else if (!pending && told.current !== threadId) {
      told.current = threadId;
      if (threadId !== born) toastShow('complete', LOADED);
    }
  }, [threadId, born, pending, failed, go, again]);
}

/** Another thread is another conversation: the run goes on at the server and is taken up again on the way back. */
function useLeaving(threadId: string | null, run: Run) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const { state, settle } = latest.current;
    if (state.kind !== 'idle' && threadOf(state) !== threadId) settle();
  }, [threadId]);
}

/** The thread that the question under way has begun; null where it goes on with one. */
function bornThread({ state }: Run): string | null {
  return 'ids' in state && state.ids && state.asked.threadId === null ? state.ids.threadId : null;
}

/** The first question of a conversation gives it an address. */
function useNewThread(born: string | null, go: (id: string | null) => void, onNew: (id: string) => void) {
  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    if (!born) return;
    latest.current(born);
    go(born);
  }, [born, go]);
}

/** An answer goes into the loaded thread, with a sound; so does what is left of a failure. */
function useEnding(run: Run, keep: (id: string, messages: Message[]) => void, onEnd: () => void) {
  const { state, settle } = run;
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    const { audio } = useAppearance.getState();
    if (state.kind === 'done') {
      keep(state.ids.threadId, state.messages);
      latest.current();
      settle();
      if (audio) playSound('success');
    } else if (state.kind === 'failed' || state.kind === 'stopped') {
      if (state.ids && state.messages) keep(state.ids.threadId, state.messages);
      if (state.kind === 'failed' && audio) playSound('failure');
    }
  }, [state, keep, settle]);
}

/** A run that was going on when the thread was loaded is followed to its end. */
function useResuming(thread: LoadedThread | null | undefined, run: Run) {
  const unfinished = thread?.run ?? null;
  const { state, resume } = run;
  const idle = state.kind === 'idle';
  const messages = thread?.messages;
  useEffect(() => {
    if (!unfinished || !idle || (unfinished.status !== 'queued' && unfinished.status !== 'running')) return;
    const question = findMessage(messages ?? [], unfinished.user_message_id);
    resume(unfinished, {
      prompt: question?.content ?? '',
      files: question?.user_specified_files ?? [],
      threadId: unfinished.thread_id,
      parentId: question?.parent_message_id ?? null,
      at: (unfinished.started_at ?? question?.created_at ?? Date.now() / 1000) * 1000,
    });
  }, [unfinished, idle, messages, resume]);
}
