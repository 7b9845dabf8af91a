import { sessionToken } from 'api/session';
import { lazy, type ReactNode, Suspense } from 'react';
import { useCrmRefresh } from 'stores/crm-refresh';

/** Without the part nothing is told here; the chat tells it later. */
const Teller = lazy<() => ReactNode>(() =>
  import(/* webpackChunkName: "refresh-end" */ './teller').catch(() => ({ default: () => null })),
);

/**
 * Tells the end of the CRM's refresh on screens outside the chat (SPEC 7, 9). They keep no server state, so what asks
 * for it is loaded only where somebody waits for a refresh and is signed in.
 */
export function RefreshEnd() {
  const waiting = useCrmRefresh((refresh) => refresh.waiting);
  if (waiting === null || sessionToken() === null) return null;
  return (
    <Suspense fallback={null}>
      <Teller />
    </Suspense>
  );
}
