import type { Step } from 'api/types';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './steps.module.css';

/** Seconds from which on it is worth telling what an answer took them for. */
export const STEPS_FROM = 2;

interface Props {
  steps: readonly Step[];
  going?: boolean;
  /** Stands behind the step that is going on. */
  note?: ReactNode;
}

/** Steps on the plumb line. While the work goes on, the last one is the bob. */
export function Steps({ steps, going = false, note }: Props) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => {
        const current = going && index === steps.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <li key={index} className={styles.step} data-current={current || undefined}>
            <span className={styles.mark} aria-hidden="true">
              {current ? <Bob /> : <Check size={12} strokeWidth={2.25} />}
            </span>
            <span>
              <span className={styles.label}>{step.label}</span>
              {step.detail && <span className={styles.detail}> · {step.detail}</span>}
              {current && note}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Bob() {
  return (
    <svg width="14" height="18" viewBox="5 5 14 19" aria-hidden="true">
      <path
        d="M12 8.2c-2.7.2-4.6 1.7-4.6 3.9 0 1.5.8 2.7 1.6 4.2L12 23.2l3-6.9c.8-1.5 1.6-2.7 1.6-4.2 0-2.2-1.9-3.7-4.6-3.9z"
        fill="var(--act)"
      />
      <path d="M12 8.2v15l3-6.9c.8-1.5 1.6-2.7 1.6-4.2 0-2.2-1.9-3.7-4.6-3.9z" fill="#c43f14" />
    </svg>
  );
}
