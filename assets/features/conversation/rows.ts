import type { Message, RefreshedFile } from 'api/types';
import { findMessage, flattenTree } from 'lib/flatten-tree';
import type { RunState } from './run-machine';

/** What is listed: the thread's messages and what the run adds while it goes on. All of it is derived. */
export type Row =
  | {
      kind: 'message';
      key: string;
      message: Message;
      opensRole: boolean;
      /** The question that an answer belongs to; null for questions. */
      question: Message | null;
    }
  | {
      kind: 'pending-question';
      key: string;
      prompt: string;
      files: readonly string[];
      at: number;
      opensRole: boolean;
    }
  | { kind: 'refreshed'; key: string; files: readonly RefreshedFile[] };

const EMPTY: readonly Message[] = [];

/** The tree the run has brought, until the loaded one holds what it brought. */
export function currentTree(loaded: readonly Message[] | undefined, run: RunState): readonly Message[] {
  if (!('messages' in run) || !run.messages) return loaded ?? EMPTY;
  const kept = run.kind !== 'done' && loaded && run.ids && findMessage(loaded, run.ids.userMessageId);
  return kept ? loaded : run.messages;
}

export function refreshedFiles(value: Message['since_refreshed_files'] | undefined): RefreshedFile[] {
  if (!value) return [];
  if (Array.isArray(value)) return value;
  return Object.entries(value).map(([name, entry]) => ({
    file_name: entry.file_name ?? name,
    time_of_update: entry.time_of_update,
    change: entry.change,
  }));
}

/** Says that the thread's data changed; nobody said it, so it is no turn and nothing answers to it. */
export const isUpdate = (message: Message): boolean => message.type === 'data_update';

/** Whether one of the answers was computed from this file. */
export function answersUse(messages: readonly Message[], file: string): boolean {
  return messages.some(
    ({ answer, children }) =>
      answer?.evidence?.sources.some(({ file_name }) => file_name === file) || answersUse(children, file),
  );
}

export function visibleRows(
  loaded: readonly Message[] | undefined,
  run: RunState,
  refreshed: readonly RefreshedFile[] = [],
  allModels = false,
): Row[] {
  const tree = currentTree(loaded, run);
  const rows: Row[] = [];
  let role: string | null = null;
  const listed = flattenTree(tree, allModels);
  for (const [index, message] of listed.entries()) {
    if (isRepeated(message, listed[index + 1])) continue;
    const files = refreshedFiles(message.since_refreshed_files);
    if (files.length > 0) rows.push({ kind: 'refreshed', key: `${message.message_id}-refreshed`, files });
    if (isUpdate(message)) continue;
    const question = message.role === 'assistant' ? questionOf(listed, index) : null;
    const opensRole = message.role !== role;
    rows.push({ kind: 'message', key: message.message_id, message, opensRole, question });
    role = message.role;
  }
  if (rows.length > 0 && refreshed.length > 0 && !listed.some(isUpdate))
    rows.push({ kind: 'refreshed', key: 'refreshed', files: refreshed });
  if ('asked' in run && !isListed(tree, run)) {
    const { prompt, files, at } = run.asked;
    const left = listed.at(-1);
    if (left?.role === 'user' && left.content === prompt) {
      rows.splice(
        rows.findIndex((row) => row.key === left.message_id),
        1,
      );
      role = null;
    }
    rows.push({ kind: 'pending-question', key: 'user-temp', prompt, files, at, opensRole: role !== 'user' });
  }
  return rows;
}

/** The question before an answer; with all models shown, several answers follow it. */
function questionOf(listed: readonly Message[], index: number): Message | null {
  const answer = listed[index];
  for (let at = index - 1; at >= 0; at -= 1) {
    const message = listed[at];
    if (message?.role === 'user')
      return message.children.some((child) => child.message_id === answer?.message_id) ? message : null;
  }
  return null;
}

/** A question that got no answer and was asked again in the same words stands once. */
function isRepeated(message: Message, next: Message | undefined): boolean {
  return message.role === 'user' && next?.role === 'user' && next.content === message.content;
}

function isListed(tree: readonly Message[], run: RunState): boolean {
  return 'ids' in run && run.ids !== null && findMessage(tree, run.ids.userMessageId) !== null;
}

/** The message the next question answers to: the last answer, or what the unanswered question answered to. */
export function parentForNext(messages: readonly Message[]): string | null {
  const last = flattenTree(messages).findLast((message) => !isUpdate(message));
  if (!last) return null;
  return last.role === 'assistant' ? last.message_id : last.parent_message_id;
}
