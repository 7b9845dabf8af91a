import { type ReactNode, useId } from 'react';
import styles from './source-groups.module.css';

interface GroupProps {
  /** What the rows are parts of; left out for rows that stand alone. */
  name: string | undefined;
  /** How many parts there are, in words. */
  count: string;
  children: ReactNode;
}

/** The parts of one workbook or document under its name; rows between such have none over them. */
export function SourceGroup({ name, count, children }: GroupProps) {
  const id = useId();
  if (name === undefined) return <ul className={styles.rows}>{children}</ul>;
  return (
    <div className={styles.workbook} role="group" aria-labelledby={id}>
      <p id={id} className={styles.name}>
        <b>{name}</b> <span>{count}</span>
      </p>
      <ul className={styles.rows}>{children}</ul>
    </div>
  );
}

/** What a row is a part of: what tells it from others, and what people call it. */
interface Whole {
  key: string;
  name: string;
}

interface Group<Row> {
  whole: Whole | null;
  members: Row[];
}

/** The rows in their order, but the parts of one whole together where its first one stands. */
export function groupsOf<Row>(rows: readonly Row[], wholeOf: (row: Row) => Whole | null): Group<Row>[] {
  const found: Group<Row>[] = [];
  for (const row of rows) {
    const last = found.at(-1);
    const whole = wholeOf(row);
    const same =
      whole === null ? last?.whole === null && last : found.find((one) => one.whole?.key === whole.key);
    if (same) same.members.push(row);
    else found.push({ whole, members: [row] });
  }
  return found;
}
