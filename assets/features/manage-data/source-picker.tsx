import styles from './source-picker.module.css';

interface Props<Id extends string> {
  sections: readonly { id: Id; label: string }[];
  current: Id;
  onChange(id: Id): void;
}

/** One button for each place that data comes from; nothing where there is only one. */
export function SourcePicker<Id extends string>({ sections, current, onChange }: Props<Id>) {
  if (sections.length < 2) return null;
  return (
    <fieldset className={styles.picker} aria-label="Data sources">
      {sections.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          className={styles.choice}
          aria-pressed={id === current}
          onClick={() => onChange(id)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
