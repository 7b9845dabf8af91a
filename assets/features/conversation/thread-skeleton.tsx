import { Skeleton } from 'design/components/skeleton';
import { LOADING_THREAD } from './copy';
import styles from './thread-skeleton.module.css';

/** Two turns where a thread's messages will be: a question at the right, lines of an answer at the left. */
export function ThreadSkeleton() {
  return (
    <div className={styles.turns}>
      <i className={styles.question} />
      <Skeleton rows={3} height={16} />
      <i className={styles.question} />
      <Skeleton rows={4} height={16} text={LOADING_THREAD} />
    </div>
  );
}
