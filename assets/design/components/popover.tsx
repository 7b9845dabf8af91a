import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import styles from './popover.module.css';

interface Props {
  /** The panel's name, for screen readers. */
  label: string;
  /** The button that opens it; gets what a disclosure needs. */
  button(state: {
    open: boolean;
    props: { 'aria-expanded': boolean; 'aria-controls': string; onClick(): void };
  }): ReactNode;
  /** Under its button rather than above it. */
  below?: boolean;
  children: ReactNode;
}

/** A small panel above or under its button: closed by Escape, by the background, and by leaving it with the keyboard. */
export function Popover({ label, button, below = false, children }: Props) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useClosing(frame, open, () => setOpen(false));
  return (
    <div className={styles.frame} ref={frame}>
      {button({
        open,
        props: { 'aria-expanded': open, 'aria-controls': id, onClick: () => setOpen(!open) },
      })}
      {open && (
        <div className={styles.panel} data-below={below || undefined} id={id} role="group" aria-label={label}>
          {children}
        </div>
      )}
    </div>
  );
}

function useClosing(frame: RefObject<HTMLElement | null>, open: boolean, close: () => void) {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) =>
      event.target instanceof Node && !frame.current?.contains(event.target) && latest.current();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      latest.current();
      frame.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', onKeyDown, true);
    };
  }, [frame, open]);
}
