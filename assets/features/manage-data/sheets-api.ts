import { useQuery } from '@tanstack/react-query';
import { api } from 'api/client';
import { callbackAddress, connectionKey, type ServiceConnection } from 'api/connections';

/** A connected tab (GET /google/manage-sheets). */
export interface SheetTab {
  file_name: string;
  file_id: string;
  file_title: string;
  tab_title: string;
  state: 'waiting' | 'reading' | 'ready' | 'failed';
  reason: string | null;
  read_at: string | null;
  owner: string;
  mine: boolean;
  may_disconnect: boolean;
}

/** The member's own token for the picker, and what the picker needs besides. */
export interface GoogleAccess {
  access_token: string | null;
  picker: { script: string; key: string; app_id: string };
}

interface Sheets {
  sheets: SheetTab[];
  /** How often the member's own tabs are refreshed by themselves; null where there are none. */
  every_hours: number | null;
}

const POLL_MS = 3_000;
const PATH = '/google/manage-sheets';
const TABS = [...connectionKey('google'), 'tabs'];
const STANDING = [...connectionKey('google'), 'standing'];

export const atWork = (tab: SheetTab) => tab.state === 'waiting' || tab.state === 'reading';

/** The connected tabs; while one is read they are polled, the socket only makes it quicker. */
export function useSheetTabs() {
  return useQuery({
    queryKey: TABS,
    queryFn: loadSheets,
    refetchInterval: (query) => (query.state.data?.sheets.some(atWork) ? POLL_MS : false),
    staleTime: 0,
  });
}

/** How the member's own connection stands. */
export function useGoogleStanding() {
  return useQuery({
    queryKey: STANDING,
    queryFn: async () =>
      (await api.get<ServiceConnection[]>('/connections'))?.find((one) => one.service === 'google') ?? null,
    staleTime: 0,
  });
}

const loadSheets = async () => (await api.get<Sheets>(PATH)) ?? { sheets: [], every_hours: null };
export const loadTabs = async () => (await loadSheets()).sheets;
export const setSchedule = (hours: number) => api.post<Sheets>('/google/schedule', { every_hours: hours });
export const authCheck = () => api.post<GoogleAccess>('/google/auth-check', {});
export const refreshSheets = () => api.post<Sheets>(PATH, {});
export const disconnectTab = (tab: SheetTab) => api.remove<Sheets>(PATH, { file_name: tab.file_name });
export const listTabs = (fileId: string) =>
  api.get<{ file_id: string; title: string; tabs: string[] }>('/google/tabs', { file_id: fileId });

/** Ends a sign-in with the code that came back (SPEC 7: role and organization go along, the session decides). */
export const sendCode = (code: string, state: string, role: string, organization: string) =>
  api.post<GoogleAccess>('/google/token', {
    authorization_code: code,
    state,
    redirect_uri: callbackAddress('google'),
    user_role: role,
    organization,
  });

export const putTabs = (
  fileId: string,
  fileName: string,
  modifiedMs: number | null,
  tabs: readonly string[],
) =>
  api.put<Sheets>(PATH, {
    file_id: fileId,
    file_name: fileName,
    last_updated: Date.now(),
    ...(modifiedMs === null ? {} : { drive_last_modified: modifiedMs }),
    tab_names: tabs,
  });
