import type { Step } from 'api/types';
import type { ReactNode } from 'react';
import { useElapsedSeconds } from './elapsed';
import { Steps } from './steps';
import styles from './working.module.css';

interface Props {
  text: string;
  steps: readonly Step[];
  since: number;
  /** What stands of the answer already. */
  children?: ReactNode;
}

const SHOW_SECONDS_FROM = 3;

/** An answer in the making: the status text, the seconds, the steps on the plumb line, and what is written so far. */
export function Working({ text, steps, since, children }: Props) {
  const seconds = useElapsedSeconds(since);
  return (
    <div className={styles.working}>
      <p className={styles.status}>
        <span className={styles.dot} aria-hidden="true" />
        <span>{text}</span>
        {seconds >= SHOW_SECONDS_FROM && <span className={styles.seconds}>{seconds} s</span>}
      </p>
      {steps.length > 0 && <Steps steps={steps} going />}
      {children}
    </div>
  );
}
