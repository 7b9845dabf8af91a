import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from 'api/client';

/** Questions by how they ended; those that are still worked on are in `asked` alone. */
export interface Outcomes {
  asked: number;
  answered: number;
  asked_back: number;
  declined: number;
  failed: number;
  stopped: number;
  rated_up: number;
  rated_down: number;
}

export interface Usage {
  /** The last 30 days. */
  month: Outcomes;
  members: readonly (Outcomes & { id: string; name: string })[];
  weeks: readonly (Outcomes & { starts: string })[];
  /** Language models in the running month. */
  models: { budget: string | null; each: readonly { model: string; calls: number; cost: string }[] };
}

export interface Entry {
  id: string;
  at: string;
  /** Empty where nobody is known to have done it. */
  who: string;
  what: string;
  target: string;
  address: string | null;
}

interface AuditLog {
  entries: readonly Entry[];
  more: boolean;
}

export function useUsage() {
  return useQuery({
    queryKey: ['usage'],
    queryFn: async () => (await api.get<Usage>('/usage')) ?? null,
    staleTime: 0,
  });
}

/** The audit log page by page, the newest first. */
export function useAuditLog() {
  return useInfiniteQuery({
    queryKey: ['audit-log'],
    queryFn: async ({ pageParam }) => (await api.get<AuditLog>('/audit-log', { before: pageParam })) ?? null,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page?.more ? page.entries.at(-1)?.at : undefined),
    staleTime: 0,
  });
}
