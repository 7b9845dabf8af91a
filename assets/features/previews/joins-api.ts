import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { refusal } from 'api/errors';
import type { TableConnection } from 'api/types';
import { toastShow } from 'stores/toast';
import { profileKey } from './api';

export type Verdict = 'confirmed' | 'refused' | 'drawn';

/** A way from a table to another, and what people said of it. */
export interface Join extends Omit<TableConnection, 'match_rate'> {
  /** Null where the columns have nothing in common any more. */
  match_rate: number | null;
  direction: 'many_to_one' | 'one_to_many' | 'one_to_one' | 'many_to_many' | null;
  /** The two sides write the same thing otherwise: they are compared loosely. */
  loose: boolean;
  standing: 'found' | Verdict;
  by: string;
  at: string | null;
}

export interface JoinColumn {
  name: string;
  type: string;
}

export interface OtherTable {
  display_name: string;
  table: string;
  columns: readonly JoinColumn[];
}

export interface Joins {
  file_name: string;
  may_edit: boolean;
  tables: readonly { table: string; columns: readonly JoinColumn[]; joins: readonly Join[] }[];
  others: readonly OtherTable[];
}

/** Two tables with the columns by which they are joined. */
export interface Way {
  table: string;
  columns: readonly string[];
  other_table: string;
  other_columns: readonly string[];
}

/** Columns at one end of a way, at most (the server's limit as well). */
export const MOST_PAIRS = 10;

export const NOT_SETTLED = 'The connection could not be changed. Please try again.';

const key = (fileName: string) => ['joins', fileName];
const path = (route: string, fileName: string) => `${route}?filename=${encodeURIComponent(fileName)}`;

export function useJoins(fileName: string) {
  return useQuery({
    queryKey: key(fileName),
    queryFn: async () => (await api.get<Joins>('/files/dictionary/joins', { filename: fileName })) ?? null,
  });
}

/** What the server says after a change is what holds; the other end and the profiles are asked for again. */
function useChanged(fileName: string) {
  const client = useQueryClient();
  return (joins: Joins | undefined) => {
    void client.invalidateQueries({ queryKey: ['joins'], refetchType: 'none' });
    void client.invalidateQueries({ queryKey: profileKey(fileName).slice(0, 1) });
    if (joins) client.setQueryData(key(fileName), joins);
  };
}

/** Says how two tables are joined; every answer uses it from then on. */
export function useJoinSay(fileName: string, onDone?: () => void) {
  const changed = useChanged(fileName);
  return useMutation({
    mutationFn: (said: Way & { verdict: Verdict }) =>
      api.put<Joins>(path('/files/dictionary/joins', fileName), said),
    onSuccess: (joins) => {
      changed(joins);
      onDone?.();
    },
  });
}

/** Takes the last change of a way back. */
export function useJoinUndo(fileName: string) {
  const changed = useChanged(fileName);
  return useMutation({
    mutationFn: (way: Way) => api.post<Joins>(path('/files/dictionary/joins/undo', fileName), way),
    onSuccess: changed,
    onError: (error) => toastShow('error', refusal(error) ?? NOT_SETTLED),
  });
}
