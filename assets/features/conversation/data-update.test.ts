import type { Message, RefreshedFile } from 'api/types';
import { describe, expect, test } from 'vitest';
import { dataChanged } from './copy';
import { answersUse, parentForNext, visibleRows } from './rows';
import { IDLE } from './run-machine';

const EARLY = 1_760_000_000;
const deals: RefreshedFile = { file_name: 'deals.csv', time_of_update: EARLY, change: 'refreshed' };
const orders: RefreshedFile = { file_name: 'orders.csv', time_of_update: EARLY, change: 'removed' };

function message(id: string, role: 'user' | 'assistant', more: Partial<Message> = {}): Message {
  const metadata = { is_thumbs_up: null, is_selected_assistant: true, is_best_answer: null };
  return {
    message_id: id,
    run_id: 'r',
    parent_message_id: null,
    role,
    content: `${id} text`,
    type: 'text',
    message_type: null,
    model: null,
    created_at: EARLY,
    image_data: null,
    since_refreshed_files: [],
    metadata: { ...metadata, consensus_group: null, reasoning_trace: null },
    output_files: [],
    user_specified_files: [],
    answer: null,
    children: [],
    ...more,
  };
}

const update = message('u1', 'assistant', { type: 'data_update', since_refreshed_files: [deals, orders] });
const thread = [message('q1', 'user', { children: [message('a1', 'assistant')] }), update];

describe('what happened to the data of a thread', () => {
  test('is one line and no turn, also where the thread says it of itself', () => {
    const rows = visibleRows(thread, IDLE, [deals, orders]);
    expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
      ['message', 'q1'],
      ['message', 'a1'],
      ['refreshed', 'u1-refreshed'],
    ]);
    expect(rows.at(-1)).toMatchObject({ files: [deals, orders] });
  });

  test('is nothing that the next question could answer to', () => {
    expect(parentForNext(thread)).toBe('a1');
  });

  test('is said by kind, with the names that people know', () => {
    const kept: RefreshedFile = { file_name: 'hubspot_owners.csv', time_of_update: EARLY };
    const plan: RefreshedFile = { file_name: 'plan.csv', time_of_update: EARLY, change: 'replaced' };
    expect(dataChanged([orders, deals, kept, plan])).toBe(
      'Data refreshed since this thread was last used: deals, owners. ' +
        'Data replaced since this thread was last used: plan. ' +
        'Data removed since this thread was last used: orders',
    );
  });

  test('concerns threads with an answer from that file, wherever it hangs', () => {
    const source = { name: 'deals', file_name: 'deals.csv', rows: 3, refreshed_at: null };
    const answer = { evidence: { sources: [source] } } as Message['answer'];
    const asked = [message('q1', 'user', { children: [message('a1', 'assistant', { answer })] })];
    expect(answersUse(asked, 'deals.csv')).toBe(true);
    expect(answersUse(asked, 'orders.csv')).toBe(false);
  });
});
