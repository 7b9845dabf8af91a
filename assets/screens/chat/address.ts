import { PATH_FAILED } from 'features/conversation/copy';
import { useCallback, useEffect } from 'react';
import { toastShow } from 'stores/toast';
import { useLocation } from 'wouter';

/** /chat is a new conversation, /chat/c/{threadId} a thread; anything else under /chat is neither. */
export function parseAddress(path: string): { threadId: string | null } | null {
  if (/^\/chat\/?$/.test(path)) return { threadId: null };
  const match = /^\/chat\/c\/([^/]+)\/?$/.exec(path);
  if (!match?.[1]) return null;
  try {
    return { threadId: decodeURIComponent(match[1]) };
  } catch {
    return null;
  }
}

export function useAddress(): {
  threadId: string | null;
  go(threadId: string | null, replace?: boolean): void;
} {
  const [path, navigate] = useLocation();
  const parsed = parseAddress(path);
  const lost = parsed === null;
  useEffect(() => {
    if (!lost) return;
    toastShow('error', PATH_FAILED);
    navigate('/chat', { replace: true });
  }, [lost, navigate]);
  const go = useCallback(
    (threadId: string | null, replace = false) =>
      navigate(threadId === null ? '/chat' : `/chat/c/${encodeURIComponent(threadId)}`, { replace }),
    [navigate],
  );
  return { threadId: parsed?.threadId ?? null, go };
}
