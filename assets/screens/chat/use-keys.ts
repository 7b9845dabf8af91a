import { overlayIsOpen } from 'design/components/overlay';
import { useEffect, useRef } from 'react';

interface Keys {
  onSearch(): void;
  onNewChat(): void;
  onMenu(): void;
  onFocus(): void;
  onEscape(): void;
}

function isEdited(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The page's own keys (UI.md 10). Popups, sheets and drawers take theirs first. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || overlayIsOpen()) return;
      const action = actionOf(event, latest.current);
      if (!action) return;
      event.preventDefault();
      action();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function actionOf(event: KeyboardEvent, keys: Keys): (() => void) | null {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (event.shiftKey) return key === 'o' ? keys.onNewChat : null;
    if (key === 'k') return keys.onSearch;
    return key === 'b' ? keys.onMenu : null;
  }
  if (event.key === 'Escape') return keys.onEscape;
  return event.key === '/' && !isEdited(event.target) ? keys.onFocus : null;
}
