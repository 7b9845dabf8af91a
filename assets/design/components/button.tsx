import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { Spinner } from './spinner';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  icon?: ReactNode;
  /** Shows a spinner and refuses clicks; the children say what is going on. */
  busy?: boolean;
  full?: boolean;
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'secondary',
  icon,
  busy,
  full,
  small,
  children,
  className,
  ...rest
}: Props) {
  const names = [styles.button, styles[variant], full && styles.full, small && styles.small, className];
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={names.filter(Boolean).join(' ')}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** The one way on from a screen, where it is an address: a link that looks like the primary button. */
export function ButtonLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className={[styles.button, styles.primary, styles.full, styles.link].join(' ')}>
      {children}
    </a>
  );
}
