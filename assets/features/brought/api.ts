import { useQuery } from '@tanstack/react-query';
import { api } from 'api/client';

/** What one file holds; `period` is empty where it has no date of its own. */
export interface BroughtFile {
  file_name: string;
  display_name: string;
  rows: number;
  noun: string;
  period: string;
}

/** A question that has an answer, and the file to ask it of: others may hold the like. */
export interface BroughtQuestion {
  text: string;
  file_name: string;
}

export interface BroughtFiles {
  /** False while the files are read and questions are tried out. */
  ready: boolean;
  files: BroughtFile[];
  questions: BroughtQuestion[];
}

const POLL_MS = 1_500;

/** What is told of these files, asked for until it is there. */
export function useBrought(names: readonly string[]) {
  return useQuery({
    queryKey: ['brought', ...names],
    queryFn: () => {
      const named = names.map((name) => `filename=${encodeURIComponent(name)}`).join('&');
      return api.get<BroughtFiles>(`/question-suggestions/brought?${named}`);
    },
    refetchInterval: (query) => (query.state.data?.ready === false ? POLL_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: names.length > 0,
  });
}
