/** Marks another answer of a question as the selected one, as the server does when it is told (SPEC 4). Pure. */
import type { Message } from 'api/types';

/** The same tree with `messageId` selected among its siblings; what followed the former one follows it now. */
export function withSelected(roots: readonly Message[], messageId: string): Message[] {
  return roots.map((node) => {
    const children = node.children ?? [];
    if (!children.some((child) => child.message_id === messageId)) {
      return children.length > 0 ? { ...node, children: withSelected(children, messageId) } : node;
    }
    const followers = children.flatMap((child) => child.children ?? []);
    return {
      ...node,
      children: children.map((child) => {
        const selected = child.message_id === messageId;
        return {
          ...child,
          metadata: { ...child.metadata, is_selected_assistant: selected },
          children: selected ? followers.map((one) => ({ ...one, parent_message_id: messageId })) : [],
        };
      }),
    };
  });
}
