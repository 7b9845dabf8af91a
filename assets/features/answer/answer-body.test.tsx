import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStart } from 'api/session';
import type { AnswerParts, AnswerTable, KeptKeyword, Message, MessageFile } from 'api/types';
import { HttpResponse, http } from 'msw';
import { useToast } from 'stores/toast';
import { server } from 'test/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { AnswerBody } from './answer-body';
import { sizeOf } from './file-chips';

// Lazy parts are read beforehand: a busy machine may need more than a test's second for them.
beforeAll(
  () => Promise.all([import('./markdown'), import('./evidence-details'), import('./long-rows')]),
  60_000,
);

const parts: AnswerParts = {
  status: 'answered',
  text: '',
  headline: null,
  table: null,
  assumptions: [],
  choices: [],
  follow_ups: [],
  evidence: null,
  steps: [],
  seconds: 1,
  approach: 'builtin',
};

const table = (rows: AnswerTable['rows'], total = rows.length): AnswerTable => ({
  columns: [
    { name: 'Rep', type: 'text', kind: 'dimension', unit: null },
    { name: 'Won', type: 'decimal', kind: 'measure', unit: 'USD' },
  ],
  rows,
  total_rows: total,
});

const chart: MessageFile = {
  filename: 'won-by-rep.json',
  mime_type: 'application/vnd.chart+json',
  encoding: 'plain',
  content: '{}',
};

function message(answer: Partial<AnswerParts> | null, over: Partial<Message> = {}): Message {
  return {
    message_id: 'm1',
    run_id: 'r1',
    parent_message_id: null,
    role: 'assistant',
    content: '',
    type: 'text',
    message_type: null,
    model: 'builtin',
    created_at: 0,
    image_data: null,
    since_refreshed_files: null,
    metadata: {
      is_thumbs_up: null,
      is_selected_assistant: true,
      is_best_answer: null,
      consensus_group: null,
      reasoning_trace: null,
    },
    output_files: [],
    user_specified_files: [],
    answer: answer && { ...parts, ...answer },
    children: [],
    ...over,
  };
}

function show(shown: Message, threadId: string | null = null, brief = false) {
  const asked: string[] = [];
  const kept: KeptKeyword[] = [];
  render(
    <AnswerBody
      message={shown}
      threadId={threadId}
      brief={brief}
      renderChart={(file, units) => <p>{`chart ${file.filename} ${JSON.stringify(units)}`}</p>}
      onAsk={(question) => asked.push(question)}
      onKeep={(keyword) => kept.push(keyword)}
    />,
  );
  return { asked, kept, user: userEvent.setup() };
}

const bodyRows = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

test('a message without a structured answer is its Markdown', async () => {
  show(message(null, { content: '**Won** by [Ana](javascript:x)' }));
  expect((await screen.findByText('Won')).tagName).toBe('STRONG');
  expect(screen.queryByRole('link')).toBeNull();
});

test('the headline says its exact value and a change takes its colour from what is good', () => {
  const headline = {
    value: 412300.45,
    text: '$412,300',
    label: 'Won',
    unit: 'USD',
    change: 0.3,
    change_text: '+30% vs Q2',
    good_direction: 'down',
  } as const;
  show(message({ headline }));
  expect(screen.getByText('$412,300').textContent).toContain('exactly $412,300.45');
  expect(screen.getByText('+30% vs Q2').dataset.tone).toBe('bad');
});

test('a change is neutral where nobody knows whether up is good', () => {
  const headline = {
    value: 3,
    text: '3',
    label: 'Deals',
    unit: null,
    change: 1,
    change_text: '+100%',
    good_direction: null,
  } as const;
  show(message({ headline }));
  expect(screen.getByText('+100%').dataset.tone).toBe('neutral');
});

test('chart files are drawn by the slot with the units of the table, other files become chips', () => {
  const csv: MessageFile = {
    filename: 'deals.csv',
    mime_type: 'text/csv',
    encoding: 'plain',
    content: 'a,b\n',
  };
  show(message({ table: table([['Ana', 1]]) }, { output_files: [chart, csv] }));
  expect(screen.getByText('chart won-by-rep.json {"Rep":null,"Won":"USD"}')).toBeDefined();
  expect(screen.getAllByRole('button', { name: 'Download deals.csv' })).toHaveLength(2);
});

