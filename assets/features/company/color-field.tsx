import { hexOrBlack, toHex } from 'lib/colors';
import { useState } from 'react';
import styles from './company.module.css';

interface Props {
  name: string;
  color: string;
  /** A colour as six digits with a leading #. */
  onChange(color: string): void;
}

/** A swatch that opens the browser's picker, and the same colour as text: at most 7 characters, checked when left. */
export function ColorField({ name, color, onChange }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const full = (text: string) => toHex(hexOrBlack(text)) ?? '#000000';
  return (
    <div className={styles.color}>
      <span>{name}</span>
      <input
        type="color"
        className={styles.swatch}
        aria-label={`${name} color`}
        value={full(color).toLowerCase()}
        onChange={(event) => {
          setDraft(null);
          onChange(event.target.value.toUpperCase());
        }}
      />
      <input
        type="text"
        className={styles.hex}
        aria-label={`${name} color as hex`}
        value={draft ?? color}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setDraft(event.target.value);
          // the sample follows while the text is a colour; what is none counts when the field is left
          if (hexOrBlack(event.target.value) === event.target.value) onChange(full(event.target.value));
        }}
        onBlur={() => {
          if (draft === null) return;
          setDraft(null);
          onChange(full(draft));
        }}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </div>
  );
}
