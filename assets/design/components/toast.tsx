import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { toastClose, toastHold, useToast } from 'stores/toast';
import styles from './toast.module.css';

const icons = { info: Info, complete: CircleCheck, error: CircleAlert } as const;

/** The one toast bar. It stays outside the page, so that an open popup does not take it away. */
export function ToastBar() {
  const toast = useToast((state) => state.toast);
  const place = useRef<HTMLDivElement>(null);
  const top = useClearOfField(place, toast?.id);
  const style: CSSProperties | undefined = top === null ? undefined : { top, bottom: 'auto' };
  return (
    <div ref={place} className={styles.place} style={style} role="status" aria-live="polite">
      {toast && (
        // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the timer
        <div
          key={toast.id}
          className={styles.toast}
          onPointerEnter={() => toastHold(true)}
          onPointerLeave={() => toastHold(false)}
          onFocus={() => toastHold(true)}
          onBlur={() => toastHold(false)}
        >
          <ToastIcon status={toast.status} />
          <p className={styles.text}>{toast.content}</p>
          {toast.action && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                toastClose();
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button type="button" className={styles.close} aria-label="Close message" onClick={toastClose}>
            <X size={16} strokeWidth={1.75} />
          </button>
        </div>
      )}
    </div>
  );
}

const GAP_PX = 8;

/** Where the bar stands instead of over the field that somebody is typing in: right below it, or above. */
function useClearOfField(place: RefObject<HTMLElement | null>, id: number | undefined): number | null {
  const [top, setTop] = useState<number | null>(null);
  useLayoutEffect(() => {
    setTop(null);
    if (id === undefined) return;
    const look = () => {
      const bar = place.current?.firstElementChild?.getBoundingClientRect();
      const field = document.activeElement?.closest('input, textarea, select')?.getBoundingClientRect();
      if (!bar || !field || !overlap(bar, field)) return;
      const below = field.bottom + GAP_PX;
      setTop(below + bar.height <= window.innerHeight ? below : field.top - bar.height - GAP_PX);
    };
    look();
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, [place, id]);
  return top;
}

const overlap = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

function ToastIcon({ status }: { status: keyof typeof icons }) {
  const Icon = icons[status];
  return <Icon size={18} strokeWidth={1.75} className={styles[status]} aria-hidden="true" />;
}
