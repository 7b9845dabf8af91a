import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { callbackAddress, connectionKey, type Service } from 'api/connections';
import { useEffect } from 'react';
import { codeTake, type ServiceCode } from 'stores/callback';
import { crmEditsForget, crmEditsToSend } from 'stores/crm-edits';
import { refreshAwait } from 'stores/crm-refresh';
import { dataSectionShow } from 'stores/data-section';
import { detailOpen } from 'stores/side-menu';
import { toastShow } from 'stores/toast';

/** How each service's code is handed over, and what follows at once (SPEC 7). */
const HANDOVERS = {
  hubspot: { path: '/hubspot/auth', field: 'hubspotCode', next: '/hubspot/direct-export' },
  slack: { path: '/slack/auth', field: 'slackCode', next: null },
} as const;

type Handed = keyof typeof HANDOVERS;

const isHanded = (service: string): service is Handed => service in HANDOVERS;

const CHOICE_KEPT =
  'HubSpot is connected. Your choice of properties could not be saved and still stands in the list.';

/** Mutations under this key are what "Connecting..." stands for. */
export const CONNECTING = 'connecting';

/** Takes the code that a callback page brought to the chat, and connects with it. */
export function useCallbackCode(): void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: [CONNECTING],
    mutationFn: handOver,
    onError: (error) => toastShow('error', error.message, true),
    onSettled: (_reply, _error, { service }) =>
      client.invalidateQueries({ queryKey: connectionKey(service as Service) }),
  });
  useEffect(() => {
    const brought = codeTake(window.location.search);
    if (!brought || !isHanded(brought.service)) return;
    window.history.replaceState(null, '', '/chat');
    if (brought.service === 'hubspot') dataSectionShow('crm');
    detailOpen(brought.service === 'slack' ? 'settings' : 'manage-data');
    mutate(brought);
  }, [mutate]);
}

async function handOver({ service, code, state }: ServiceCode): Promise<void> {
  if (!isHanded(service)) return;
  const { path, field, next } = HANDOVERS[service];
  await api.post(path, { [field]: code, redirect_uri: callbackAddress(service), state });
  if (service === 'hubspot') await sendKeptChoice();
  if (!next) return;
  await api.post(next, {});
  refreshAwait();
}

/** The choice that could not be saved before the reconnection is, before the refresh that brings its columns. */
async function sendKeptChoice(): Promise<void> {
  const fields = crmEditsToSend();
  if (fields === null) return;
  try {
    await api.post('/hubspot/fields', { fields });
    crmEditsForget();
  } catch {
    // no second reconnection by itself: it might go on for ever
    toastShow('error', CHOICE_KEPT, true);
  }
}
