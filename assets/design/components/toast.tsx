import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { toastClose, toastHold, useToast } from 'stores/toast';
import styles from './toast.module.css';

const icons = { info: Info, complete: CircleCheck, error: CircleAlert } as const;

/** The one toast bar. It stays outside the page, so that an open popup does not take it away. */
export function ToastBar() {
  const toast = useToast((state) => state.toast);
  return (
    <div className={styles.place} role="status" aria-live="polite">
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

function ToastIcon({ status }: { status: keyof typeof icons }) {
  const Icon = icons[status];
  return <Icon size={18} strokeWidth={1.75} className={styles[status]} aria-hidden="true" />;
}
