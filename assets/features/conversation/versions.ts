import type { Message } from 'api/types';

/** The answers to a question by the reading they stand on, oldest first: of each run the one to be shown. Pure. */
export function versionsOf(question: Message): Message[] {
  const byRun = new Map<string, Message>();
  for (const answer of question.children) {
    if (answer.role !== 'assistant') continue;
    const run = answer.run_id ?? '';
    const before = byRun.get(run);
    if (before === undefined || weight(answer) > weight(before)) byRun.set(run, answer);
  }
  return [...byRun.values()];
}

function weight({ metadata }: Message): number {
  return metadata.is_selected_assistant ? 2 : metadata.is_best_answer ? 1 : 0;
}
