/**
 * The specification's times and attempts, taken off the screen while the clock is ours. A time is right where what is
 * waited for is not there a millisecond before, and there at the moment itself.
 */
import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { connectionKey } from 'api/connections';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import { keys } from 'api/queries';
import type { RunSnapshot } from 'api/types';
import { ToastBar } from 'design/components/toast';
import type { RunCalls } from 'features/conversation/api';
import { PROCESS_FAILED, SEARCHING, starting } from 'features/conversation/copy';
import { useRun } from 'features/conversation/use-run';
import { STILL_REFRESHING } from 'features/manage-data/crm-copy';
import { pendingSave } from 'features/sign-in/pending';
import { Trending } from 'features/trending/trending';
import { VALIDATE } from 'features/validation/copy';
import { Validations } from 'features/validation/follow';
import { ValidateButton } from 'features/validation/validate-button';
import { HttpResponse, http } from 'msw';
import { ChangePasswordScreen } from 'screens/change-password/change-password-screen';
import { ChatScreen } from 'screens/chat/chat-screen';
import { refreshAwait } from 'stores/crm-refresh';
import { type ToastStatus, toastShow, useToast } from 'stores/toast';
import { server } from 'test/server';
import { vi } from 'vitest';
import type { Stage } from './spec-list';
import * as stage from './spec-stage';
import * as wholes from './spec-wholes';

const { press, show, none } = stage;

export type Measure = (said: number) => unknown;

/** With a clock that only `pass` moves. */
const timed =
  (measure: Measure): Measure =>
  async (said) => {
    vi.useFakeTimers({ now: 1_000_000 });
    try {
      return await measure(said);
    } finally {
      vi.useRealTimers();
    }
  };

/** Lets time pass in steps: React draws, and starts its timers, between two of them. */
async function pass(ms: number) {
  const step = Math.max(250, Math.ceil(ms / 100));
  await act(async () => {});
  for (let left = ms; left > 0; left -= step)
    await act(() => vi.advanceTimersByTimeAsync(Math.min(step, left)));
}

/** The time itself, where this happens just then. */
async function happens(ms: number, there: () => unknown): Promise<number | string> {
  await pass(ms - 1);
  if (there()) return 'sooner';
  await pass(1);
  return there() ? ms : 'later';
}

const isShown = (text: string) => screen.queryAllByText(text).length > 0;

// ------------------------------------------------------------------------------------------------- asking and checking
const reply = { thread_id: 't', run_id: 'r', user_message_id: 'q', data_sources_being_accessed: null };
const running = { ...reply, status: 'running', steps: [], messages: null, finished_at: null } as unknown;
const untilLong = () => pass(200_000);

function Asking({ calls }: { calls: RunCalls }) {
  const run = useRun(calls);
  const ask = () => run.ask({ prompt: 'How many?', files: [], threadId: null, parentId: null });
  return (
    <>
      <button type="button" onClick={ask}>
        Ask
      </button>
      {stage.conversationOf([], run)}
    </>
  );
}

/** A question to a server that answers so. */
function ask(calls: Partial<RunCalls>) {
  const given: RunCalls = {
    send: async () => reply,
    poll: async () => running as RunSnapshot,
    cancel: async () => undefined,
    ...calls,
  };
  show(<Asking calls={given} />);
  press('Ask');
}

/** A question that the server lets down in this way, once the screen has had the time to say so. */
export const letDown =
  (calls: Partial<RunCalls>): Stage =>
  () =>
    timed(async () => {
      ask(calls);
      await pass(5_000);
    })(0);

/** A run that came to nothing. */
export const ended = async () => ({ ...(running as RunSnapshot), status: 'failed' }) as RunSnapshot;
export const refused = async () => {
  throw new Error('refused');
};

const unanswered: Partial<RunCalls> = { send: () => new Promise(none) };

/** When each poll began, until the screen says that there is no answer. */
async function polls(poll: () => Promise<unknown>): Promise<number[]> {
  const starts: number[] = [];
  const counted = (async () => {
    starts.push(Date.now());
    return poll();
  }) as RunCalls['poll'];
  ask({ poll: counted });
  await untilLong();
  return isShown(PROCESS_FAILED) ? starts : [];
}

/** The same of a check, until its button can be pressed again. */
async function checkPolls(poll: () => Promise<unknown>): Promise<number[]> {
  const starts: number[] = [];
  const validations = new Validations(
    { done: none, failed: () => toastShow('error', 'failed', true) },
    {
      start: async () => running as RunSnapshot,
      poll: (async () => {
        starts.push(Date.now());
        return poll();
      }) as () => Promise<RunSnapshot>,
      cancel: async () => undefined,
    },
  );
  const check = { threadId: 't', runId: 'r', questionId: 'q', organization: null };
  show(
    <ValidateButton questionId="q" answers={[stage.answer]} onValidate={() => validations.start(check)} />,
  );
  press(VALIDATE);
  await untilLong();
  const free = screen.getByRole('button', { name: VALIDATE }).getAttribute('aria-busy') === null;
  return free ? starts : [];
}

