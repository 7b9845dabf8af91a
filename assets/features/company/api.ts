import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { keys, ORGANIZATION_CONTEXT } from 'api/queries';
import type { Preferences, PreferencesReply } from 'api/types';
import { toastShow } from 'stores/toast';

/** Writes the context of a file, or of the organization, for which `file` is left out (SPEC 7). */
export function useSaveExplanation(
  file: string,
  words: { saved: string; failed: string },
  onSaved: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (explanation: string) =>
      api.post('/explanation', file === ORGANIZATION_CONTEXT ? { explanation } : { explanation, file }),
    onSuccess: (_reply, text) => {
      client.setQueryData(keys.explanation(file), text);
      toastShow('complete', words.saved);
      onSaved();
    },
    onError: () => toastShow('error', words.failed),
  });
}

/** Saves a part of the preferences; charts and answers take it up at once. */
export function useSavePreferences(words: { saved: string; failed: string }, onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Partial<Preferences>) =>
      api.post<PreferencesReply>('/preferences', { user_preferences: JSON.stringify(change) }),
    onSuccess: (_reply, change) => {
      client.setQueryData<Preferences>(keys.preferences, (before) => before && { ...before, ...change });
      toastShow('complete', words.saved);
      onSaved();
    },
    onError: () => toastShow('error', words.failed),
  });
}
