import styles from './read-as.module.css';

/** While other readings are computed. */
export function Looking() {
  return (
    <p className={styles.waiting} role="status">
      Looking for other readings…
    </p>
  );
}
