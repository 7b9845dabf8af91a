import { useId } from 'react';
import styles from './toggle.module.css';

interface Props {
  label: string;
  /** The switch's name for screen readers, where the label alone says too little. */
  name?: string;
  checked: boolean;
  onChange(checked: boolean): void;
  /** What the switch stands at, in words ("Dark", "On"). */
  state?: string;
  disabled?: boolean;
}

/** A row: the label left, the switch right. */
export function ToggleRow({ label, name, checked, onChange, state, disabled }: Props) {
  const id = useId();
  return (
    <div className={styles.row}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {state && (
        <span className={styles.state} aria-hidden="true">
          {state}
        </span>
      )}
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-label={name}
        disabled={disabled}
        className={styles.toggle}
        onClick={() => onChange(!checked)}
      >
        <span className={styles.thumb} />
      </button>
    </div>
  );
}
