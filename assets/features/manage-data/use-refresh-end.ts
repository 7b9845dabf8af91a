/**
 * The message at the end of the CRM's refresh (SPEC 7, 9), wherever its user is: with the panel closed, on another panel,
 * in another tab. The server's push makes the state old, the poll finds the same without it; a hidden tab waits until it
 * is looked at.
 */
import { useQueryClient } from '@tanstack/react-query';
import { keys } from 'api/queries';
import { useEffect, useSyncExternalStore } from 'react';
import { refreshForget, refreshIsLong, useCrmRefresh } from 'stores/crm-refresh';
import { toastShow } from 'stores/toast';
import { isUnderWay, useCrmStatus } from './crm-api';
import { REFRESH_FAILED, REFRESH_MESSAGE_MS, REFRESHED, STILL_REFRESHING } from './crm-copy';

export function useRefreshEnd(): void {
  const client = useQueryClient();
  const waiting = useCrmRefresh((refresh) => refresh.waiting);
  const visible = useSyncExternalStore(subscribe, isVisible);
  const { data, dataUpdatedAt, refetch } = useCrmStatus(waiting !== null);
  // What was known before it was asked for says nothing of it. A near server answers within the same millisecond.
  const status = waiting !== null && dataUpdatedAt >= waiting.since ? data : undefined;
  const ended = status && !isUnderWay(status) ? status : undefined;
  const { state, reason } = ended ?? {};
  useEffect(() => {
    if (state === undefined || !visible) return;
    refreshForget();
    void client.invalidateQueries({ queryKey: keys.sources });
    if (state === 'connected') toastShow('complete', REFRESHED, true);
    else if (state !== 'not_connected') toastShow('error', reason ?? REFRESH_FAILED, true);
  }, [state, reason, visible, client]);

  const since = waiting === null || waiting.told ? null : waiting.since;
  useEffect(() => {
    if (since === null || !visible) return;
    const timer = setTimeout(
      async () => {
        const now = (await refetch()).data;
        if (!isUnderWay(now) || useCrmRefresh.getState().waiting === null) return;
        refreshIsLong();
        toastShow('info', STILL_REFRESHING);
      },
      Math.max(0, since + REFRESH_MESSAGE_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [since, visible, refetch]);
}

const isVisible = () => document.visibilityState === 'visible';

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
