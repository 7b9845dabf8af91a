import type { AnswerParts, Choice } from 'api/types';
import { CornerDownRight } from 'lucide-react';
import { useId } from 'react';
import styles from './choices.module.css';

interface Props {
  status: AnswerParts['status'];
  choices: readonly Choice[];
  onAsk: (question: string) => void;
}

const HEADS: Readonly<Record<AnswerParts['status'], string>> = {
  answered: 'Or did you mean',
  clarify: 'Which one do you mean?',
  declined: 'Questions I can answer',
};

/** Readings to choose from, or questions that can be answered: a click asks. */
export function Choices({ status, choices, onAsk }: Props) {
  const id = useId();
  return (
    <div className={styles.choices}>
      <p id={id} className={styles.head}>
        {HEADS[status]}
      </p>
      <ul aria-labelledby={id}>
        {choices.map(({ label, question }) => (
          <li key={`${label}:${question}`}>
            <button type="button" className={styles.choice} onClick={() => onAsk(question)}>
              <CornerDownRight size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{label || question}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
