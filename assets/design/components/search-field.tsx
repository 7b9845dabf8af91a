import { Search } from 'lucide-react';
import styles from './search-field.module.css';

interface Props {
  /** Its name for screen readers. */
  label: string;
  placeholder: string;
  value: string;
  autoFocus?: boolean;
  disabled?: boolean;
  onChange(value: string): void;
}

/** A field that narrows a list. */
export function SearchField({ label, placeholder, value, autoFocus, disabled, onChange }: Props) {
  return (
    <label className={styles.search}>
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={value}
        disabled={disabled}
        // biome-ignore lint/a11y/noAutofocus: where the keyboard asked for it
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
