import type { AnswerParts } from 'api/types';
import { Check, Info } from 'lucide-react';
import styles from './held-note.module.css';

/** What the built-in analyst's own reading of a question came to that a model answered. */
export function HeldNote({ held }: { held: NonNullable<AnswerParts['held']> }) {
  const same = held.state === 'same';
  const Icon = same ? Check : Info;
  return (
    <p className={styles.note} data-state={held.state}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      <span>
        {same
          ? 'The built-in analyst reads it the same.'
          : `The built-in analyst comes to another result. It reads: ${held.text || 'another figure.'}`}
      </span>
    </p>
  );
}
