import type { Message, RunSnapshot } from 'api/types';
import { describe, expect, test } from 'vitest';
import { PROCESS_FAILED, SEARCHING, SEND_FAILED } from './copy';
import {
  type Asked,
  IDLE,
  isActive,
  isCanceled,
  loadingText,
  type RunEvent,
  type RunState,
  reduceRun,
  spokenText,
} from './run-machine';

const asked: Asked = { prompt: 'How many deals?', files: [], threadId: null, parentId: null, at: 0 };

const message = (
  id: string,
  role: 'user' | 'assistant',
  children: Message[] = [],
  selected = true,
): Message => ({
  message_id: id,
  run_id: 'r1',
  parent_message_id: null,
  role,
  content: id,
  type: 'text',
  message_type: null,
  model: null,
  created_at: 0,
  image_data: null,
  since_refreshed_files: null,
  metadata: {
    is_thumbs_up: null,
    is_selected_assistant: role === 'assistant' ? selected : null,
    is_best_answer: null,
    consensus_group: null,
    reasoning_trace: null,
  },
  output_files: [],
  user_specified_files: [],
  answer: null,
  children,
});

const snapshot = (more: Partial<RunSnapshot> = {}): RunSnapshot => ({
  thread_id: 't1',
  run_id: 'r1',
  user_message_id: 'u1',
  status: 'running',
  step_description: null,
  steps: [],
  data_sources_being_accessed: null,
  started_at: 0,
  finished_at: null,
  error: null,
  messages: null,
  ...more,
});

const reply = (sources: string[] | null = null) => ({
  thread_id: 't1',
  run_id: 'r1',
  user_message_id: 'u1',
  data_sources_being_accessed: sources,
});

const run = (...events: RunEvent[]): RunState => events.reduce(reduceRun, IDLE);
const text = (state: RunState) => loadingText(state, 'Bob', (name) => name.replace('.csv', ''));

const ask: RunEvent = { type: 'asked', asked };
const shown: RunEvent = { type: 'delay-passed' };
const late: RunEvent = { type: 'first-wait-passed' };
const accepted = (sources: string[] | null = null): RunEvent => ({ type: 'accepted', reply: reply(sources) });
const polled = (more: Partial<RunSnapshot> = {}): RunEvent => ({
  type: 'snapshot',
  run: snapshot(more),
  polled: true,
});

