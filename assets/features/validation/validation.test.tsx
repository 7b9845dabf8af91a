import { act, fireEvent, render, screen, within } from '@testing-library/react';
import type { Grounds, Message, RunSnapshot } from 'api/types';
import { useValidations, validationGoing, validationToggle } from 'stores/validations';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ValidationCalls } from './api';
import { missingMarks, tabsOf, verdictOf } from './approaches';
import { Validations } from './follow';
import { withSelected } from './select';
import { ValidateButton } from './validate-button';
import ValidationPanel from './validation-panel';
import { ValidationWaiting } from './validation-waiting';

const message = (id: string, role: 'user' | 'assistant', more: Partial<Message> = {}): Message => ({
  message_id: id,
  run_id: 'r',
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
    is_selected_assistant: null,
    is_best_answer: null,
    consensus_group: null,
    reasoning_trace: null,
  },
  output_files: [],
  user_specified_files: [],
  answer: null,
  children: [],
  ...more,
});

/** Answers named a0, a1, ... in these groups; the first is selected, `best` is the best. */
function answersIn(groups: string, best = 0): Message[] {
  return [...groups].map((group, at) =>
    message(`a${at}`, 'assistant', {
      model: `Method ${at}`,
      metadata: {
        is_thumbs_up: null,
        is_selected_assistant: at === 0,
        is_best_answer: at === best,
        consensus_group: group,
        reasoning_trace: `trace ${at}`,
      },
    }),
  );
}
const names = (messages: readonly Message[]) => messages.map(({ message_id }) => message_id).join(' ');

describe('what a check found', () => {
  test.each([
    ['AAA', 'agree'],
    ['A', 'agree'],
    ['ABB', 'disagree'],
    ['AB', 'disagree'],
    ['AAB', 'mixed'],
    ['AABC', 'mixed'],
  ])('%s is %s', (groups, verdict) => {
    expect(verdictOf(answersIn(groups))).toBe(verdict);
  });

  test('is nothing where an answer lacks its group or its trace', () => {
    const [one, two] = answersIn('AA') as [Message, Message];
    for (const lack of [{ consensus_group: null }, { reasoning_trace: null }])
      expect(verdictOf([one, { ...two, metadata: { ...two.metadata, ...lack } }])).toBeNull();
    expect(verdictOf([])).toBeNull();
  });

  test('has a tab for the selected answer, the best if it is another, and one of each other group', () => {
    expect(names(tabsOf(answersIn('AABBCC', 3)))).toBe('a0 a3 a4');
    expect(names(tabsOf(answersIn('AABC', 0)))).toBe('a0 a2 a3');
    expect(names(tabsOf(answersIn('AAB', 1)))).toBe('a0 a1 a2');
  });

  test('still has tabs where a mark is missing, and names the missing one', () => {
    const answers = answersIn('AB', -1).map((one) => ({
      ...one,
      metadata: { ...one.metadata, is_selected_assistant: false },
    }));
    expect(names(tabsOf(answers))).toBe('a0 a1');
    expect(missingMarks(answers)).toEqual(['selected', 'best']);
  });
});

describe('selecting another approach', () => {
  test('moves the mark and what followed, and leaves the rest of the tree alone', () => {
    const [one, two] = answersIn('AB') as [Message, Message];
    const follow = message('q2', 'user', { parent_message_id: 'a0' });
    const other = message('q0', 'user', { children: [message('x', 'assistant')] });
    const tree = [other, message('q1', 'user', { children: [{ ...one, children: [follow] }, two] })];
    const [same, question] = withSelected(tree, 'a1') as [Message, Message];
    expect(same).toEqual(other);
    expect(question.children.map(({ metadata }) => metadata.is_selected_assistant)).toEqual([false, true]);
    expect(question.children[0]?.children).toEqual([]);
    expect(question.children[1]?.children).toEqual([{ ...follow, parent_message_id: 'a1' }]);
  });
});

