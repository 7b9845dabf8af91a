import { api } from 'api/client';
import type { Preferences, PreferencesReply } from 'api/types';

/** Only what changed is sent; the server keeps the rest. */
export function savePreferences(change: Partial<Preferences>): Promise<PreferencesReply | undefined> {
  return api.post('/preferences', { user_preferences: JSON.stringify(change) });
}
