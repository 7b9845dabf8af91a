import { ButtonLink } from 'design/components/button';
import { FieldError } from 'design/components/field';
import type { ReactNode } from 'react';
import styles from './sign-in-form.module.css';

/** Where else one may go from a form, below its button. */
export function Ways({ children }: { children: ReactNode }) {
  return <p className={styles.ways}>{children}</p>;
}

export const BackToLogin = () => <a href="/login">Back to login</a>;
export const NewCode = () => <a href="/forgot-password">Request a new code</a>;

interface OverProps {
  why: string;
  href: string;
  action: string;
}

/** In the form's place, once nothing can be sent with it any more: why, and where to begin again. */
export function Over({ why, href, action }: OverProps) {
  return (
    <div className={styles.form}>
      <FieldError>{why}</FieldError>
      <ButtonLink href={href}>{action}</ButtonLink>
    </div>
  );
}