test('until the check is done its place is kept, with what is compared just now', () => {
  const onStop = vi.fn();
  render(<ValidationWaiting questionId="q" onStop={onStop} />);
  expect(screen.getByText('Checking by other methods')).toBeTruthy();
  act(() => validationGoing('q', 'Recounting on one flat sheet'));
  const words = screen.getByText('Checking by other methods: recounting on one flat sheet');
  expect(words.getAttribute('aria-hidden')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Stop checking' }));
  expect(onStop).toHaveBeenCalledOnce();
});

describe('the panel', () => {
  const show = (answers: Message[], onSelect = vi.fn()) => {
    render(
      <>
        <ValidateButton questionId="q" answers={answers} onValidate={vi.fn()} />
        <ValidationPanel
          questionId="q"
          answers={answers}
          renderAnswer={(one) => <p>answer {one.message_id}</p>}
          renderTrace={(trace) => <p>{trace}</p>}
          onSelect={onSelect}
        />
      </>,
    );
    return onSelect;
  };
  const tab = (name: RegExp) => screen.getByRole('tab', { name });

  test('shows answer and trace of each tab, the best one recommended, and takes another in its place', () => {
    const onSelect = show(answersIn('ABB', 1));
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Selected Approach',
      'Approach 2, Recommended',
    ]);
    expect(screen.getByText('answer a0')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy();
    fireEvent.click(tab(/Approach 2/));
    const body = screen.getByRole('tabpanel');
    expect(within(body).getByText('answer a1')).toBeTruthy();
    expect(within(body).getByText('trace 1')).toBeTruthy();
    expect(within(body).getByText('Recommended')).toBeTruthy();
    fireEvent.click(within(body).getByRole('button', { name: 'Select' }));
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message_id: 'a1' }));
  });

  test('in agreement has neither tabs nor Select; Close closes it', () => {
    validationToggle('q', true);
    show(answersIn('AAA'));
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Select' })).toBeNull();
    expect(screen.getByText('Also found by: Method 1 and Method 2')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(useValidations.getState().open.q).toBe(false);
  });

  test.each([
    ['AAA', 'All methods agree'],
    ['AAB', 'Some methods disagree'],
    ['ABB', 'Methods disagree'],
  ])('%s: the button says "%s" and opens and closes it', (groups, words) => {
    show(answersIn(groups));
    const button = screen.getByRole('button', { name: words });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    expect(useValidations.getState().open.q).toBe(true);
    fireEvent.click(button);
    expect(useValidations.getState().open.q).toBe(false);
  });

  const checked = (state: Grounds['state'], doubts: string[] = []): Grounds => ({
    state,
    doubts,
    recomputed: 'Recomputed in 2 other ways: same figures.',
    read: 'Read in 1 way: nothing disagrees, nothing confirms.',
  });
  /** Answers that agree, the selected one with what a check found out about it. */
  const agreeing = (found: Grounds): Message[] =>
    answersIn('AAA').map((one, at) => (at ? one : { ...one, answer: { check: found } as Message['answer'] }));

  test.each([
    ['confirmed', 'All methods agree'],
    ['unconfirmed', 'Reading not confirmed'],
    ['doubted', 'Reading uncertain'],
  ] as const)('one result whose reading is %s is headed "%s"', (state, words) => {
    show(agreeing(checked(state)));
    expect(screen.getByRole('heading', { name: words })).toBeTruthy();
    expect(screen.getByRole('button', { name: words })).toBeTruthy();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  test('says what speaks against the reading, then how the figures stand, then how the reading does', () => {
    show(agreeing(checked('doubted', ['The word “web” found no place in this answer.'])));
    const list = screen.getByRole('list', { name: 'What was checked' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'The word “web” found no place in this answer.',
      'Recomputed in 2 other ways: same figures.',
      'Read in 1 way: nothing disagrees, nothing confirms.',
    ]);
  });

  test('tells of each approach by itself what was found out about it', () => {
    const read = 'Read in 3 ways: 2 with this result, 1 with another.';
    const [one, two] = answersIn('AB', 1) as [Message, Message];
    const rival = { ...two, answer: { check: { ...checked('disputed'), read } } as Message['answer'] };
    show([{ ...one, answer: { check: checked('disputed') } as Message['answer'] }, rival]);
    expect(screen.queryByText(read)).toBeNull();
    fireEvent.click(tab(/Approach 2/));
    expect(screen.getByText(read)).toBeTruthy();
  });

  test('says in the console, not to the reader, that a mark is missing', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    show(answersIn('AB', -1));
    expect(warn).toHaveBeenCalledWith('Validation without a best answer');
  });

  test('says where a method parted from the selected one', () => {
    const parting = { step: 'date field', text: 'Goes by close date.' };
    const [one, two] = answersIn('AB') as [Message, Message];
    show([one, { ...two, answer: { parting } as Message['answer'] }]);
    fireEvent.click(tab(/Approach 2/));
    expect(screen.getByText('Differs in its date.').parentElement?.textContent).toBe(
      'Differs in its date. Goes by close date.',
    );
  });
});

const snapshot = (more: Partial<RunSnapshot> = {}): RunSnapshot => ({
  kind: 'validation',
  validates: 'r',
  thread_id: 't',
  run_id: 'v',
  user_message_id: 'q',
  status: 'running',
  step_description: 'Comparing',
  steps: [],
  data_sources_being_accessed: null,
  started_at: 0,
  finished_at: null,
  error: null,
  messages: null,
  ...more,
});
const over = snapshot({
  status: 'completed',
  finished_at: 1,
  messages: [message('q', 'user', { children: answersIn('AAB') })],
});
const checked = { threadId: 't', runId: 'r', questionId: 'q', organization: 'Acme' };