test('a table sorts by a click on its head and says so', async () => {
  const { user } = show(
    message({
      table: table([
        ['Ana', 1.5],
        ['Bob', 30],
        ['Cleo', null],
      ]),
    }),
  );
  expect(bodyRows()).toEqual(['Ana1.50', 'Bob30.00', 'Cleo–']);
  await user.click(screen.getByRole('button', { name: 'Won USD' }));
  expect(bodyRows()).toEqual(['Bob30.00', 'Ana1.50', 'Cleo–']);
  expect(screen.getByRole('columnheader', { name: 'Won USD' }).getAttribute('aria-sort')).toBe('descending');
  await user.click(screen.getByRole('button', { name: 'Won USD' }));
  expect(bodyRows()).toEqual(['Ana1.50', 'Bob30.00', 'Cleo–']);
  expect(screen.getByLabelText('no value')).toBeDefined();
});

test('ten rows are shown until all are asked for', async () => {
  const rows = Array.from({ length: 30 }, (_, index): [string, number] => [`Rep ${index}`, index]);
  const { user } = show(message({ table: table(rows) }));
  expect(bodyRows()).toHaveLength(10);
  expect(screen.getByText('10 of 30 rows')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all 30 rows' }));
  expect(bodyRows()).toHaveLength(30);
  await user.click(screen.getByRole('button', { name: 'Show fewer rows' }));
  expect(bodyRows()).toHaveLength(10);
});

test('a year of months is shown whole', () => {
  const rows = Array.from({ length: 12 }, (_, index): [string, number] => [`Month ${index}`, index]);
  show(message({ table: table(rows) }));
  expect(bodyRows()).toHaveLength(12);
  expect(screen.getByText('12 rows')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
});

test('a long table draws only the rows in view', async () => {
  const rows = Array.from({ length: 1000 }, (_, index): [string, number] => [`Rep ${index}`, index]);
  const { user } = show(message({ table: table(rows, 1284) }));
  expect(screen.getByText('10 of 1,284 rows')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show the first 1,000 rows' }));
  await screen.findByText('1,000 of 1,284 rows');
  expect(bodyRows().length).toBeLessThanOrEqual(101);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
});

test('a table without rows says so, and one that repeats the headline is left out', () => {
  show(message({ table: table([]) }));
  expect(screen.getByText('No rows match.')).toBeDefined();
});

test('a table without rows names what was left out', () => {
  const filters = ['Stage is Closed Won', 'Close date in 2026'];
  const evidence = { sources: [], plan_sentence: '', definitions: [], joins: [], notes: [] };
  show(message({ table: table([]), evidence: { ...evidence, filters, query: '', row_count: 0 } }));
  expect(screen.getByText('No rows match. Filters: Stage is Closed Won; Close date in 2026.')).toBeDefined();
});

test('a single figure is not shown twice', () => {
  const headline = {
    value: 3,
    text: '3',
    label: 'Deals',
    unit: null,
    change: null,
    change_text: null,
    good_direction: null,
  };
  const single = {
    columns: [{ name: 'Deals', type: 'integer', kind: 'measure', unit: null }],
    rows: [[3]],
    total_rows: 1,
  };
  show(message({ headline, table: single }));
  expect(screen.queryByRole('table')).toBeNull();
});

test('copying a table puts it on the clipboard as cells', async () => {
  const { user } = show(message({ table: table([['=Ana', -1]]) }));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe("Rep\tWon (USD)\n'=Ana\t-1");
});

test('the whole table comes from the server as CSV or XLSX; where that fails its sentence is shown', async () => {
  sessionStart('t', false);
  const asked: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:table');
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  server.use(
    http.get('*/api/v3/answers/table', ({ request }) => {
      asked.push(new URL(request.url).search);
      return asked.length < 3
        ? new HttpResponse('rows')
        : HttpResponse.json({ error: { message: 'The rows are gone.', code: 'gone' } }, { status: 409 });
    }),
  );
  const { user } = show(message({ table: table([['Ana', 1]]) }), 't1');
  for (const [count, name] of [
    [1, 'Download as CSV'],
    [2, 'Download as XLSX'],
  ] as const) {
    await waitFor(() => expect(screen.getByRole('button', { name })).toHaveProperty('disabled', false));
    await user.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(save).toHaveBeenCalledTimes(count));
  }
  expect(asked).toEqual(['?thread_id=t1&message_id=m1&type=csv', '?thread_id=t1&message_id=m1&type=xlsx']);
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Download as CSV' })).toHaveProperty('disabled', false),
  );
  await user.click(screen.getByRole('button', { name: 'Download as CSV' }));
  await waitFor(() => expect(useToast.getState().toast?.content).toBe('The rows are gone.'));
});

test('a download keeps the order on the screen', async () => {
  sessionStart('t', false);
  const asked: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:table');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  server.use(
    http.get('*/api/v3/answers/table', ({ request }) => {
      asked.push(new URL(request.url).search);
      return new HttpResponse('rows');
    }),
  );
  const rows = [
    ['Ana', 1],
    ['Ben', 3],
  ];
  const { user } = show(message({ table: table(rows) }), 't1');
  await user.click(screen.getByRole('button', { name: /^Won/ }));
  await user.click(screen.getByRole('button', { name: 'Download as XLSX' }));
  await waitFor(() =>
    expect(asked).toEqual(['?thread_id=t1&message_id=m1&type=xlsx&sort=1&direction=descending']),
  );
});

