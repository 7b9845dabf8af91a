import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import styles from './overlay.module.css';

export type OverlayKind = 'popup' | 'sheet' | 'drawer';

interface Props {
  kind: OverlayKind;
  onClose(): void;
  /** id of the element that names the dialog, or the name itself. */
  labelledBy?: string;
  label?: string;
  /** Where the focus goes first; the dialog's title or first control otherwise. */
  initialFocus?: RefObject<HTMLElement | null>;
  className?: string;
  children: ReactNode;
}

/**
 * Open overlays, lowest first. Everything below the topmost one is inert: the focus cannot leave it, and a screen
 * reader stays in it. The toast lives outside and stays usable.
 */
const open: Entry[] = [];

/** `node` is null while the overlay's program is on its way: it closes by Escape, and bars nothing yet. */
interface Entry {
  node: HTMLElement | null;
  close(): void;
}

function guard() {
  const page = document.getElementById('app');
  const nodes = open.flatMap(({ node }) => node ?? []);
  if (page) page.inert = nodes.length > 0;
  for (const [index, node] of nodes.entries()) node.inert = index < nodes.length - 1;
}

function enter(entry: Entry) {
  if (open.length === 0) document.addEventListener('keydown', onKeyDown);
  open.push(entry);
  guard();
}

function leave(entry: Entry) {
  open.splice(open.indexOf(entry), 1);
  if (open.length === 0) document.removeEventListener('keydown', onKeyDown);
  guard();
}

function onKeyDown(event: KeyboardEvent) {
  const top = open.at(-1);
  if (event.key !== 'Escape' || !top || event.defaultPrevented) return;
  event.preventDefault();
  top.close();
}

const focusable = 'h1,h2,input,textarea,select,button,a[href],[tabindex]:not([tabindex="-1"])';

/** A dialog over the page: scrim, focus kept inside and given back, closed by Escape and by the background. */
export function Overlay({ kind, onClose, labelledBy, label, initialFocus, className, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  // Before it is seen: a Tab pressed at once is pressed in the dialog, and what had the focus until then is its opener.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per opening
  useLayoutEffect(() => {
    const node = frame.current;
    if (!node) return;
    const opener = document.activeElement;
    const entry = { node, close: () => close.current() };
    enter(entry);
    const first =
      initialFocus?.current ??
      node.querySelector<HTMLElement>('[data-autofocus]') ??
      node.querySelector<HTMLElement>(focusable);
    first?.focus({ preventScroll: true });
    return () => {
      leave(entry);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  return createPortal(
    <div className={`${styles.layer} ${styles[kind]}`} data-overlay={kind} ref={frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a pointer's shortcut; Escape and Close do the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className={styles.scrim} onClick={onClose} />
      <div
        role="dialog"
        aria-modal="true"
        aria-labelledby={labelledBy}
        aria-label={label}
        className={[styles.box, className].filter(Boolean).join(' ')}
      >
        {children}
      </div>
    </div>,
    document.body,
  );
}

/**
 * Stands for an overlay whose program is on its way. Escape takes it back; else it would open over whatever was done
 * meanwhile, and bar it.
 */
export function OverlayComing({ onClose }: { onClose(): void }) {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const entry = { node: null, close: () => close.current() };
    enter(entry);
    return () => leave(entry);
  }, []);
  return null;
}

/** True while a popup, sheet or drawer is open: page-wide keys stand back. */
export function overlayIsOpen(): boolean {
  return open.length > 0;
}
