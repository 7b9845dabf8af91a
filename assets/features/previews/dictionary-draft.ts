/** What an admin fills in about a column, and what of it is said. Pure. */
import type { Adds, ColumnMeaning, DictionaryColumn, Kind } from './dictionary-api';

export interface ColumnDraft {
  label: string;
  kind: Kind;
  /** Empty: none of those that are known. */
  concept: string;
  adds: Adds;
  unit: string;
  /** Words with commas between them. */
  synonyms: string;
  values: Readonly<Record<string, string>>;
  valueSynonyms: Readonly<Record<string, string>>;
}

export const KINDS: Readonly<Record<Kind, string>> = {
  measure: 'A figure',
  dimension: 'Something to group by',
  time: 'A date or time',
  identifier: 'An ID',
  flag: 'Yes or no',
  text: 'Free text',
};

export const ADDS: Readonly<Record<Adds, string>> = {
  sum: 'Adds up',
  average: 'Is averaged',
  last: 'The last value counts',
};

const join = (words: readonly string[] | undefined) => (words ?? []).join(', ');
const split = (text: string) => [
  ...new Set(
    text
      .split(/[,;\n]/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
];

export function draftOf(column: DictionaryColumn): ColumnDraft {
  return {
    label: column.label,
    kind: column.kind,
    concept: column.concept ?? '',
    adds: column.adds ?? 'sum',
    unit: column.unit ?? '',
    synonyms: join(column.synonyms),
    values: column.values,
    valueSynonyms: Object.fromEntries(
      Object.entries(column.value_synonyms).map(([value, words]) => [value, join(words)]),
    ),
  };
}

/** Only what differs from what was found out is said; the rest follows the data when they change. */
export function saidOf(draft: ColumnDraft, found: ColumnMeaning): Record<string, unknown> {
  const label = draft.label.trim();
  const unit = draft.unit.trim();
  const values = Object.fromEntries(
    Object.entries(draft.values)
      .map(([value, meaning]) => [value, meaning.trim()] as const)
      .filter(([value, meaning]) => meaning !== (found.values[value] ?? '')),
  );
  const valueSynonyms = Object.fromEntries(
    Object.entries(draft.valueSynonyms)
      .map(([value, words]) => [value, split(words)] as const)
      .filter(([, words]) => words.length > 0),
  );
  const synonyms = split(draft.synonyms);
  return {
    ...(label && label !== found.label && { label }),
    ...(draft.kind !== found.kind && { kind: draft.kind }),
    ...(draft.concept !== (found.concept ?? '') && { concept: draft.concept }),
    ...(draft.kind === 'measure' && draft.adds !== (found.adds ?? 'sum') && { adds: draft.adds }),
    ...(unit !== (found.unit ?? '') && { unit }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(synonyms.length > 0 && { synonyms }),
    ...(Object.keys(valueSynonyms).length > 0 && { value_synonyms: valueSynonyms }),
  };
}