test('beside another answer it shows what it says, without charts and ways to go on', () => {
  show(message({ text: 'Twelve.', assumptions: ['by close date'] }, { output_files: [chart] }), null, true);
  expect(screen.queryByText(/^chart /)).toBeNull();
  expect(screen.queryByText('by close date')).toBeNull();
});

test('a clarifying answer asks the chosen reading at once', async () => {
  const choices = [
    { label: 'Amount of won deals', question: 'Total amount of won deals?' },
    { label: 'Paid invoices', question: 'Total of paid invoices?' },
  ];
  const { asked, user } = show(message({ status: 'clarify', text: 'Two readings.', choices }));
  expect(screen.getByText('Which one do you mean?')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Paid invoices' }));
  expect(asked).toEqual(['Total of paid invoices?']);
});

test('a choice that a keyword would settle can be kept for good, which asks it too', async () => {
  const keyword = { term: 'amount', definition: 'net amount' };
  const choices = [
    { label: 'net amount', question: 'Total net amount?', keyword },
    { label: 'gross amount', question: 'Total gross amount?', keyword: null },
  ];
  const { asked, kept, user } = show(message({ status: 'clarify', text: 'Which?', choices }));
  expect(screen.getAllByText('Always')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Always take “amount” as net amount' }));
  expect(kept).toEqual([keyword]);
  expect(asked).toEqual(['Total net amount?']);
});

test('a declined answer offers questions that can be answered', async () => {
  const { asked, user } = show(
    message({
      status: 'declined',
      text: 'No.',
      choices: [{ label: 'Deals by month', question: 'Deals by month' }],
    }),
  );
  expect(screen.getByRole('list', { name: 'Questions I can answer' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Deals by month' }));
  expect(asked).toEqual(['Deals by month']);
});

test('how it was computed opens in place with filters, joins, definitions and the query', async () => {
  const evidence = {
    sources: [{ name: 'deals', file_name: 'deals.csv', rows: 12, refreshed_at: null }],
    plan_sentence: 'Sum of amount by rep.',
    filters: ['stage is won'],
    definitions: ['Won: sum of amount'],
    joins: ['deals.owner_id = owners.id'],
    query: 'SELECT sum(amount) FROM deals',
    row_count: 12,
    notes: [],
  };
  const { user } = show(message({ assumptions: ['by close date'], evidence }));
  expect(screen.getByText('by close date')).toBeDefined();
  expect(screen.getByText(/Source: deals\. 12 rows\./)).toBeDefined();
  const opener = screen.getByRole('button', { name: 'How this was computed' });
  expect(opener.getAttribute('aria-expanded')).toBe('false');
  const seen = vi.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(opener);
  for (const text of [
    'Sum of amount by rep.',
    'stage is won',
    'Won: sum of amount',
    'deals.owner_id = owners.id',
  ]) {
    expect(await screen.findByText(text)).toBeDefined();
  }
  await waitFor(() => expect(seen).toHaveBeenCalledWith({ block: 'nearest' }));
  expect((seen.mock.contexts[0] as Element).textContent).toContain('Sum of amount by rep.');
  const shown = screen.getByRole('region', { name: 'Query as it ran' });
  expect(shown.textContent).toBe('SELECT sum(amount)\nFROM deals\n');
  await user.click(screen.getByRole('button', { name: 'Copy query' }));
  expect(await navigator.clipboard.readText()).toBe('SELECT sum(amount) FROM deals');
  await user.click(opener);
  expect(screen.queryByText('stage is won')).toBeNull();
});

test('a file’s size is that of its decoded content', () => {
  expect(sizeOf({ filename: 'a', mime_type: '', encoding: 'base64', content: 'aGVsbG8=' })).toBe(5);
  expect(sizeOf({ filename: 'a', mime_type: '', encoding: 'plain', content: 'ü' })).toBe(2);
});

test('a refusal says what was understood, asks for the word and leads on; a choice asks at once', async () => {
  const onAsk = vi.fn();
  const onTeach = vi.fn();
  const said = message({
    status: 'declined',
    text: 'Which of these is “bought”?',
    read_as: {
      chips: [{ key: 'group:0', part: 'group', label: 'By region', opens: false, guessed: false }],
      unread: [],
    },
    choices: [
      {
        label: 'Order date',
        question: 'by order date?',
        kind: 'meaning',
        teaches: '“bought” will mean order date.',
      },
      { label: 'Total net by region', question: 'Total net by region', kind: 'rewrite', teaches: null },
    ],
  });
  render(<AnswerBody message={said} renderChart={() => null} onAsk={onAsk} onTeach={onTeach} />);
  expect(screen.getByRole('list', { name: 'Understood' }).textContent).toContain('By region');
  const meanings = within(screen.getByRole('list', { name: 'What the word may mean' }));
  fireEvent.click(meanings.getByRole('button', { name: 'Order date' }));
  expect(onAsk).toHaveBeenLastCalledWith('by order date?');
  expect(onTeach).not.toHaveBeenCalled();
  fireEvent.click(meanings.getByRole('button', { name: 'Always: “bought” will mean order date.' }));
  expect(onTeach).toHaveBeenCalledExactlyOnceWith(0);
  const near = within(screen.getByRole('list', { name: 'Or one of these questions' }));
  fireEvent.click(near.getByRole('button', { name: 'Total net by region' }));
  expect(onAsk).toHaveBeenLastCalledWith('Total net by region');
  expect(near.queryByRole('button', { name: /Always/ })).toBeNull();
});

test('the headline names its subject beside the figure, and what the figure is above it', () => {
  const headline = {
    value: 48200,
    text: '48,200',
    label: 'North: total sales',
    unit: null,
    change: null,
    change_text: '',
    good_direction: null,
  } as const;
  show(message({ headline }));
  expect(screen.getByText('48,200').textContent).toBe('North: 48,200');
  expect(screen.getByText('Total sales')).toBeTruthy();
});

test('two figures stand in a line and not in a table, exact where they are pointed at', () => {
  const two: AnswerTable = {
    columns: [
      { name: 'Total amount', type: 'decimal', kind: 'measure', unit: 'USD' },
      { name: 'Number of deals', type: 'integer', kind: 'measure', unit: null },
    ],
    rows: [[24612345.67, 2823]],
    total_rows: 1,
  };
  show(message({ table: two }));
  expect(screen.queryByRole('table')).toBeNull();
  const [amount, count] = screen.getAllByRole('definition');
  expect(amount?.dataset.tip).toBe('$24,612,345.67');
  expect(amount?.textContent).toContain('$24.6 million');
  expect(count?.textContent).toBe('2,823');
});

test('a chart and the table of its rows share a card, and what was looked at last is kept', async () => {
  const drawn = {
    ...chart,
    content: JSON.stringify({ labels: ['Ada', 'Ben'], datasets: [{ data: [1, 2] }] }),
  };
  const rows = table([
    ['Ada', 1],
    ['Ben', 2],
  ]);
  const { user } = show(message({ table: rows }, { output_files: [drawn] }));
  expect(screen.getByText(/^chart won-by-rep/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Table' }));
  expect(screen.getByRole('table')).toBeTruthy();
  expect(screen.queryByText(/^chart won-by-rep/)).toBeNull();
  expect(localStorage.getItem('answerView')).toBe('table');
});
