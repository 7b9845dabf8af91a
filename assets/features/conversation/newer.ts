import type { LoadedThread, Message } from 'api/types';
import { isUpdate } from './rows';

/**
 * What a thread is after `now` has come in. Messages only ever join a thread, and replies overtake each other on their
 * way: one that lacks a message that is known was read before it, and takes nothing from the screen.
 */
export function newerThread(before: LoadedThread | null | undefined, now: LoadedThread): LoadedThread {
  if (!before) return now;
  const come = idsOf(now.messages);
  const older = [...idsOf(before.messages)].some((id) => !come.has(id));
  return older ? { ...now, messages: before.messages } : now;
}

/** Of the messages that are stored; what says that data changed is made anew with each reading of the thread. */
function idsOf(roots: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  const waiting = roots.filter((message) => !isUpdate(message));
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    ids.add(node.message_id);
    waiting.push(...node.children);
  }
  return ids;
}
