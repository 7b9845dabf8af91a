/**
 * One question from Send to its answer, as a pure machine: states, events, and nothing else. Timers, calls and sounds
 * are use-run.ts's; what is shown meanwhile is derived here, never stored twice.
 */
import type { Message, RunSnapshot, SendReply, Step } from 'api/types';
import { findMessage } from 'lib/flatten-tree';
import { analyzing, PROCESS_FAILED, SEARCHING, SEND_FAILED, starting } from './copy';
import { POLL_ATTEMPTS, POLL_RETRIES } from './limits';

/** What the user asked, and where. */
export interface Asked {
  prompt: string;
  files: readonly string[];
  threadId: string | null;
  parentId: string | null;
  /** Epoch ms of pressing Send. */
  at: number;
}

interface Ids {
  threadId: string;
  runId: string;
  userMessageId: string;
}

interface Progress {
  /** 750 ms have passed: the loading message is shown. */
  shown: boolean;
  /** 5 s have passed without a first answer. */
  late: boolean;
}

export type RunState =
  | { kind: 'idle' }
  | ({ kind: 'sending'; asked: Asked; stopping: boolean } & Progress)
  | ({
      kind: 'working';
      asked: Asked;
      ids: Ids;
      sources: readonly string[] | null;
      step: string | null;
      steps: readonly Step[];
      /** The answer's text as far as it is written; empty while nothing of it stands. */
      text: string;
      attempts: number;
      retries: number;
      stopping: boolean;
      /** Stopped before the server had named the run. */
      canceled?: boolean;
    } & Progress)
  | { kind: 'done'; asked: Asked; ids: Ids; messages: Message[] }
  | { kind: 'stopped'; asked: Asked; ids: Ids | null; messages: Message[] | null; canceled?: boolean }
  /** `ids` where the server has the question; `lost` where only the way to it failed: it may still be answered. */
  | {
      kind: 'failed';
      asked: Asked;
      ids: Ids | null;
      lost: boolean;
      sentence: string;
      detail: string | null;
      messages: Message[] | null;
    };

export type RunEvent =
  | { type: 'asked'; asked: Asked }
  | { type: 'delay-passed' }
  | { type: 'first-wait-passed' }
  | { type: 'accepted'; reply: SendReply | undefined }
  | { type: 'send-failed' }
  | { type: 'snapshot'; run: RunSnapshot; polled: boolean }
  | { type: 'poll-failed' }
  | { type: 'resumed'; run: RunSnapshot; asked: Asked }
  | { type: 'stop' }
  | { type: 'looked-again' }
  | { type: 'settled' };

export const IDLE: RunState = { kind: 'idle' };

/** True once the answer of this run is in the tree: an assistant child of the question that is marked as selected. */
export function isAnswered(run: Pick<RunSnapshot, 'messages' | 'user_message_id'>): boolean {
  const question = run.messages ? findMessage(run.messages, run.user_message_id) : null;
  return (
    question?.children.some(
      (child) => child.role === 'assistant' && child.metadata.is_selected_assistant === true,
    ) ?? false
  );
}

function failed(
  state: RunState,
  ids: Ids | null,
  sentence: string,
  more: { lost?: boolean; run?: RunSnapshot } = {},
): RunState {
  if (!('asked' in state)) return state;
  const error = more.run?.error;
  const detail = typeof error === 'string' ? error : (error?.message ?? null);
  return {
    kind: 'failed',
    asked: state.asked,
    ids,
    sentence,
    lost: more.lost ?? false,
    detail: detail === sentence ? null : detail,
    messages: more.run?.messages ?? null,
  };
}

/** What never reached the server has failed, or is what was wanted. */
function unsent(state: Extract<RunState, { kind: 'sending' }>): RunState {
  if (state.stopping)
    return { kind: 'stopped', asked: state.asked, ids: null, messages: null, canceled: true };
  return failed(state, null, SEND_FAILED);
}

function accepted(state: Extract<RunState, { kind: 'sending' }>, reply: SendReply | undefined): RunState {
  if (!reply?.thread_id || !reply.run_id || !reply.user_message_id) return unsent(state);
  return {
    ...state,
    kind: 'working',
    canceled: state.stopping,
    ids: { threadId: reply.thread_id, runId: reply.run_id, userMessageId: reply.user_message_id },
    sources: reply.data_sources_being_accessed ?? null,
    step: null,
    steps: [],
    text: '',
    attempts: 0,
    retries: 0,
  };
}

type WithIds = Extract<RunState, { ids: Ids | null }>;

