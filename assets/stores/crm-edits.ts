import { storeCreate } from './store';

/** Category -> property -> chosen (SPEC 7). */
export type CrmFields = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/**
 * What is chosen of the CRM's properties and not yet saved. It outlives the panel and the way over the consent page
 * (in this tab): reconnecting costs no choice.
 */
const KEY = 'crm-edits';
export const NO_EDITS: CrmFields = {};

function read(): CrmFields {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as CrmFields;
  } catch {
    return NO_EDITS;
  }
}

export const useCrmEdits = storeCreate<{ fields: CrmFields }>(() => ({ fields: read() }));

export function crmEdit(fields: CrmFields): void {
  if (countEdits(fields) > 0) sessionStorage.setItem(KEY, JSON.stringify(fields));
  else sessionStorage.removeItem(KEY);
  useCrmEdits.setState({ fields });
}

/** Once they are saved, and for a sign-out. */
export const crmEditsForget = (): void => crmEdit(NO_EDITS);

/** Only what is to be sent; null where nothing is. */
export function crmEditsToSend(): CrmFields | null {
  const { fields } = useCrmEdits.getState();
  return countEdits(fields) > 0 ? changedOnly(fields) : null;
}

export function countEdits(fields: CrmFields): number {
  return Object.values(fields).reduce((sum, flags) => sum + Object.keys(flags).length, 0);
}

function changedOnly(fields: CrmFields): CrmFields {
  return Object.fromEntries(Object.entries(fields).filter(([, flags]) => Object.keys(flags).length > 0));
}
