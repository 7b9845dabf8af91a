import { describe, expect, test } from 'vitest';
import { findMessage, flattenTree } from './flatten-tree';

interface Node {
  message_id: string;
  metadata: { is_selected_assistant: boolean | null };
  children: Node[];
}

const node = (message_id: string, children: Node[] = [], selected: boolean | null = null): Node => ({
  message_id,
  metadata: { is_selected_assistant: selected },
  children,
});
const ids = (rows: Node[]) => rows.map((row) => row.message_id);

describe('the message tree', () => {
  test('is read from the roots down', () => {
    expect(ids(flattenTree([node('q1', [node('a1', [node('q2', [node('a2')])])])]))).toEqual([
      'q1',
      'a1',
      'q2',
      'a2',
    ]);
  });

  test('keeps only the selected one of several answers, with what follows it', () => {
    const tree = [node('q1', [node('a1', [node('x')]), node('a2', [node('q2')], true), node('a3')])];
    expect(ids(flattenTree(tree))).toEqual(['q1', 'a2', 'q2']);
  });

  test('keeps every answer when all models are wanted', () => {
    const tree = [node('q1', [node('a1'), node('a2', [], true)])];
    expect(ids(flattenTree(tree, true))).toEqual(['q1', 'a1', 'a2']);
  });

  test('keeps a single child that is not marked, and the newest where none is', () => {
    expect(ids(flattenTree([node('q1', [node('a1')])]))).toEqual(['q1', 'a1']);
    expect(ids(flattenTree([node('a', [node('q1'), node('q1 again')])]))).toEqual(['a', 'q1 again']);
  });

  test('shows several roots one after the other and finds a message anywhere', () => {
    const tree = [node('q1', [node('a1')]), node('q2', [node('a2')])];
    expect(ids(flattenTree(tree))).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(findMessage(tree, 'a2')?.message_id).toBe('a2');
    expect(findMessage(tree, 'nobody')).toBeNull();
  });

  test('reads a thread of ten thousand turns without running out of stack', () => {
    let last = node('last');
    for (let turn = 0; turn < 10_000; turn += 1) last = node(`m${turn}`, [last]);
    expect(flattenTree([last])).toHaveLength(10_001);
  });
});