function received(state: WithIds, ids: Ids, run: RunSnapshot, polled: boolean): RunState {
  if (isAnswered(run)) return { kind: 'done', asked: state.asked, ids, messages: run.messages ?? [] };
  if (run.status === 'failed') return failed(state, ids, PROCESS_FAILED, { run });
  if (run.status === 'cancelled') {
    const canceled = 'canceled' in state && state.canceled;
    return { kind: 'stopped', asked: state.asked, ids, messages: run.messages, canceled };
  }
  if (state.kind !== 'working') return state;
  const attempts = state.attempts + (polled ? 1 : 0);
  if (attempts >= POLL_ATTEMPTS) return failed(state, ids, PROCESS_FAILED, { lost: true });
  return {
    ...state,
    attempts,
    retries: polled ? 0 : state.retries,
    sources: run.data_sources_being_accessed ?? state.sources,
    step: run.step_description || state.step,
    steps: run.steps.length >= state.steps.length ? run.steps : state.steps,
    text: run.steps.length >= state.steps.length ? (run.text_so_far ?? '') : state.text,
  };
}

function pollFailed(state: Extract<RunState, { kind: 'working' }>): RunState {
  const attempts = state.attempts + 1;
  const retries = state.retries + 1;
  if (retries > POLL_RETRIES || attempts >= POLL_ATTEMPTS)
    return failed(state, state.ids, PROCESS_FAILED, { lost: true });
  return { ...state, attempts, retries };
}

function idsOf(run: RunSnapshot): Ids {
  return { threadId: run.thread_id, runId: run.run_id, userMessageId: run.user_message_id };
}

export function reduceRun(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'asked':
      return isActive(state)
        ? state
        : { kind: 'sending', asked: event.asked, shown: false, late: false, stopping: false };
    case 'resumed': {
      const { run, asked } = event;
      const working = accepted({ kind: 'sending', asked, shown: true, late: false, stopping: false }, run);
      return working.kind === 'working' ? received(working, idsOf(run), run, false) : working;
    }
    case 'delay-passed':
      return isActive(state) ? { ...state, shown: true } : state;
    case 'first-wait-passed':
      return state.kind === 'sending' ? { ...state, late: true } : state;
    case 'accepted':
      return state.kind === 'sending' ? accepted(state, event.reply) : state;
    case 'send-failed':
      return state.kind === 'sending' ? unsent(state) : state;
    case 'snapshot':
      if (!('ids' in state) || !state.ids || state.ids.runId !== event.run.run_id) return state;
      return state.kind === 'done' ? state : received(state, state.ids, event.run, event.polled);
    case 'poll-failed':
      return state.kind === 'working' ? pollFailed(state) : state;
    case 'stop':
      return isActive(state) ? { ...state, stopping: true } : state;
    case 'looked-again':
      if (state.kind !== 'failed' || !state.ids) return state;
      return {
        kind: 'working',
        asked: state.asked,
        ids: state.ids,
        sources: null,
        step: null,
        steps: [],
        text: '',
        attempts: 0,
        retries: 0,
        shown: true,
        late: false,
        stopping: false,
      };
    case 'settled':
      return IDLE;
  }
}

export function isActive(state: RunState): state is Extract<RunState, { kind: 'sending' | 'working' }> {
  return state.kind === 'sending' || state.kind === 'working';
}

/** True where Stop was pressed before the first reply: nothing was begun that could be stopped. */
export function isCanceled(state: RunState): boolean {
  return state.kind === 'sending' ? state.stopping : 'canceled' in state && state.canceled === true;
}

/**
 * The text of the loading message, or null while there is none to show. It names the sources; a step takes its place only
 * where it does not stand in the list of steps below.
 */
export function loadingText(
  state: RunState,
  product: string,
  nameOf: (fileName: string) => string,
): string | null {
  if (!isActive(state) || !state.shown) return null;
  if (state.kind === 'sending') return state.late ? SEARCHING : starting(product);
  const [first] = state.sources ?? [];
  if (state.step && (state.steps.length === 0 || first === undefined || first === 'None')) return state.step;
  if (first === undefined) return SEARCHING;
  return first === 'None' ? starting(product) : analyzing((state.sources ?? []).map(nameOf).join(', '));
}

/** What is said of the work to whoever does not see it: the step that goes on, else the text of the loading message. */
export function spokenText(
  state: RunState,
  product: string,
  nameOf: (fileName: string) => string,
): string | null {
  const text = loadingText(state, product, nameOf);
  return text !== null && state.kind === 'working' ? state.step || text : text;
}

/** The thread a run belongs to, once there is one. */
export function threadOf(state: RunState): string | null {
  if ('ids' in state && state.ids) return state.ids.threadId;
  return 'asked' in state ? state.asked.threadId : null;
}