const going = async () => running;
/** What lies between two of them, where it is the same each time. */
function spacing(starts: readonly number[]): unknown {
  const gaps = new Set(starts.slice(1).map((at, index) => at - (starts[index] ?? 0)));
  return gaps.size === 1 ? [...gaps][0] : [...gaps];
}

// ------------------------------------------------------------------------------------------------------ everything else
const toastHides = (status: ToastStatus, flagged = false): Measure =>
  timed((said) => {
    show(<ToastBar />);
    act(() => toastShow(status, 'Said', flagged));
    return isShown('Said') ? happens(said, () => !isShown('Said')) : 'never shown';
  });

function topicReturns(said: number) {
  show(<Trending disabled={false} onPick={none} />);
  const first = () => screen.getAllByRole('button')[0] as HTMLElement;
  fireEvent.click(first());
  fireEvent.click(screen.getAllByRole('button')[1] as HTMLElement);
  return happens(said, () => screen.queryByRole('button', { name: /Back to the topics/ }) === null);
}

function keywordCollapses(said: number) {
  stage.keywords();
  press('Expand ARR');
  press('Collapse ARR');
  return happens(said, () => screen.queryByLabelText('Definition of ARR') === null);
}

/** A client that has these answers already, so that nothing waits for a server. */
function knowing(answers: readonly (readonly [readonly unknown[], unknown])[]): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  for (const [key, value] of answers) client.setQueryData(key, value);
  return client;
}

/** In the chat, with every panel closed. */
function refreshIsTold(said: number) {
  wholes.quietServer();
  const refreshing = wholes.hubspot('refreshing');
  server.use(http.get('*/api/v3/hubspot/status', () => HttpResponse.json(refreshing)));
  const client = knowing([
    [keys.me, stage.me],
    [keys.preferences, DEFAULT_PREFERENCES],
    [[...connectionKey('hubspot'), 'status'], refreshing],
  ]);
  refreshAwait();
  show(<ChatScreen />, client);
  return happens(said, () => useToast.getState().toast?.content === STILL_REFRESHING);
}

const FRAME_MS = 16;
/** From the first change of a bar to its last one; which frame is the first is the browser's. */
async function chartIsDrawn(said: number) {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  wholes.chart('{"type":"bar","labels":["a","b"],"datasets":[{"data":[1,2]}]}')();
  const shape = () => document.querySelector('[data-chart-plot] path[fill]')?.getAttribute('d') ?? '';
  const changes: number[] = [];
  for (let before = shape(), at = 0; at < 2 * said; at += FRAME_MS) {
    await act(() => vi.advanceTimersByTimeAsync(FRAME_MS));
    if (shape() !== before) changes.push(at);
    before = shape();
  }
  const took = (changes.at(-1) ?? 0) - (changes[0] ?? 0);
  return Math.abs(took - said) <= 2 * FRAME_MS ? said : took;
}

/** The clock of the page begins with it, and so does the overlay. */
function overlayLeaves(said: number) {
  wholes.quietServer();
  const client = knowing([
    [keys.me, stage.me],
    [keys.preferences, DEFAULT_PREFERENCES],
  ]);
  show(<ChatScreen />, client);
  const overlay = () => screen.queryByRole('status', { name: /^Loading/ });
  if (!overlay()) return 'never shown';
  return happens(said, () => !overlay() || overlay()?.hasAttribute('data-leaving'));
}

/** On the screen that would go on with it: one that finds nothing leads to /forgot-password. */
async function signInSessionEnds(said: number) {
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(none);
  pendingSave({ username: 'ana', token: 'pending', keep: false });
  vi.setSystemTime(Date.now() + said - 1);
  show(<ChangePasswordScreen />);
  if (replace.mock.calls.length > 0) return 'sooner';
  vi.setSystemTime(Date.now() + 1);
  show(<ChangePasswordScreen />);
  return replace.mock.calls.length === 1 ? said : 'later';
}

export const CLOCK = {
  'the loading message comes': timed((said) => {
    ask(unanswered);
    return happens(said, () => isShown(starting('Bob')));
  }),
  'without a first response it says that it searches': timed((said) => {
    ask(unanswered);
    return happens(said, () => isShown(SEARCHING));
  }),
  'attempts to poll for an answer': timed(async () => (await polls(going)).length),
  'from one poll to the next': timed(async () => spacing(await polls(going))),
  'polling errors that are tried again': timed(async () => (await polls(refused)).length - 1),
  'attempts to poll for a validation': timed(async () => (await checkPolls(going)).length),
  'from one poll of a validation to the next': timed(async () => spacing(await checkPolls(going))),
  'failed fetches of a validation that are tried again': timed(
    async () => (await checkPolls(refused)).length - 1,
  ),
  "the message about the CRM's refresh comes": timed(refreshIsTold),
  'a complete toast hides': toastHides('complete'),
  'an error toast hides': toastHides('error'),
  'an info toast hides': toastHides('info'),
  'a flagged toast hides': toastHides('error', true),
  'the topics return': timed(topicReturns),
  'a chart is drawn': timed(chartIsDrawn),
  'the overlay leaves': timed(overlayLeaves),
  'a sign-in session ends': timed(signInSessionEnds),
  'a keyword collapses': timed(keywordCollapses),
} as const satisfies Readonly<Record<string, Measure>>;
