/** What one sign-in screen hands to the next, in this tab and for as long as the server would take it. */
const PENDING_MS = 180_000; // SPEC 9: the sign-in session is stored 3 minutes
const CODE_MS = 600_000; // a reset code works for 10 minutes

/** From /login to /change-password: who is choosing a new password instead of a temporary one. */
export interface PendingSignIn {
  username: string;
  token: string;
  keep: boolean;
}

/** From /forgot-password over /verify to /change-password. There is no code before /verify. */
export interface PendingReset {
  username: string;
  token: string;
  code?: string;
}

function keeper<T extends object>(key: string, lifetime: number) {
  function clear(): void {
    sessionStorage.removeItem(key);
  }

  function save(pending: T, now = Date.now()): void {
    sessionStorage.setItem(key, JSON.stringify({ ...pending, until: now + lifetime }));
  }

  /** What was handed on, or null where there is nothing or its time is over. */
  function read(now = Date.now()): T | null {
    const text = sessionStorage.getItem(key);
    if (!text) return null;
    const { until, ...pending } = JSON.parse(text) as T & { until: number };
    if (now < until) return pending as unknown as T;
    clear();
    return null;
  }

  return { save, read, clear };
}

const signIn = keeper<PendingSignIn>('pending-sign-in', PENDING_MS);
export const pendingSave = signIn.save;
export const pendingRead = signIn.read;
export const pendingClear = signIn.clear;

const reset = keeper<PendingReset>('pending-reset', CODE_MS);
export const resetSave = reset.save;
export const resetRead = reset.read;
export const resetClear = reset.clear;
