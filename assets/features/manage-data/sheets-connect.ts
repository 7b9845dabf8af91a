/** Connecting tabs, from the popup's Connect to the rows being ready (SPEC 4): it goes on while the panel is closed. */
import type { QueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { connectionKey } from 'api/connections';
import { ApiError } from 'api/errors';
import { keys } from 'api/queries';
import type { SourceListing } from 'api/types';
import { broughtSet } from 'stores/brought';
import type { PickedFile } from 'stores/popup';
import { storeCreate } from 'stores/store';
import { toastShow } from 'stores/toast';
import { atWork, loadTabs, putTabs, refreshSheets } from './sheets-api';
import { CONNECT_FAILED, CONNECTING_TABS, CREDENTIALS, PROCESSED, TABS_CONNECTED } from './sheets-copy';

const POLL_MS = 1_500;
const MOST_POLLS = 120;

/** True from Connect until the rows are ready or could not be read; buttons wait meanwhile. */
export const useConnecting = storeCreate<{ connecting: boolean }>(() => ({ connecting: false }));

export async function connectTabs(
  client: QueryClient,
  file: PickedFile,
  tabs: readonly string[],
): Promise<void> {
  if (tabs.length === 0) return;
  useConnecting.setState({ connecting: true });
  toastShow('info', CONNECTING_TABS);
  try {
    const reply = await putTabs(file.id, file.title, file.modifiedMs, tabs);
    const names = (reply?.sheets ?? [])
      .filter((tab) => tab.file_id === file.id && tabs.includes(tab.tab_title))
      .map((tab) => tab.file_name);
    void client.invalidateQueries({ queryKey: connectionKey('google') });
    toastShow('complete', TABS_CONNECTED);
    await processed(names);
    toastShow('complete', PROCESSED);
    broughtSet(names);
  } catch (error) {
    toastShow('error', needsSignIn(error) ? CREDENTIALS : CONNECT_FAILED);
  } finally {
    useConnecting.setState({ connecting: false });
    void client.invalidateQueries({ queryKey: connectionKey('google') });
    void client.invalidateQueries({ queryKey: keys.sources });
  }
}

/** Asks for a refresh of the member's tabs and waits for its end. True where one of them could not be read. */
export async function refreshTabs(): Promise<boolean> {
  await refreshSheets();
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const mine = (await loadTabs()).filter((tab) => tab.mine);
    if (!mine.some(atWork)) return mine.some((tab) => tab.state === 'failed');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** Whether only a new sign-in helps. */
export const needsSignIn = (error: unknown): boolean =>
  error instanceof ApiError && ['sign_in_again', 'needs_sign_in', 'not_connected'].includes(error.code);

/** Waits until the rows of these tabs are read and their tables are there. Rejects where one could not be. */
async function processed(names: readonly string[]): Promise<void> {
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const tabs = (await loadTabs()).filter((tab) => names.includes(tab.file_name));
    if (tabs.some((tab) => tab.state === 'failed')) throw new Error(CONNECT_FAILED);
    if (!tabs.some(atWork)) {
      const sources = (await api.get<SourceListing>('/files'))?.sources ?? [];
      const mine = sources.filter((source) => names.includes(source.file_name));
      if (mine.some((source) => source.state === 'failed')) throw new Error(CONNECT_FAILED);
      if (mine.every((source) => source.state === 'ready')) return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(CONNECT_FAILED);
}
