import type { RunSnapshot } from 'api/types';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { type RunCalls, runCalls } from './api';
import { FIRST_POLL_MS, FIRST_RESPONSE_WAIT_MS, LOADING_DELAY_MS, POLL_SPACING_MS } from './limits';
import { type Asked, IDLE, isActive, type RunEvent, type RunState, reduceRun } from './run-machine';

export interface Run {
  state: RunState;
  /** False while a question is under way: sending is disabled then. */
  free: boolean;
  ask(asked: Omit<Asked, 'at'>): void;
  stop(): void;
  /** After a failure: looks for the answer where it may still come, else asks again. */
  again(): void;
  /** A snapshot that was pushed. */
  receive(run: RunSnapshot): void;
  resume(run: RunSnapshot, asked: Asked): void;
  settle(): void;
}

/** Drives the machine with timers and calls. The socket hands its snapshots to `receive`; the poll needs no socket. */
export function useRun(calls: RunCalls = runCalls): Run {
  const [state, dispatch] = useReducer(reduceRun, IDLE);
  const current = useRef(state);
  current.current = state;

  useSendTimers(state, dispatch);
  usePolling(state, dispatch, calls);
  useStopping(state, dispatch, calls);

  const ask = useCallback(
    (question: Omit<Asked, 'at'>) => {
      if (isActive(current.current)) return;
      const asked = { ...question, at: Date.now() };
      dispatch({ type: 'asked', asked });
      calls.send(asked).then(
        (reply) => dispatch({ type: 'accepted', reply }),
        () => dispatch({ type: 'send-failed' }),
      );
    },
    [calls],
  );

  const again = useCallback(() => {
    const now = current.current;
    if (now.kind === 'failed' && now.lost && now.ids) dispatch({ type: 'looked-again' });
    else if (now.kind === 'failed' || now.kind === 'stopped') {
      dispatch({ type: 'settled' });
      current.current = IDLE;
      ask({ ...now.asked, threadId: now.ids?.threadId ?? now.asked.threadId });
    }
  }, [ask]);

  return {
    state,
    free: !isActive(state),
    ask,
    again,
    stop: useCallback(() => dispatch({ type: 'stop' }), []),
    receive: useCallback((run: RunSnapshot) => dispatch({ type: 'snapshot', run, polled: false }), []),
    resume: useCallback((run: RunSnapshot, asked: Asked) => dispatch({ type: 'resumed', run, asked }), []),
    settle: useCallback(() => dispatch({ type: 'settled' }), []),
  };
}

type Dispatch = (event: RunEvent) => void;

/** 750 ms to the loading message, 5 s to "Searching ...", both counted from Send. */
function useSendTimers(state: RunState, dispatch: Dispatch) {
  const at = isActive(state) ? state.asked.at : null;
  useEffect(() => {
    if (at === null) return;
    const left = (delay: number) => Math.max(0, at + delay - Date.now());
    const delay = setTimeout(() => dispatch({ type: 'delay-passed' }), left(LOADING_DELAY_MS));
    const wait = setTimeout(() => dispatch({ type: 'first-wait-passed' }), left(FIRST_RESPONSE_WAIT_MS));
    return () => {
      clearTimeout(delay);
      clearTimeout(wait);
    };
  }, [at, dispatch]);
}

/** At least 3 s between the starts of two polls, less what the request took. */
function usePolling(state: RunState, dispatch: Dispatch, calls: RunCalls) {
  const working = state.kind === 'working' ? state : null;
  const runId = working?.ids.runId;
  const latest = useRef(working);
  latest.current = working;
  useEffect(() => {
    if (!runId) return;
    let timer: ReturnType<typeof setTimeout>;
    let over = false;
    async function poll() {
      const run = latest.current;
      if (over || !run) return;
      const started = Date.now();
      try {
        const snapshot = await calls.poll({ ...run.ids, parentId: run.asked.parentId });
        if (over) return;
        dispatch(snapshot ? { type: 'snapshot', run: snapshot, polled: true } : { type: 'poll-failed' });
      } catch {
        if (over) return;
        dispatch({ type: 'poll-failed' });
      }
      timer = setTimeout(poll, Math.max(0, POLL_SPACING_MS - (Date.now() - started)));
    }
    timer = setTimeout(poll, FIRST_POLL_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [runId, calls, dispatch]);
}

/** Stop may be pressed before the server has named the run: it is told as soon as it has. */
function useStopping(state: RunState, dispatch: Dispatch, calls: RunCalls) {
  const runId = state.kind === 'working' && state.stopping ? state.ids.runId : null;
  useEffect(() => {
    if (!runId) return;
    calls.cancel(runId).then(
      (run) => run && dispatch({ type: 'snapshot', run, polled: false }),
      () => {}, // the poll tells how the run ended
    );
  }, [runId, calls, dispatch]);
}
