/** The arithmetic of the keywords panel: newest first on the screen, oldest first in the stored map. Pure. */
import type { Keyword, KeywordDraft } from 'stores/company';
import { knownTerm, NO_DEFINITION, NO_TERM } from './copy';

let count = 0;
export const newKey = (): number => {
  count += 1;
  return count;
};

/** The stored map, whose newest entry is its last, as rows with the newest first. */
export function keywordRows(stored: Readonly<Record<string, string>>): Keyword[] {
  return Object.entries(stored)
    .map(([term, definition]) => ({ key: newKey(), term, definition }))
    .reverse();
}

export function keywordMap(rows: readonly Keyword[]): Record<string, string> {
  return Object.fromEntries(rows.toReversed().map(({ term, definition }) => [term, definition.trim()]));
}

export function isKnown(rows: readonly Keyword[], term: string): boolean {
  const wanted = term.trim().toLowerCase();
  return rows.some((row) => row.term.toLowerCase() === wanted);
}

export const isBlank = ({ term, definition }: KeywordDraft): boolean => (term + definition).trim() === '';

export interface DraftProblem {
  field: keyof KeywordDraft;
  text: string;
}

/** Why a draft is no new keyword: a word is missing, or the term is there already. */
export function draftProblem(
  rows: readonly Keyword[],
  { term, definition }: KeywordDraft,
): DraftProblem | null {
  if (term.trim() === '') return { field: 'term', text: NO_TERM };
  if (isKnown(rows, term)) return { field: 'term', text: knownTerm(term.trim()) };
  return definition.trim() === '' ? { field: 'definition', text: NO_DEFINITION } : null;
}

/** True where the same terms mean the same, whatever their order. */
export function sameKeywords(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const terms = Object.keys(one);
  return terms.length === Object.keys(other).length && terms.every((term) => one[term] === other[term]);
}
