import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { HttpResponse, http } from 'msw';
import { useRef } from 'react';
import { draftFill, NEW_THREAD, useDrafts } from 'stores/draft';
import { readsAheadSet } from 'stores/reads-ahead';
import { server } from 'test/server';
import { beforeEach, expect, test } from 'vitest';
import type { QuestionPreview } from './ahead-api';
import { Composer } from './composer';

const EMPTY: QuestionPreview = { chips: [], unread: [], completions: [] };
const WORDS = [
  { text: 'region', where: 'Column of orders', replaces: 'reg' },
  { text: 'region code', where: 'Column of orders', replaces: 'reg' },
];

let sent: string[];
let asked: { text: string; before: string; thread_id: string | null }[];

/** A composer over a server that answers each text by `previews`; those that are not named are empty. */
function open(previews: Record<string, Partial<QuestionPreview> | Promise<Partial<QuestionPreview>>>) {
  sent = [];
  asked = [];
  server.use(
    http.post('*/api/v3/question-previews', async ({ request }) => {
      const body = (await request.json()) as (typeof asked)[number];
      asked.push(body);
      return HttpResponse.json({ ...EMPTY, ...(await previews[body.text]) });
    }),
  );
  render(<Page />);
  return screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement;
}

function Page() {
  const input = useRef<HTMLTextAreaElement>(null);
  const nothing = () => {};
  return (
    <Composer
      draftKey={NEW_THREAD}
      product="Plumbline"
      free
      stopping={false}
      lastQuestion={null}
      input={input}
      onSend={(text) => sent.push(text)}
      onStop={nothing}
      onAttach={nothing}
      onFeedback={nothing}
    />
  );
}

const type = (box: HTMLTextAreaElement, text: string) => fireEvent.change(box, { target: { value: text } });
const key = (box: HTMLTextAreaElement, name: string) => fireEvent.keyDown(box, { key: name });

beforeEach(() => sessionStart('t', false));

test('how a text would be read stands under the composer, with the words that are not read', async () => {
  const box = open({
    'sales of zebras': { chips: [{ part: 'figure', label: 'Total sales' }], unread: ['zebras'] },
  });
  type(box, 'sales of zebras');
  const line = await screen.findByRole('group', { name: 'Read as' });
  expect(line.textContent).toBe('Read asTotal salesNot read: zebras');
  expect(asked.map(({ text, before, thread_id }) => [text, before, thread_id])).toEqual([
    ['sales of zebras', 'sales of zebras', null],
  ]);
});

test('a part that finds no room for all its words gives them whole', async () => {
  const label = 'October 2025 or October 2026, by booked revenue date';
  const box = open({ 'sales in October': { chips: [{ part: 'period', label }] } });
  type(box, 'sales in October');
  expect((await screen.findByText(label)).title).toBe(label);
});

test('a text is asked about only once nothing more is typed', async () => {
  const box = open({ 'sales by region': { chips: [{ part: 'figure', label: 'Total sales' }] } });
  for (const text of ['sa', 'sales', 'sales by', 'sales by region']) type(box, text);
  await screen.findByText('Total sales');
  expect(asked.map(({ text }) => text)).toEqual(['sales by region']);
});

test('an answer that comes after the text has changed is dropped', async () => {
  let late: (preview: Partial<QuestionPreview>) => void = () => {};
  const box = open({
    first: new Promise((resolve) => {
      late = resolve;
    }),
    second: { chips: [{ part: 'figure', label: 'The second' }] },
  });
  type(box, 'first');
  await waitFor(() => expect(asked).toHaveLength(1));
  type(box, 'second');
  await screen.findByText('The second');
  late({ chips: [{ part: 'figure', label: 'The first' }] });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText('The first')).toBeNull();
  expect(screen.getByText('The second')).toBeTruthy();
});

test('a word is completed by arrow and Enter, which then sends nothing', async () => {
  const box = open({ 'sales by reg': { completions: WORDS } });
  type(box, 'sales by reg');
  await screen.findByRole('listbox', { name: 'What this may become' });
  expect(screen.getByRole('status').textContent).toBe('2 suggestions. Down arrow to choose.');
  expect(box.getAttribute('aria-activedescendant')).toBeNull();
  key(box, 'ArrowDown');
  key(box, 'ArrowDown');
  key(box, 'ArrowUp');
  const [first] = screen.getAllByRole('option');
  expect(first?.getAttribute('aria-selected')).toBe('true');
  expect(box.getAttribute('aria-activedescendant')).toBe(first?.id);
  key(box, 'Enter');
  expect(useDrafts.getState().texts[NEW_THREAD]).toBe('sales by region');
  expect(sent).toEqual([]);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('only what stands before the cursor is replaced, and the cursor stands behind the word', async () => {
  const box = open({ 'sales by reg in 2024': { completions: WORDS } });
  fireEvent.change(box, { target: { value: 'sales by reg in 2024', selectionStart: 12, selectionEnd: 12 } });
  fireEvent.click(await screen.findByRole('option', { name: /region code/ }));
  expect(useDrafts.getState().texts[NEW_THREAD]).toBe('sales by region code in 2024');
  expect(box.selectionStart).toBe('sales by region code'.length);
});

test('Enter sends and Tab goes on where nothing was chosen; Escape puts the suggestions away', async () => {
  const box = open({ 'sales by reg': { completions: WORDS } });
  type(box, 'sales by reg');
  await screen.findByRole('listbox');
  expect(key(box, 'Tab')).toBe(true);
  key(box, 'Escape');
  expect(screen.queryByRole('listbox')).toBeNull();
  key(box, 'Enter');
  expect(sent).toEqual(['sales by reg']);
});

test('a text that was put in from elsewhere is read, and nothing of it completed', async () => {
  open({ 'sales by reg': { chips: [{ part: 'figure', label: 'Total sales' }], completions: WORDS } });
  draftFill(NEW_THREAD, 'sales by reg');
  await screen.findByText('Total sales');
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('nothing is asked for where it is turned off', async () => {
  readsAheadSet(false);
  const box = open({});
  type(box, 'sales by region');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked).toEqual([]);
});
