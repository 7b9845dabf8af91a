import type { Message, RefreshedFile } from 'api/types';
import { findMessage, flattenTree } from 'lib/flatten-tree';
import type { RunState } from './run-machine';

/** What is listed: the thread's messages and what the run adds while it goes on. All of it is derived. */
export type Row =
  | { kind: 'message'; key: string; message: Message; opensRole: boolean }
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

/** The tree the run has brought, where it is newer than the one that was loaded. */
export function currentTree(loaded: readonly Message[] | undefined, run: RunState): readonly Message[] {
  if ('messages' in run && run.messages) return run.messages;
  return loaded ?? EMPTY;
}

export function refreshedFiles(value: Message['since_refreshed_files'] | undefined): RefreshedFile[] {
  if (!value) return [];
  if (Array.isArray(value)) return value;
  return Object.entries(value).map(([name, entry]) => ({
    file_name: entry.file_name ?? name,
    time_of_update: entry.time_of_update,
  }));
}

export function visibleRows(
  loaded: readonly Message[] | undefined,
  run: RunState,
  refreshed: readonly RefreshedFile[] = [],
): Row[] {
  const tree = currentTree(loaded, run);
  const rows: Row[] = [];
  let role: string | null = null;
  const listed = flattenTree(tree);
  for (const [index, message] of listed.entries()) {
    if (isRepeated(message, listed[index + 1])) continue;
    const files = refreshedFiles(message.since_refreshed_files);
    if (files.length > 0) rows.push({ kind: 'refreshed', key: `${message.message_id}-refreshed`, files });
    rows.push({ kind: 'message', key: message.message_id, message, opensRole: message.role !== role });
    role = message.role;
  }
  if (rows.length > 0 && refreshed.length > 0)
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

/** A question that got no answer and was asked again in the same words stands once. */
function isRepeated(message: Message, next: Message | undefined): boolean {
  return message.role === 'user' && next?.role === 'user' && next.content === message.content;
}

function isListed(tree: readonly Message[], run: RunState): boolean {
  return 'ids' in run && run.ids !== null && findMessage(tree, run.ids.userMessageId) !== null;
}

/** The message the next question answers to: the last answer, or what the unanswered question answered to. */
export function parentForNext(messages: readonly Message[]): string | null {
  const last = flattenTree(messages).at(-1);
  if (!last) return null;
  return last.role === 'assistant' ? last.message_id : last.parent_message_id;
}
