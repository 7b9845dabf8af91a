import { ChevronDown } from 'lucide-react';
import type { SelectHTMLAttributes } from 'react';
import styles from './select.module.css';

/** The browser's own list under the house's arrow. */
export function Select(props: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className={styles.place}>
      <select {...props} className={styles.select} />
      <ChevronDown className={styles.arrow} size={16} strokeWidth={1.75} aria-hidden="true" />
    </span>
  );
}
