/** Marks another answer of a question as the selected one, as the server does when it is told (SPEC 4). Pure. */
import type { Message } from 'api/types';

/** The same tree with `messageId` selected among its siblings; what followed the former one follows it now. */
export function withSelected(roots: readonly Message[], messageId: string): Message[] {
  const path = pathToParent(roots, messageId);
  if (path.length === 0) return [...roots];
  // From the question up to its root each message is made anew; everything beside the path stays the same object.
  let made = selectedIn(path.at(-1) as Message, messageId);
  for (const parent of path.slice(0, -1).reverse()) {
    const [old, next] = [made.message_id, made];
    made = { ...parent, children: parent.children.map((child) => (child.message_id === old ? next : child)) };
  }
  return roots.map((root) => (root.message_id === made.message_id ? made : root));
}

function selectedIn(question: Message, messageId: string): Message {
  const followers = question.children.flatMap((child) => child.children);
  return {
    ...question,
    children: question.children.map((child) => {
      const selected = child.message_id === messageId;
      return {
        ...child,
        metadata: { ...child.metadata, is_selected_assistant: selected },
        children: selected ? followers.map((one) => ({ ...one, parent_message_id: messageId })) : [],
      };
    }),
  };
}

/** The messages from a root down to the one whose child is asked for; a thread may be thousands of messages deep. */
function pathToParent(roots: readonly Message[], messageId: string): Message[] {
  const parents = new Map<string, Message | null>();
  const waiting: [Message, Message | null][] = roots.map((root) => [root, null]);
  while (waiting.length > 0) {
    const [node, parent] = waiting.pop() as [Message, Message | null];
    parents.set(node.message_id, parent);
    if (!node.children.some((child) => child.message_id === messageId)) {
      waiting.push(...node.children.map((child): [Message, Message] => [child, node]));
      continue;
    }
    const path: Message[] = [];
    for (let at: Message | null = node; at; at = parents.get(at.message_id) ?? null) path.unshift(at);
    return path;
  }
  return [];
}
