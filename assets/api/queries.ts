/** The server's state that several features read. Features keep the calls that only they make. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { api } from './client';
import { parsePreferences } from './preferences';
import type {
  LoadedThread,
  Me,
  Model,
  Preferences,
  PreferencesReply,
  Source,
  SourceListing,
  ThreadSummary,
} from './types';

export const keys = {
  me: ['me'],
  preferences: ['preferences'],
  threads: ['threads'],
  thread: (id: string) => ['thread', id],
  sources: ['sources'],
  models: ['models'],
  explanation: (file: string) => ['explanation', file],
} as const;

export function useMe(enabled: boolean) {
  return useQuery({
    queryKey: keys.me,
    queryFn: async () => (await api.get<Me>('/me')) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });
}

export async function preferencesGet(): Promise<Preferences> {
  return parsePreferences((await api.get<PreferencesReply>('/preferences'))?.user_preferences);
}

export function usePreferences(enabled: boolean) {
  return useQuery({
    queryKey: keys.preferences,
    queryFn: preferencesGet,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });
}

/** The configured models. Without the list the built-in analyst answers, so a failure is no one's business. */
export function useModels(enabled: boolean) {
  return useQuery({
    queryKey: keys.models,
    queryFn: async () => (await api.get<Model[]>('/models')) ?? [],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled,
  });
}

/** The key of the organization's own text among the explanations (SPEC 3). */
export const ORGANIZATION_CONTEXT = 'Organization Level Context';

/** The context text of a file, or of the organization; empty where nobody wrote one. */
export function useExplanation(file: string) {
  return useQuery({
    queryKey: keys.explanation(file),
    queryFn: async () =>
      (await api.get<Record<string, string>>('/explanation', { files: file }))?.[file] ?? '',
    staleTime: 0,
  });
}

export function useThreads(enabled: boolean) {
  return useQuery({
    queryKey: keys.threads,
    queryFn: async () => (await api.post<ThreadSummary[]>('/ask', { give: 'threads' })) ?? [],
    enabled,
  });
}

export async function loadThread(id: string, signal?: AbortSignal): Promise<LoadedThread | null> {
  return (await api.post<LoadedThread>('/ask', { thread_id: id }, signal)) ?? null;
}

/** Whether it waits for its reader or is being read. */
export const isWorking = (source: Source) => source.state === 'received' || source.state === 'reading';

/** The organization's files. While one is being read the list is polled; the socket only makes it quicker. */
export function useSources(enabled: boolean) {
  return useQuery({
    queryKey: keys.sources,
    queryFn: async () => (await api.get<SourceListing>('/files'))?.sources ?? [],
    refetchInterval: (query) => (query.state.data?.some(isWorking) ? 3_000 : false),
    enabled,
  });
}

export function sourceArrived(client: QueryClient, source: Source): void {
  client.setQueryData<Source[]>(keys.sources, (sources) => {
    if (!sources) return sources;
    const known = sources.some((one) => one.file_name === source.file_name);
    return known
      ? sources.map((one) => (one.file_name === source.file_name ? source : one))
      : [source, ...sources];
  });
}

export function sourceGone(client: QueryClient, fileName: string): void {
  client.setQueryData<Source[]>(keys.sources, (sources) =>
    sources?.filter((one) => one.file_name !== fileName),
  );
}
