import type { ReactNode } from 'react';
import { LogoMark } from './logo';
import styles from './notice.module.css';

/** A whole page that says one thing: mark, sentence, one link. */
export function Notice({ title, text, action }: { title: string; text?: string; action: ReactNode }) {
  return (
    <main className={styles.page}>
      <LogoMark size={48} />
      <h1 className={styles.title}>{title}</h1>
      {text && <p className={styles.text}>{text}</p>}
      <p className={styles.action}>{action}</p>
    </main>
  );
}
