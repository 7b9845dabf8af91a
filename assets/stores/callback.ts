/**
 * A code on its way from a service's consent page to the chat (SPEC 2): the callback page saves it, the chat takes it,
 * once. It waits in this tab only.
 */
const KEY = 'service-code';

export interface ServiceCode {
  service: string;
  code: string;
  state: string;
}

/** What the address of a callback page brought; null where the consent was refused or brought no code. */
export function codeFrom(service: string, query: string): ServiceCode | null {
  const parameters = new URLSearchParams(query);
  const code = parameters.get('code');
  if (!code || parameters.has('error')) return null;
  return { service, code, state: parameters.get('state') ?? '' };
}

/** Saves the code; gives the address of the chat that carries service and code. */
export function codeSave(brought: ServiceCode): string {
  sessionStorage.setItem(KEY, JSON.stringify(brought));
  return `/chat?${new URLSearchParams({ service: brought.service, code: brought.code })}`;
}

/** The saved code, if the chat's address carries the same one. It is gone afterwards. */
export function codeTake(query: string): ServiceCode | null {
  const parameters = new URLSearchParams(query);
  const saved = sessionStorage.getItem(KEY);
  if (saved === null || !parameters.has('code')) return null;
  sessionStorage.removeItem(KEY);
  const brought = JSON.parse(saved) as ServiceCode;
  return brought.service === parameters.get('service') && brought.code === parameters.get('code')
    ? brought
    : null;
}
