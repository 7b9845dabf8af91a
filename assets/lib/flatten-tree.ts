/** From the tree of messages to the list a reader sees. No React, no formatting. */

interface TreeNode<T> {
  message_id: string;
  metadata: { is_selected_assistant: boolean | null };
  children: T[];
}

/**
 * The messages from the roots down, in reading order. Where a message has several children only the one marked as
 * selected is kept, unless `allModels` asks for all (SPEC 3); where none is marked, the newest stands. Of all, the one
 * that the conversation goes on from comes last, so that what follows stands below it.
 */
export function flattenTree<T extends TreeNode<T>>(roots: readonly T[], allModels = false): T[] {
  const rows: T[] = [];
  const waiting: T[] = [...roots].reverse();
  const seen = new Set<string>();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!node || seen.has(node.message_id)) continue;
    seen.add(node.message_id);
    rows.push(node);
    const children = node.children ?? [];
    if (children.length <= 1) waiting.push(...children);
    else if (allModels) waiting.push(...goingOnLast(children).reverse());
    else {
      const kept = children.find((child) => child.metadata.is_selected_assistant) ?? children.at(-1);
      if (kept) waiting.push(kept);
    }
  }
  return rows;
}

function goingOnLast<T extends TreeNode<T>>(children: readonly T[]): T[] {
  const ends = (child: T) => (child.children ?? []).length === 0;
  return [...children.filter(ends), ...children.filter((child) => !ends(child))];
}

/** The message with this id, wherever it hangs. */
export function findMessage<T extends TreeNode<T>>(roots: readonly T[], id: string): T | null {
  const waiting = [...roots];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!node) break;
    if (node.message_id === id) return node;
    waiting.push(...(node.children ?? []));
  }
  return null;
}
