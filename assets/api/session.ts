/**
 * The session token: in session storage for this tab, in local storage on "Keep me signed in".
 * A cookie is never used, so no other site can act in the user's name.
 */
const KEY = 'session';
const listeners = new Set<() => void>();

function changed() {
  for (const listener of listeners) listener();
}

export function sessionToken(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
}

export function sessionStart(token: string, keep: boolean): void {
  sessionEndQuietly();
  (keep ? localStorage : sessionStorage).setItem(KEY, token);
  changed();
}

export function sessionEnd(): void {
  sessionEndQuietly();
  changed();
}

function sessionEndQuietly() {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

/** Calls back when the token comes, goes, or is taken away by another tab. */
export function sessionSubscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
