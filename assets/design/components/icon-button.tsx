import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './icon-button.module.css';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** What the button does, said to screen readers and shown as its tooltip. */
  name: string;
  icon: ReactNode;
  size?: 'small' | 'normal' | 'large';
  /** The tooltip, where it should say more or other than the name; an empty text hides it. */
  tip?: string;
  pressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ name, icon, size = 'normal', tip, pressed, className, ...rest }: Props) {
  const names = [styles.button, styles[size], className];
  return (
    <button
      type="button"
      {...rest}
      aria-label={name}
      aria-pressed={pressed}
      data-tip={tip ?? name}
      className={names.filter(Boolean).join(' ')}
    >
      {icon}
    </button>
  );
}
