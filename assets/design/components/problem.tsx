import { CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './problem.module.css';

interface Props {
  children: ReactNode;
  /** Where it may be put away. */
  onDismiss?(): void;
}

/** What went wrong, in the place where it did, said at once. */
export function Problem({ children, onDismiss }: Props) {
  return (
    <div className={styles.problem} role="alert">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={styles.words}>{children}</div>
      {onDismiss && (
        <button type="button" className={styles.dismiss} aria-label="Hide these messages" onClick={onDismiss}>
          <X size={16} strokeWidth={1.75} />
        </button>
      )}
    </div>
  );
}
