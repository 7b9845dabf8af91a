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
export const ADMINS_ONLY = 'An admin of your organization can connect HubSpot.';

export const NO_FILES = 'Your HubSpot records become files you can ask about.';
export const LEFT_FILES = 'Not connected. These files stay as they are; connect HubSpot to keep them fresh.';
export const EXAMPLE_FILES = 'Not connected. These are example files; connecting HubSpot takes them away.';
export const DATA = 'HubSpot Data';
export const FILES_TO_COME = 'Its files appear here once the first refresh is done.';
export const STATUS_FAILED = 'The connection to HubSpot could not be checked.';
export const NO_CATEGORY = 'Choose a kind to see its properties.';

/** The sentence about a reconnection is read before the page is left for it. */
export const RECONNECT_MS = 1_500;

/** SPEC 9: so long after its start a refresh that still goes on says so. */
export const REFRESH_MESSAGE_MS = 180_000;

export const CATEGORY_NAMES: Record<string, string> = {
  companies: 'Companies',
  contacts: 'Contacts',
  deals: 'Deals',
  tickets: 'Tickets',
  emails: 'Emails',
};

/** How far the fetched files are read: until the last one is, answers come from the data of before. */
export function readingLine(left: number, all: number): string {
  return `Reading the files, ${Math.max(0, all - left)} of ${Math.max(left, all)} done`;
}

/** What goes on, in one line; empty where there is nothing to tell. */
export function progressLine({ progress, reason }: CrmStatus, count: (value: number) => string): string {
  if (progress === null) return '';
  if (progress.waiting_until !== null) return reason ?? 'Waiting for HubSpot';
  const kind = CATEGORY_NAMES[progress.category]?.toLowerCase();
  if (kind === undefined) return progress.read > 0 ? 'Writing the files' : 'Asking HubSpot what there is';
  return `Reading ${kind}, ${count(progress.read)} records so far`;
}

export const MOVED = 'What changed';
export const CHANGES_FAILED = 'What changed could not be loaded.';
export const KIND_NAMES = { added: 'New', changed: 'Changed', removed: 'Gone' } as const;

function midnight(now: Date, daysAgo: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}

/** The moments to look back to; on a Monday "Monday" is the one before. */
export const MOMENTS: Record<string, { label: string; of(now: Date): Date }> = {
  yesterday: { label: 'yesterday', of: (now) => midnight(now, 1) },
  monday: { label: 'Monday', of: (now) => midnight(now, (now.getDay() + 6) % 7 || 7) },
  week: { label: '7 days ago', of: (now) => midnight(now, 7) },
  month: { label: '30 days ago', of: (now) => midnight(now, 30) },
};
