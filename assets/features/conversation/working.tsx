import type { Step } from 'api/types';
import { useElapsedSeconds } from 'design/use-elapsed';
import type { ReactNode } from 'react';
import { STEPS_FROM, Steps } from './steps';
import styles from './working.module.css';

interface Props {
  text: string;
  steps: readonly Step[];
  since: number;
  /** What stands of the answer already. */
  children?: ReactNode;
}

const SHOW_SECONDS_FROM = 3;

/** An answer in the making: the status text, then the seconds and the steps on the plumb line; what is written so far. */
export function Working({ text, steps: all, since, children }: Props) {
  const elapsed = useElapsedSeconds(since);
  const steps = elapsed >= STEPS_FROM ? all : [];
  const seconds = elapsed >= SHOW_SECONDS_FROM && <span className={styles.seconds}> · {elapsed} s</span>;
  const said = steps.at(-1)?.label === text; // by the current step
  return (
    <div className={styles.working}>
      {!said && (
        <p className={styles.status}>
          <span className={styles.dot} aria-hidden="true" />
          <span>
            <span>{text}</span>
            {seconds}
          </span>
        </p>
      )}
      {steps.length > 0 && <Steps steps={steps} going note={said && seconds} />}
      {children}
    </div>
  );
}
