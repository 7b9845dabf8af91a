import { storeCreate } from './store';

/** A refresh of the CRM that somebody in this browser waits for. */
interface Waiting {
  /** When it was asked for, or first seen. */
  since: number;
  /** Whether it was said already that it takes long. */
  told: boolean;
}

/** In local storage: its end is told in whichever tab is looked at, also after a reload or another screen. */
const KEY = 'crm-refresh';

function read(): Waiting | null {
  try {
    const { since, told } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Waiting>;
    return typeof since === 'number' ? { since, told: told === true } : null;
  } catch {
    return null;
  }
}

function keep(waiting: Waiting | null): void {
  if (waiting) localStorage.setItem(KEY, JSON.stringify(waiting));
  else localStorage.removeItem(KEY);
  useCrmRefresh.setState({ waiting });
}

export const useCrmRefresh = storeCreate<{ waiting: Waiting | null }>(() => ({ waiting: read() }));

window.addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) useCrmRefresh.setState({ waiting: read() });
});

/** A refresh was asked for here. */
export const refreshAwait = (): void => keep({ since: Date.now(), told: false });

/** One is under way before somebody's eyes, whoever asked for it. */
export function refreshSeen(): void {
  if (useCrmRefresh.getState().waiting === null) refreshAwait();
}

export function refreshIsLong(): void {
  const { waiting } = useCrmRefresh.getState();
  if (waiting) keep({ ...waiting, told: true });
}

/** Its end was told; and for a sign-out. */
export const refreshForget = (): void => keep(null);
