/** Outside services: how they stand, starting a sign-in at one, letting one go. */
import { api } from './client';

export type Service = 'hubspot' | 'google' | 'slack';
export type ConnectionState = 'not_connected' | 'connected' | 'refreshing' | 'needs_sign_in' | 'failed';

export interface ServiceConnection {
  service: Service;
  name: string;
  configured: boolean;
  may_manage: boolean;
  state: ConnectionState;
  reason: string | null;
  state_at: string | null;
  account_name: string;
  refreshed_at: string | null;
}

/** Everything cached about a service starts with this key: a push makes it old. */
export const connectionKey = (service: Service) => ['connection', service] as const;

/** How the CRM stands, with the files of its refresh that are still to be read. */
export const crmStatusKey = [...connectionKey('hubspot'), 'status'] as const;

/** Where the service's consent page leads back to. */
export const callbackAddress = (service: Service) => `${window.location.origin}/${service}-callback`;

/** The address of the service's consent page; its state is bound to this session. */
export async function startConnection(service: Service): Promise<string | undefined> {
  const body = { service, redirect_uri: callbackAddress(service) };
  return (await api.post<{ authorize_url: string }>('/connections', body))?.authorize_url;
}

export async function endConnection(service: Service, data: 'keep' | 'delete'): Promise<void> {
  await api.remove('/connections', { service, data });
}
