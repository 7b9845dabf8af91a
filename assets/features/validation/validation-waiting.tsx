import { Button } from 'design/components/button';
import { useElapsedSeconds } from 'design/use-elapsed';
import { useLayoutEffect, useRef, useState } from 'react';
import { useValidations } from 'stores/validations';
import { CHECKING, STOP_CHECKING } from './copy';
import styles from './validation-waiting.module.css';

interface Props {
  questionId: string;
  onStop(): void;
}

const SHOW_SECONDS_FROM = 3;

/**
 * Stands where the panel will be, from the press of Validate on: what is below moves when one asks for the check, and not
 * again when the check is done. The button says to screen readers what goes on.
 */
export function ValidationWaiting({ questionId, onStop }: Props) {
  const step = useValidations((state) => state.going[questionId]);
  const [since] = useState(() => Date.now());
  const seconds = useElapsedSeconds(since);
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const answer = card.current?.closest('article');
    if (!card.current || !answer) return;
    // The panel shows the answer again, with its trace in place of the charts: it becomes about as high as the answer.
    const height = answer.clientHeight - card.current.clientHeight;
    card.current.style.minHeight = `${Math.max(LEAST_PX, height)}px`;
    if (answer.contains(document.activeElement)) card.current.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={card} className={styles.card}>
      <div className={styles.head}>
        <p aria-hidden="true">
          {step ? `${CHECKING}: ${step.slice(0, 1).toLowerCase()}${step.slice(1)}` : CHECKING}
          {seconds >= SHOW_SECONDS_FROM && <span className={styles.seconds}> {seconds} s</span>}
        </p>
        <Button small onClick={onStop}>
          {STOP_CHECKING}
        </Button>
      </div>
      <div className={styles.lines} aria-hidden="true">
        {WIDTHS.map((width) => (
          <i key={width} style={{ width }} />
        ))}
      </div>
    </div>
  );
}

const LEAST_PX = 300;

/** Name, answer and trace of the method, as the panel will show them. */
const WIDTHS = ['32%', '88%', '64%', '46%', '52%', '38%'];
