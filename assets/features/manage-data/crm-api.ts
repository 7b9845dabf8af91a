import { useQuery } from '@tanstack/react-query';
import { api } from 'api/client';
import { type ConnectionState, callbackAddress, connectionKey, crmStatusKey } from 'api/connections';
import type { CrmFields } from 'stores/crm-edits';
import { refreshAwait } from 'stores/crm-refresh';

/** GET /hubspot/status. */
export interface CrmStatus {
  state: ConnectionState;
  reason: string | null;
  state_at: string | null;
  account_name: string;
  refreshed_at: string | null;
  configured: boolean;
  may_manage: boolean;
  progress: { category: string; read: number; waiting_until: string | null } | null;
  every_hours: number | null;
  /** Files of the last refresh that are still to be read; those of before answer meanwhile. */
  unread: number;
  /** Categories that cannot be read, each with the reason. */
  problems: Record<string, string>;
}

/** A record that is another than it was then. */
export interface CrmChange {
  id: string;
  name: string;
  kind: 'added' | 'changed' | 'removed';
  seen_at: string;
  fields: { field: string; before: string; after: string }[];
}

/** GET /hubspot/changes. */
export interface CrmChanges {
  /** The end of the first refresh: nothing is known from before. */
  known_from: string | null;
  /** How many moved; the newest 500 are told. */
  total: number;
  records: CrmChange[];
}

const POLL_MS = 3_000;
const FIELDS = [...connectionKey('hubspot'), 'fields'];

export const isUnderWay = (status: CrmStatus | null | undefined): boolean =>
  status?.state === 'refreshing' || (status?.unread ?? 0) > 0;

/** How it stands; while a refresh runs or its files are read it is polled, the socket only makes it quicker. */
export function useCrmStatus(enabled = true) {
  return useQuery({
    queryKey: crmStatusKey,
    enabled,
    queryFn: async () => (await api.get<CrmStatus>('/hubspot/status')) ?? null,
    refetchInterval: (query) => (isUnderWay(query.state.data) ? POLL_MS : false),
    staleTime: 0,
  });
}

export function useCrmFields(enabled: boolean) {
  return useQuery({
    queryKey: FIELDS,
    queryFn: async () =>
      (await api.get<CrmFields>('/hubspot/fields', { redirect_uri: callbackAddress('hubspot') })) ?? {},
    enabled,
  });
}

/** What moved in a category since then. */
export function useCrmChanges(category: string, since: Date) {
  return useQuery({
    queryKey: [...connectionKey('hubspot'), 'changes', category, since.toISOString()],
    queryFn: async () =>
      (await api.get<CrmChanges>('/hubspot/changes', { category, since: since.toISOString() })) ?? null,
  });
}

/** Starts a refresh; its end is told wherever its user is then. */
export async function refreshCrm(): Promise<void> {
  await api.post('/hubspot/direct-export', {});
  refreshAwait();
}
export const updateFields = (fields: CrmFields) => api.post<string>('/hubspot/fields', { fields });
export const setSchedule = (hours: number) =>
  api.post<CrmStatus>('/hubspot/schedule', { every_hours: hours });
