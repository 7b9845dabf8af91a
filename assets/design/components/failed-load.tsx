import { Button } from './button';
import styles from './failed-load.module.css';

/** Stands where something should be that could not be loaded: the sentence and the way on. */
export function FailedLoad({ sentence, onRetry }: { sentence: string; onRetry(): void }) {
  return (
    <div className={styles.failed} role="alert">
      <p>{sentence}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
