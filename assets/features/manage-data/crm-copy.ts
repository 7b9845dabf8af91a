/** Sentences of the CRM's section (SPEC 2, 4, 8), in one place. */
import type { CrmStatus } from './crm-api';

export const CONNECT = 'Click to Connect';
export const CONNECTING = 'Connecting...';
export const CONNECTED = 'Connected';
export const UPDATED = 'Successfully updated fields';
export const UPDATE_FAILED = 'Failed to update CRM Properties. Reconnecting to the CRM.';
export const REFRESHING = 'Refreshing HubSpot data...';
export const REFRESHED = 'HubSpot data refreshed';
export const STILL_REFRESHING = 'HubSpot is still being refreshed. The data from before stays usable.';
export const REFRESH_FAILED = 'HubSpot could not be refreshed. Please try again.';
export const NOT_SET_UP = 'HubSpot is not set up on this server yet. Whoever runs it can add it.';
export const ADMINS_ONLY = 'An admin of your organisation can connect HubSpot.';

/** SPEC 9: so long after the start of a refresh its message comes, whatever became of it. */
export const REFRESH_MESSAGE_MS = 180_000;

export const CATEGORY_NAMES: Record<string, string> = {
  companies: 'Companies',
  contacts: 'Contacts',
  deals: 'Deals',
  tickets: 'Tickets',
  emails: 'E-mails',
};

export const SCHEDULES: readonly { hours: number; label: string }[] = [
  { hours: 0, label: 'Only on demand' },
  { hours: 1, label: 'Every hour' },
  { hours: 6, label: 'Every 6 hours' },
  { hours: 12, label: 'Every 12 hours' },
  { hours: 24, label: 'Every day' },
  { hours: 168, label: 'Every week' },
];

/** What goes on, in one line; empty where there is nothing to tell. */
export function progressLine({ progress, reason }: CrmStatus, count: (value: number) => string): string {
  if (progress === null) return '';
  if (progress.waiting_until !== null) return reason ?? 'Waiting for HubSpot';
  const kind = CATEGORY_NAMES[progress.category]?.toLowerCase();
  if (kind === undefined) return progress.read > 0 ? 'Writing the files' : 'Asking HubSpot what there is';
  return `Reading ${kind}, ${count(progress.read)} records so far`;
}
