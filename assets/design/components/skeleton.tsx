import { useEffect, useState } from 'react';
import styles from './skeleton.module.css';

interface Props {
  rows?: number;
  /** Height of a row: px, or a length of CSS. */
  height?: number | string;
  /** The rows of a table are of one length. */
  even?: boolean;
  /** What is loading; it stands below the rows. */
  text?: string;
}

/** Rows that stand where the list will be; nothing is shown for loads shorter than 200 ms. */
export function Skeleton({ rows = 4, height = 44, even, text }: Props) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return <p className="visually-hidden">{text}</p>;
  const width = (index: number) => (even ? '100%' : `${100 - ((index * 13) % 28)}%`);
  return (
    <div className={styles.list}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that never change places
        <div key={index} className={styles.row} style={{ height, width: width(index) }} />
      ))}
      {text && <p className={styles.text}>{text}</p>}
    </div>
  );
}
