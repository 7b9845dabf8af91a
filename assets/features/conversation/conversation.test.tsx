import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { Message } from 'api/types';
import { createRef } from 'react';
import { draftFill, draftSet, useDrafts } from 'stores/draft';
import { useToast } from 'stores/toast';
import { describe, expect, test, vi } from 'vitest';
import { Composer } from './composer';
import { Conversation, RunAnnouncer } from './conversation';
import { PROCESS_FAILED } from './copy';
import { parentForNext, visibleRows } from './rows';
import { IDLE, type RunState } from './run-machine';
import type { Run } from './use-run';
import { Working } from './working';

const message = (
  id: string,
  role: 'user' | 'assistant',
  children: Message[] = [],
  more: Partial<Message> = {},
): Message => ({
  message_id: id,
  run_id: 'r',
  parent_message_id: `parent of ${id}`,
  role,
  content: `${id} text`,
  type: 'text',
  message_type: null,
  model: null,
  created_at: 1_760_000_000,
  image_data: null,
  since_refreshed_files: null,
  metadata: {
    is_thumbs_up: null,
    is_selected_assistant: role === 'assistant',
    is_best_answer: null,
    consensus_group: null,
    reasoning_trace: null,
  },
  output_files: [],
  user_specified_files: [],
  answer: null,
  children,
  ...more,
});

const runOf = (state: RunState, more: Partial<Run> = {}): Run => ({
  state,
  free: true,
  ask: vi.fn(),
  stop: vi.fn(),
  again: vi.fn(),
  receive: vi.fn(),
  resume: vi.fn(),
  settle: vi.fn(),
  ...more,
});

const asked = {
  prompt: 'How many?',
  files: ['hubspot_deals.csv'],
  threadId: null,
  parentId: null,
  at: Date.now(),
};
const thread = [
  message('q1', 'user', [message('a1', 'assistant', [message('q2', 'user', [message('a2', 'assistant')])])]),
];

function show(messages: Message[], run: Run, more: Partial<Parameters<typeof Conversation>[0]> = {}) {
  const props = {
    threadId: 't',
    messages,
    refreshed: [],
    run,
    product: 'Bob',
    userName: 'Mara',
    renderAnswer: (one: Message) => <p>{one.content}</p>,
    renderCheck: () => null,
    renderText: (text: string) => <p>{text}</p>,
    allModels: false,
    onFill: vi.fn(),
    onRate: vi.fn(),
    onVersion: vi.fn(),
    onAskAgain: vi.fn(),
    ...more,
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Conversation {...props} />
      <RunAnnouncer run={run} product="Bob" />
    </QueryClientProvider>,
  );
  return props;
}

