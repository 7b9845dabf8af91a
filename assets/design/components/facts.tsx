import styles from './facts.module.css';

/** What stands between two facts of one line. */
export const BETWEEN = ' · ';

/** Facts with dots between them: a line breaks between facts, and no dot is left at its end. */
export function Facts({ text }: { text: string }) {
  return (
    <span className={styles.facts}>
      {text.split(BETWEEN).map((fact, at) => (
        <span key={fact}>
          <i>{at > 0 && '· '}</i>
          {fact}{' '}
        </span>
      ))}
    </span>
  );
}
