/** What a finished check says, derived from the answers to one question; nothing of it is stored. Pure. */
import type { Message } from 'api/types';

/** Whether the approaches came to one result (SPEC 4). */
export type Verdict = 'agree' | 'mixed' | 'disagree';

/** What is said of it: where all came to one result, whether readings made independently did (SPEC 4: still `agree`). */
export type Finding = Verdict | 'unconfirmed' | 'doubted';

type Answers = readonly Message[];

/** True where each answer carries its group and its trace: the check is over, now or when the thread was loaded. */
export function isValidated(answers: Answers): boolean {
  return (
    answers.length > 0 &&
    answers.every(({ metadata }) => (metadata.consensus_group ?? '') !== '' && metadata.reasoning_trace)
  );
}

/** `null` where the answers were not validated. */
export function verdictOf(answers: Answers): Verdict | null {
  if (!isValidated(answers)) return null;
  const group = selectedOf(answers)?.metadata.consensus_group;
  const together = answers.filter(({ metadata }) => metadata.consensus_group === group).length;
  if (together === answers.length) return 'agree';
  return together === 1 ? 'disagree' : 'mixed';
}

/** The verdict as it is worded. "Agree" alone is kept for readings that agree; older checks did not look. */
export function findingOf(answers: Answers): Finding | null {
  const verdict = verdictOf(answers);
  const state = selectedOf(answers)?.answer?.check?.state;
  return verdict === 'agree' && (state === 'unconfirmed' || state === 'doubted') ? state : verdict;
}

/** The answers that get a tab: the selected one, the best if it is another, then one of each group not yet shown. */
export function tabsOf(answers: Answers): Message[] {
  const selected = selectedOf(answers);
  const best = bestOf(answers);
  const tabs = selected ? [selected] : [];
  if (best && best !== selected) tabs.push(best);
  const shown = new Set(tabs.map(({ metadata }) => metadata.consensus_group));
  for (const answer of answers) {
    const { consensus_group: group } = answer.metadata;
    if (shown.has(group)) continue;
    shown.add(group);
    tabs.push(answer);
  }
  return tabs;
}

/** How many answers share this one's group, itself among them. */
export function sizeOfGroup(answers: Answers, answer: Message): number {
  const { consensus_group: group } = answer.metadata;
  return answers.filter(({ metadata }) => metadata.consensus_group === group).length;
}

/** An answer without its mark is a fault of the server's: it is logged, and the first stands in its place. */
export function missingMarks(answers: Answers): string[] {
  const missing = [];
  if (!answers.some(({ metadata }) => metadata.is_selected_assistant)) missing.push('selected');
  if (!answers.some(({ metadata }) => metadata.is_best_answer)) missing.push('best');
  return missing;
}

function selectedOf(answers: Answers): Message | undefined {
  return answers.find(({ metadata }) => metadata.is_selected_assistant) ?? answers[0];
}

function bestOf(answers: Answers): Message | undefined {
  return answers.find(({ metadata }) => metadata.is_best_answer);
}
