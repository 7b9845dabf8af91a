import type { Step } from 'api/types';
import { useElapsedSeconds } from './elapsed';
import { Steps } from './steps';
import styles from './working.module.css';

interface Props {
  text: string;
  steps: readonly Step[];
  since: number;
}

const SHOW_SECONDS_FROM = 3;

/** An answer in the making: the status text, the seconds, and the steps on the plumb line. */
export function Working({ text, steps, since }: Props) {
  const seconds = useElapsedSeconds(since);
  return (
    <div className={styles.working}>
      <p className={styles.status}>
        <span className={styles.dot} aria-hidden="true" />
        <span>{text}</span>
        {seconds >= SHOW_SECONDS_FROM && <span className={styles.seconds}>{seconds} s</span>}
      </p>
      {steps.length > 0 && <Steps steps={steps} going />}
    </div>
  );
}
