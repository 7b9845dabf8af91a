import type { ReactNode } from 'react';
import styles from './auth-card.module.css';
import { LogoMark } from './logo';

/** The card of the sign-in and password screens; the plumb line falls from the top edge to the mark. At the foot what
 * holds on all of them. */
export function AuthCard({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <main className={styles.column}>
        <div className={styles.line} aria-hidden="true">
          <LogoMark size={52} line={false} className={styles.mark} />
        </div>
        <div className={styles.card}>
          <h1 className={styles.title}>{title}</h1>
          {text && <p className={styles.text}>{text}</p>}
          {children}
        </div>
      </main>
      <footer className={styles.foot}>
        <a href="/privacy">Privacy</a>
        <a href="/terms">Terms</a>
      </footer>
    </div>
  );
}
