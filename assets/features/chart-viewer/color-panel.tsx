import { hexOrBlack, toHex } from 'lib/colors';
import { useState } from 'react';
import styles from './chart-card.module.css';

interface Props {
  id: string;
  names: readonly string[];
  colors: readonly string[];
  onCommit: (index: number, color: string) => void;
}

/** One colour a series; a change counts when its field is left (SPEC §2). */
export function ColorPanel({ id, names, colors, onCommit }: Props) {
  return (
    <fieldset id={id} className={styles.panel}>
      <legend className={styles.panelTitle}>Colors</legend>
      <div className={styles.colors}>
        {names.map((name, index) => (
          <ColorField
            // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
            key={index}
            name={name}
            color={colors[index] ?? '#000000'}
            onCommit={(color) => onCommit(index, color)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface FieldProps {
  name: string;
  color: string;
  onCommit: (color: string) => void;
}

function ColorField({ name, color, onCommit }: FieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? color;
  const commit = () => {
    if (draft === null) return;
    const hex = hexOrBlack(draft);
    setDraft(null);
    if (toHex(hex) !== toHex(color)) onCommit(toHex(hex) ?? '#000000');
  };
  return (
    <div className={styles.color}>
      <span className={styles.colorName} title={name}>
        {name}
      </span>
      <input
        type="color"
        className={styles.swatch}
        aria-label={`Color of ${name}`}
        value={(toHex(hexOrBlack(shown)) ?? '#000000').toLowerCase()}
        onChange={(event) => setDraft(event.target.value.toUpperCase())}
        onBlur={commit}
      />
      <input
        type="text"
        className={styles.hex}
        aria-label={`Hex color of ${name}`}
        value={shown}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </div>
  );
}