describe('sending a question', () => {
  test('disables sending at once and says nothing before 750 ms', () => {
    expect(isActive(run(ask))).toBe(true);
    expect(text(run(ask))).toBeNull();
    expect(text(run(ask, shown))).toBe('Starting Bob AI processing algorithm');
  });

  test('a second question while one is under way is ignored', () => {
    expect(run(ask, { type: 'asked', asked: { ...asked, prompt: 'other' } })).toEqual(run(ask));
  });

  test('says "Searching" after 5 s without an answer, and when no sources are named', () => {
    expect(text(run(ask, shown, late))).toBe(SEARCHING);
    expect(text(run(ask, shown, accepted(null)))).toBe(SEARCHING);
    expect(text(run(ask, shown, accepted([])))).toBe(SEARCHING);
  });

  test('names the sources, unless the first is None', () => {
    expect(text(run(ask, shown, accepted(['deals.csv', 'owners.csv'])))).toBe('Analyzing: deals, owners');
    expect(text(run(ask, shown, accepted(['None'])))).toBe('Starting Bob AI processing algorithm');
  });

  test('shows the step that the server describes', () => {
    const state = run(
      ask,
      shown,
      accepted(['deals.csv']),
      polled({ step_description: 'Adding up 1,284 rows' }),
    );
    expect(text(state)).toBe('Adding up 1,284 rows');
  });

  test('goes on naming the sources while the steps stand in their list, and says the step aloud', () => {
    const steps = [{ label: 'Reading the question', detail: '' }];
    const going = { step_description: 'Reading the question', steps };
    const state = run(ask, shown, accepted(['deals.csv']), polled(going));
    expect(text(state)).toBe('Analyzing: deals');
    expect(spokenText(state, 'Bob', String)).toBe('Reading the question');
    expect(text(run(ask, shown, accepted(null), polled(going)))).toBe('Reading the question');
    expect(text(run(ask, shown, accepted(['None']), polled(going)))).toBe('Reading the question');
    expect(spokenText(run(ask, accepted(['deals.csv']), polled(going)), 'Bob', String)).toBeNull();
  });

  test('fails when the first answer lacks one of its three ids', () => {
    for (const missing of ['thread_id', 'run_id', 'user_message_id']) {
      const state = run(ask, { type: 'accepted', reply: { ...reply(), [missing]: '' } });
      expect(state).toMatchObject({ kind: 'failed', sentence: SEND_FAILED, ids: null });
    }
    expect(run(ask, { type: 'accepted', reply: undefined })).toMatchObject({
      kind: 'failed',
      sentence: SEND_FAILED,
    });
    expect(run(ask, { type: 'send-failed' })).toMatchObject({ kind: 'failed', sentence: SEND_FAILED });
  });

  test('is done when the tree holds a selected answer to this question', () => {
    const messages = [message('u1', 'user', [message('a1', 'assistant')])];
    const state = run(ask, accepted(), polled({ status: 'completed', messages }));
    expect(state).toMatchObject({ kind: 'done', ids: { threadId: 't1' }, messages });
    expect(reduceRun(state, { type: 'settled' })).toEqual(IDLE);
  });

  test('an answer that is not selected, or belongs to another question, is not one', () => {
    const unselected = [message('u1', 'user', [message('a1', 'assistant', [], false)])];
    const other = [message('u0', 'user', [message('a0', 'assistant')])];
    expect(run(ask, accepted(), polled({ messages: unselected })).kind).toBe('working');
    expect(run(ask, accepted(), polled({ messages: other })).kind).toBe('working');
  });

  test('gives up after 40 polls, and pushed snapshots do not count', () => {
    let state = run(ask, accepted());
    for (let poll = 0; poll < 39; poll += 1) state = reduceRun(state, polled());
    for (let push = 0; push < 100; push += 1) {
      state = reduceRun(state, { type: 'snapshot', run: snapshot(), polled: false });
    }
    expect(state.kind).toBe('working');
    expect(reduceRun(state, polled())).toMatchObject({
      kind: 'failed',
      sentence: PROCESS_FAILED,
      lost: true,
    });
  });

  test('bears one failing poll, not two in a row', () => {
    const failing: RunEvent = { type: 'poll-failed' };
    expect(run(ask, accepted(), failing).kind).toBe('working');
    expect(run(ask, accepted(), failing, polled(), failing).kind).toBe('working');
    expect(run(ask, accepted(), failing, failing)).toMatchObject({
      kind: 'failed',
      sentence: PROCESS_FAILED,
      lost: true,
    });
  });

  test('a run the server gave up fails with its reason beside the sentence', () => {
    const state = run(
      ask,
      accepted(),
      polled({ status: 'failed', error: { message: 'Out of memory.', code: 'x' } }),
    );
    expect(state).toMatchObject({
      kind: 'failed',
      sentence: PROCESS_FAILED,
      detail: 'Out of memory.',
      lost: false,
    });
  });

  test('an answer that comes after the way was lost is still taken', () => {
    const lost = run(ask, accepted(), { type: 'poll-failed' }, { type: 'poll-failed' });
    const messages = [message('u1', 'user', [message('a1', 'assistant')])];
    expect(reduceRun(lost, { type: 'snapshot', run: snapshot({ messages }), polled: false }).kind).toBe(
      'done',
    );
    expect(reduceRun(lost, { type: 'looked-again' })).toMatchObject({ kind: 'working', attempts: 0 });
  });

  test('Stop is remembered until the server says that it stopped', () => {
    const state = run(ask, { type: 'stop' }, accepted());
    expect(state).toMatchObject({ kind: 'working', stopping: true });
    expect(reduceRun(state, polled({ status: 'cancelled' }))).toMatchObject({ kind: 'stopped' });
  });

  test('a question that was taken back before the first reply stays so, also where it never arrived', () => {
    const back = run(ask, { type: 'stop' }, accepted());
    expect(isCanceled(back)).toBe(true);
    expect(isCanceled(reduceRun(back, polled({ status: 'cancelled' })))).toBe(true);
    const unsent = run(ask, { type: 'stop' }, { type: 'send-failed' });
    expect(unsent).toMatchObject({ kind: 'stopped', ids: null });
    expect(isCanceled(unsent)).toBe(true);
    const late = reduceRun(run(ask, accepted(), { type: 'stop' }), polled({ status: 'cancelled' }));
    expect(late.kind).toBe('stopped');
    expect(isCanceled(late)).toBe(false);
  });

  test('snapshots of another run change nothing', () => {
    const state = run(ask, accepted());
    expect(
      reduceRun(state, {
        type: 'snapshot',
        run: snapshot({ run_id: 'r2', status: 'failed' }),
        polled: false,
      }),
    ).toBe(state);
  });

  test('an unfinished run goes on after a reload', () => {
    const steps = [{ label: 'Choosing tables', detail: 'deals' }];
    const state = run({ type: 'resumed', run: snapshot({ steps, step_description: 'Adding up' }), asked });
    expect(state).toMatchObject({ kind: 'working', ids: { runId: 'r1' }, steps });
    expect(text(state)).toBe('Adding up');
  });
});
