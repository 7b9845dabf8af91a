import type { Model } from 'api/types';
import { useEffect, useState } from 'react';
import { BUILT_IN, hintDue, hintTold } from 'stores/models';
import styles from './model-hint.module.css';

interface Props {
  /** The configured models, once it is known which there are. */
  models: readonly Model[];
  onSettings(): void;
}

/** What a language model would add where none is set up: said once in a browser, and never again. */
export function ModelHint({ models, onSettings }: Props) {
  const [due] = useState(hintDue);
  const without = models.every(({ id }) => id === BUILT_IN);
  useEffect(() => {
    if (due && without) hintTold();
  }, [due, without]);
  if (!due || !without) return null;
  return (
    <p className={styles.hint}>
      The built-in analyst answers. A language model would understand freer words, and every figure would
      still be computed here.{' '}
      <button type="button" className={styles.link} onClick={onSettings}>
        Language models in Settings
      </button>
    </p>
  );
}