describe('the list of messages', () => {
  test('is a list of articles whose headings say who speaks', () => {
    show(thread, runOf(IDLE));
    const articles = screen.getAllByRole('article');
    expect(articles).toHaveLength(4);
    const heads = articles.map((article) => within(article).getByRole('heading').textContent);
    expect(heads[1]).toBe('Bob');
    expect(heads[0]).toContain('Mara');
  });

  test('shows the question at once, its files, and the loading text in its place', () => {
    const state: RunState = { kind: 'sending', asked, shown: true, late: false, stopping: false };
    show([], runOf(state, { free: false }));
    expect(screen.getByText('How many?')).toBeTruthy();
    expect(screen.getByText('deals')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Starting Bob AI processing algorithm');
  });

  test('a failure stands in the place of the answer and can be tried again', () => {
    const run = runOf({
      kind: 'failed',
      asked,
      ids: null,
      lost: false,
      sentence: PROCESS_FAILED,
      detail: 'Why.',
      messages: null,
    });
    show([], run);
    expect(screen.getByRole('alert').textContent).toContain(PROCESS_FAILED);
    expect(screen.getByRole('alert').textContent).toContain('Why.');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(run.again).toHaveBeenCalled();
  });

  test('a question that was left without an answer can be asked again', () => {
    const left = message('q1', 'user');
    const { onAskAgain } = show([left], runOf(IDLE));
    fireEvent.click(screen.getByRole('button', { name: 'Ask again' }));
    expect(onAskAgain).toHaveBeenCalledWith(left);
  });

  test('a thumb can be set once a message; the other is dimmed', () => {
    const { onRate } = show([message('q', 'user', [message('a', 'assistant')])], runOf(IDLE));
    fireEvent.click(screen.getByRole('button', { name: 'Good answer' }));
    fireEvent.click(screen.getByRole('button', { name: 'Bad answer' }));
    expect(onRate).toHaveBeenCalledOnce();
    for (const name of ['Good answer', 'Bad answer']) {
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    }
  });

  test('a rating that was stored as text is one', () => {
    const rated = message('a', 'assistant');
    rated.metadata.is_thumbs_up = 'False';
    const { onRate } = show([message('q', 'user', [rated])], runOf(IDLE));
    fireEvent.click(screen.getByRole('button', { name: 'Good answer' }));
    expect(onRate).not.toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'Bad answer' }).hasAttribute('data-chosen')).toBe(true);
  });

  test('Echo puts the question back and says so', () => {
    const { onFill } = show(thread, runOf(IDLE));
    fireEvent.click(screen.getAllByRole('button', { name: /into the input again/ })[1] as HTMLElement);
    expect(onFill).toHaveBeenCalledWith('q2 text');
    expect(useToast.getState().toast?.content).toBe('Message echoed');
  });

  test('at most three follow-ups stand below the buttons and fill the composer', () => {
    const answered = message('a', 'assistant');
    answered.answer = {
      steps: [],
      follow_ups: ['One', 'Two', 'Three', 'Four'],
    } as unknown as Message['answer'];
    const { onFill } = show([message('q', 'user', [answered])], runOf(IDLE));
    expect(screen.queryByRole('button', { name: 'Four' })).toBeNull();
    const second = screen.getByRole('button', { name: 'Two' });
    const rate = screen.getByRole('button', { name: 'Bad answer' });
    expect(rate.compareDocumentPosition(second)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    fireEvent.click(second);
    expect(onFill).toHaveBeenCalledExactlyOnceWith('Two');
  });

  test('follow-ups stand below the newest answer alone, whatever is noted after it', () => {
    const [older, newest] = [message('a1', 'assistant'), message('a2', 'assistant')];
    older.answer = { steps: [], follow_ups: ['And before?'] } as unknown as Message['answer'];
    newest.answer = { steps: [], follow_ups: ['And since?'] } as unknown as Message['answer'];
    older.children = [message('q2', 'user', [newest])];
    const refreshed = [{ file_name: 'hubspot_deals.csv', time_of_update: 1 }];
    show([message('q1', 'user', [older])], runOf(IDLE), { refreshed });
    expect(screen.queryByRole('button', { name: 'And before?' })).toBeNull();
    expect(screen.getByRole('button', { name: 'And since?' })).toBeTruthy();
  });

  test('of several answers shown, the one that the thread goes on from says so', () => {
    const [first, second] = [message('a1', 'assistant'), message('a2', 'assistant')];
    first.metadata.is_selected_assistant = false;
    show([message('q1', 'user', [first, second])], runOf(IDLE), { allModels: true });
    const said = screen.getByText('Chat continues from here');
    expect(said.closest('article')?.textContent).toContain('a2 text');
  });

  test.each([
    [1.9, null],
    [3.6, '1 step, 4 s'],
  ])('of an answer that took %s s the steps are told as %j', (seconds, told) => {
    const answer = message('a1', 'assistant');
    const steps = [{ label: 'Computing', detail: '' }];
    answer.answer = { steps, seconds, follow_ups: [] } as unknown as Message['answer'];
    show([message('q1', 'user', [answer])], runOf(IDLE));
    expect(screen.queryByText(/\d steps?, /)?.textContent ?? null).toBe(told);
  });

  test('steps join the status of an answer that is two seconds under way', () => {
    const steps = [{ label: 'Reading the question', detail: '' }];
    const working = (since: number) => (
      <Working text="Analyzing: deals" steps={steps} since={Date.now() - since} />
    );
    const { rerender } = render(working(1_000));
    expect(screen.getByText('Analyzing: deals')).toBeTruthy();
    expect(screen.queryByText('Reading the question')).toBeNull();
    rerender(working(2_500));
    expect(screen.getByText('Reading the question')).toBeTruthy();
  });

  test('while a step says what is done just now, nothing else says it again', () => {
    const at = Date.now() - 7_000;
    const steps = ['Read the question', 'Computing the figures'].map((label) => ({ label, detail: '' }));
    const state = {
      kind: 'working',
      asked: { ...asked, at },
      step: 'Computing the figures',
      steps,
      text: '',
    };
    show([], runOf({ ...state, shown: true, sources: null } as unknown as RunState, { free: false }));
    const messages = within(screen.getByRole('region', { name: 'Messages' }));
    const said = messages.getAllByText(/^Computing the figures/);
    expect(said).toHaveLength(1);
    expect(said[0]?.closest('li')?.textContent).toMatch(/figures · \d+ s$/);
  });

  test('a question taken back before the first reply says so at once, and can be asked again', () => {
    const sending: RunState = { kind: 'sending', asked, shown: false, late: false, stopping: true };
    show([], runOf(sending, { free: false }));
    expect(screen.getByText('Request is canceled by user')).toBeTruthy();
    cleanup();
    const again = vi.fn();
    const stopped: RunState = { kind: 'stopped', asked, ids: null, messages: null, canceled: true };
    show([], runOf(stopped, { again }));
    expect(screen.getByText('Request is canceled by user')).toBeTruthy();
    expect(screen.queryByText('You stopped this answer.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Ask again' }));
    expect(again).toHaveBeenCalledOnce();
  });

  test('names the files that were refreshed since', () => {
    show(thread, runOf(IDLE), { refreshed: [{ file_name: 'hubspot_deals.csv', time_of_update: 1 }] });
    expect(screen.getByText('Data refreshed since this thread was last used: deals')).toBeTruthy();
  });
});

