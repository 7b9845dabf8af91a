import { useLayoutEffect, useRef } from 'react';
import { useValidations } from 'stores/validations';
import { VALIDATING } from './copy';
import styles from './validation-waiting.module.css';

/**
 * Stands where the panel will be, from the press of Validate on: what is below moves when one asks for the check, and not
 * again when the check is done. The button says the same to screen readers.
 */
export function ValidationWaiting({ questionId }: { questionId: string }) {
  const step = useValidations((state) => state.going[questionId]);
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
    <div ref={card} className={styles.card} aria-hidden="true">
      <p>{step || VALIDATING}</p>
      <i />
      <i />
      <i />
    </div>
  );
}

const LEAST_PX = 300;
