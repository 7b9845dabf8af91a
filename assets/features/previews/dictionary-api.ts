import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { toastShow } from 'stores/toast';

export type Kind = 'measure' | 'dimension' | 'time' | 'identifier' | 'flag' | 'text';
export type Adds = 'sum' | 'average' | 'last';

/** What one column means. */
export interface ColumnMeaning {
  label: string;
  kind: Kind;
  concept: string | null;
  concept_label: string | null;
  /** What it may mean, likeliest first. */
  may_mean: readonly { concept: string; label: string }[];
  adds: Adds | null;
  unit: string | null;
  /** What stored codes and flags mean. */
  values: Readonly<Record<string, string>>;
  synonyms: readonly string[];
  value_synonyms: Readonly<Record<string, readonly string[]>>;
}

/** What people said, who and when; null where nobody said anything. */
type Taught = { said: Readonly<Record<string, unknown>>; by: string; at: string } | null;

export interface DictionaryColumn extends ColumnMeaning {
  name: string;
  found: ColumnMeaning;
  taught: Taught;
}

interface RowMeaning {
  row: string;
  rows: string;
  /** The date that the rows go by where no word says which. */
  date_column: string | null;
}

export interface DictionaryTable extends RowMeaning {
  name: string;
  key_column: string | null;
  name_column: string | null;
  found: RowMeaning;
  taught: Taught;
  columns: readonly DictionaryColumn[];
}

/** The tables of the same columns that people want this one taken before. */
export const takenBefore = ({ taught }: Pick<DictionaryTable, 'taught'>): readonly string[] =>
  Array.isArray(taught?.said.before) ? taught.said.before.map(String) : [];

export interface Dictionary {
  file_name: string;
  may_edit: boolean;
  tables: readonly DictionaryTable[];
}

/** What is said about a table, or about one of its columns. */
export interface Lesson {
  table: string;
  /** Empty: the table itself. */
  column: string;
  said: Readonly<Record<string, unknown>>;
}

export const NOTHING_TO_UNDO = 'The change could not be undone. Please try again.';

const key = (fileName: string) => ['dictionary', fileName];
const path = (route: string, fileName: string) => `${route}?filename=${encodeURIComponent(fileName)}`;

export function useDictionary(fileName: string) {
  return useQuery({
    queryKey: key(fileName),
    queryFn: async () => (await api.get<Dictionary>('/files/dictionary', { filename: fileName })) ?? null,
  });
}

/** Says what a table or a column means; every answer is read with it from then on. */
export function useTeach(fileName: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (lesson: Lesson) => api.put<Dictionary>(path('/files/dictionary', fileName), lesson),
    onSuccess: (dictionary) => {
      client.setQueryData(key(fileName), dictionary);
      onDone();
    },
  });
}

/** Takes the last change of a table's or a column's entry back. */
export function useUndo(fileName: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (entry: Pick<Lesson, 'table' | 'column'>) =>
      api.post<Dictionary>(path('/files/dictionary/undo', fileName), entry),
    onSuccess: (dictionary) => client.setQueryData(key(fileName), dictionary),
    onError: () => toastShow('error', NOTHING_TO_UNDO),
  });
}