describe('what is listed', () => {
  test('the question of a run appears once, whether the tree has it yet or not', () => {
    const ids = { threadId: 't', runId: 'r', userMessageId: 'q1' };
    const state = { kind: 'working', asked, ids } as unknown as RunState;
    expect(visibleRows([], state).map((row) => row.key)).toEqual(['user-temp']);
    expect(visibleRows([message('q1', 'user')], state).map((row) => row.key)).toEqual(['q1']);
  });

  test('a question that was asked again without an answer in between stands once', () => {
    const again = { ...message('q2', 'user', [message('a2', 'assistant')]), content: 'q1 text' };
    expect(visibleRows([message('q1', 'user', [again])], IDLE).map((row) => row.key)).toEqual(['q2', 'a2']);
    const state = { kind: 'sending', asked: { ...asked, prompt: 'q1 text' } } as unknown as RunState;
    expect(visibleRows([message('q1', 'user')], state).map((row) => row.key)).toEqual(['user-temp']);
  });

  test('the next question answers to the last answer, or to what the unanswered one answered to', () => {
    expect(parentForNext(thread)).toBe('a2');
    expect(
      parentForNext([message('q', 'user', [message('a', 'assistant', [message('left', 'user')])])]),
    ).toBe('parent of left');
    expect(parentForNext([])).toBeNull();
  });
});

describe('the composer', () => {
  function compose(more: Partial<Parameters<typeof Composer>[0]> = {}) {
    draftSet('new', '');
    const props = {
      draftKey: 'new',
      product: 'Bob',
      free: true,
      stopping: false,
      lastQuestion: 'The last one?',
      input: createRef<HTMLTextAreaElement>(),
      onSend: vi.fn(),
      onStop: vi.fn(),
      onAttach: vi.fn(),
      onFeedback: vi.fn(),
      ...more,
    };
    render(<Composer {...props} />);
    return { ...props, box: screen.getByRole('textbox') as HTMLTextAreaElement };
  }
  const type = (box: HTMLElement, value: string) => fireEvent.change(box, { target: { value } });

  test('Enter sends, Shift+Enter and Enter of an input method do not', () => {
    const { box, onSend } = compose();
    expect(box.placeholder).toBe('Type Your Message');
    type(box, '  How many?  ');
    fireEvent.keyDown(box, { key: 'Enter', shiftKey: true });
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(onSend).toHaveBeenCalledExactlyOnceWith('How many?', []);
    expect(box.value).toBe('');
  });

  test('nothing but spaces is not sent', () => {
    const { box, onSend } = compose();
    type(box, '  \n ');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(onSend).not.toHaveBeenCalled();
  });

  test('while an answer is under way it asks to wait, keeps what is typed, and offers Stop', () => {
    const { box, onSend, onStop } = compose({ free: false });
    expect(box.placeholder).toBe('Please Wait...');
    type(box, 'Next?');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(onSend).not.toHaveBeenCalled();
    expect(box.value).toBe('Next?');
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onStop).toHaveBeenCalledOnce();
  });

  test('the draft survives a reload of the tab, and an example takes the focus there', () => {
    const { box } = compose();
    type(box, 'Half a quest');
    expect(JSON.parse(sessionStorage.getItem('drafts') ?? '{}')).toEqual({ new: 'Half a quest' });
    draftFill('new', 'An example');
    expect(useDrafts.getState().texts.new).toBe('An example');
    return waitFor(() => expect(document.activeElement).toBe(box));
  });

  test('Up in the empty input takes the last question', () => {
    const { box } = compose();
    fireEvent.keyDown(box, { key: 'ArrowUp' });
    expect(box.value).toBe('The last one?');
  });
});