/** A server whose answers the test gives; what it was asked stands in `polls`. */
function script(calls: Partial<ValidationCalls> = {}) {
  const ends = { done: vi.fn(), failed: vi.fn() };
  const polls: number[] = [];
  const validations = new Validations(ends, {
    start: async () => snapshot(),
    poll: async () => {
      polls.push(Date.now());
      return snapshot();
    },
    cancel: async () => undefined,
    ...calls,
  });
  return { ends, polls, validations };
}
const state = () => useValidations.getState();

describe('following a check', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('pressed twice asks once, says Validating..., and opens the panel when it is over', async () => {
    const start = vi.fn(async () => snapshot());
    let answer = snapshot();
    const { ends, validations } = script({ start, poll: async () => answer });
    validations.start(checked);
    validations.start(checked);
    expect(state().said).toBe('Validating...');
    await pass(1_000);
    expect(start).toHaveBeenCalledExactlyOnceWith(checked);
    expect(state().going).toEqual({ q: 'Comparing' });
    answer = over;
    await pass(3_000);
    expect(ends.done).toHaveBeenCalledExactlyOnceWith(over);
    expect(state()).toMatchObject({ going: {}, open: { q: true }, said: 'Some methods disagree' });
  });

  test('polls with at least 3 s from start to start and gives up after 40', async () => {
    const { ends, polls, validations } = script();
    validations.start(checked);
    await pass(1_000 + 38 * 3_000);
    expect(polls).toHaveLength(39);
    expect(polls.slice(1).every((at, index) => at - (polls[index] ?? 0) === 3_000)).toBe(true);
    expect(ends.failed).not.toHaveBeenCalled();
    await pass(3_000);
    expect(ends.failed).toHaveBeenCalledOnce();
    await pass(60_000);
    expect(polls).toHaveLength(40);
    expect(state().going).toEqual({});
  });

  test('bears one failed fetch and no second in a row', async () => {
    let failures = 1;
    const { ends, validations } = script({
      poll: async () => {
        if (failures-- > 0) throw new Error('offline');
        return snapshot();
      },
    });
    validations.start(checked);
    await pass(7_000);
    expect(ends.failed).not.toHaveBeenCalled();
    failures = 2;
    await pass(6_000);
    expect(ends.failed).toHaveBeenCalledOnce();
  });

  test('a refused start, a failed run and a run without its marks are failures', async () => {
    const unmarked = snapshot({ status: 'completed', messages: [message('q', 'user')] });
    for (const start of [
      async () => Promise.reject(new Error('409')),
      async () => undefined,
      async () => snapshot({ status: 'failed' }),
      async () => unmarked,
    ]) {
      const { ends, validations } = script({ start });
      validations.start(checked);
      await pass(10);
      expect(ends.failed).toHaveBeenCalledOnce();
      expect(ends.done).not.toHaveBeenCalled();
      expect(state().open.q).toBeUndefined();
    }
  });

  test('a pushed result ends it at once; a check begun in another tab is followed too', async () => {
    const { ends, polls, validations } = script();
    validations.receive(snapshot());
    expect(state().going).toEqual({ q: 'Comparing' });
    await pass(500);
    validations.receive(over);
    expect(ends.done).toHaveBeenCalledOnce();
    await pass(10_000);
    expect(polls).toHaveLength(0);
    validations.receive(over);
    expect(ends.done).toHaveBeenCalledOnce();
  });

  test('stopped, it ends without a word, here and at the server, and what comes late is not taken up', async () => {
    const cancel = vi.fn(async () => undefined);
    const { ends, polls, validations } = script({ cancel });
    validations.start(checked);
    await pass(100);
    validations.stop('q');
    expect(cancel).toHaveBeenCalledExactlyOnceWith('v');
    validations.receive(snapshot());
    validations.receive(snapshot({ status: 'cancelled', finished_at: 1 }));
    await pass(20_000);
    expect(state()).toMatchObject({ going: {}, said: '' });
    expect([polls.length, ends.failed.mock.calls.length, ends.done.mock.calls.length]).toEqual([0, 0, 0]);
  });

  test('stopped before the server has taken it, the server is told once it has', async () => {
    const cancel = vi.fn(async () => undefined);
    const { ends, validations } = script({ cancel });
    validations.start(checked);
    validations.stop('q');
    await pass(100);
    expect(cancel).toHaveBeenCalledExactlyOnceWith('v');
    expect(state().going).toEqual({});
    expect(ends.failed).not.toHaveBeenCalled();
  });

  test('a check that was stopped in another tab is no failure', async () => {
    const { ends, validations } = script();
    validations.start(checked);
    await pass(100);
    validations.receive(snapshot({ status: 'cancelled', finished_at: 1 }));
    expect(state().going).toEqual({});
    expect(ends.failed).not.toHaveBeenCalled();
  });

  test('leaving the chat ends the timers and says nothing', async () => {
    const { ends, polls, validations } = script();
    validations.start(checked);
    await pass(100);
    validations.close();
    await pass(20_000);
    expect(polls).toHaveLength(0);
    expect(ends.failed).not.toHaveBeenCalled();
  });
});
