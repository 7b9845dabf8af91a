import { useSyncExternalStore } from 'react';

/** The four widths of the chat screen: below 600, 600-1023, 1024-1439, from 1440. */
export type WidthClass = 'phone' | 'tablet' | 'laptop' | 'desktop';

const queries = [
  ['desktop', window.matchMedia('(min-width: 1440px)')],
  ['laptop', window.matchMedia('(min-width: 1024px)')],
  ['tablet', window.matchMedia('(min-width: 600px)')],
] as const;

function subscribe(listener: () => void): () => void {
  for (const [, query] of queries) query.addEventListener('change', listener);
  return () => {
    for (const [, query] of queries) query.removeEventListener('change', listener);
  };
}

function current(): WidthClass {
  return queries.find(([, query]) => query.matches)?.[0] ?? 'phone';
}

export function useWidthClass(): WidthClass {
  return useSyncExternalStore(subscribe, current);
}
