import { nameParts } from 'lib/file-names';
import styles from './middle-cut.module.css';

const SHORT = 16; // letters that find room anywhere

/** A name that loses its middle where room is short: what tells names apart, and the ending, stands at the end. */
export function MiddleCut({ name }: { name: string }) {
  if (name.length <= SHORT) return <span>{name}</span>;
  const [head, tail] = nameParts(name);
  return (
    <span className={styles.name}>
      <span>{head}</span>
      <span>{tail}</span>
    </span>
  );
}
