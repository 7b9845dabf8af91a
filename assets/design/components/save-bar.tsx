import { Button } from './button';
import styles from './save-bar.module.css';

interface Props {
  /** True while there is something that Submit would save. */
  edited: boolean;
  saving: boolean;
  onCancel(): void;
  onSubmit(): void;
}

/** Cancel and Submit under a panel that edits; it says whether anything is unsaved. Submit of nothing new only leaves. */
export function SaveBar({ edited, saving, onCancel, onSubmit }: Props) {
  return (
    <div className={styles.bar}>
      <p className={styles.state} data-edited={edited || undefined} role="status">
        {edited ? 'Unsaved changes' : ''}
      </p>
      <Button onClick={onCancel} disabled={saving}>
        Cancel
      </Button>
      <Button variant={edited ? 'primary' : 'secondary'} busy={saving} onClick={onSubmit}>
        Submit
      </Button>
    </div>
  );
}
