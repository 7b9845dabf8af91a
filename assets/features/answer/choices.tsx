import type { AnswerParts, Choice, KeptKeyword } from 'api/types';
import { CornerDownRight } from 'lucide-react';
import { useId } from 'react';
import styles from './choices.module.css';

interface Props {
  status: AnswerParts['status'];
  choices: readonly Choice[];
  onAsk: (question: string) => void;
  /** Makes a choice's keyword one of the organisation's; left out where that cannot be done. */
  onKeep?: ((keyword: KeptKeyword) => void) | undefined;
}

const HEADS: Readonly<Record<AnswerParts['status'], string>> = {
  answered: 'Or did you mean one of these?',
  clarify: 'Which one do you mean?',
  declined: 'Questions I can answer',
};

/** Readings to choose from, or questions that can be answered: a click asks. A choice may be kept for good. */
export function Choices({ status, choices, onAsk, onKeep }: Props) {
  const id = useId();
  const term = choices.find(({ keyword }) => keyword)?.keyword?.term;
  return (
    <div className={styles.choices}>
      {/* The words of a declined answer end with this heading. */}
      <p id={id} className={status === 'declined' ? 'visually-hidden' : styles.head}>
        {status === 'answered' && choices.length === 1 ? 'Or did you mean this?' : HEADS[status]}
      </p>
      <ul aria-labelledby={id}>
        {choices.map(({ label, question, keyword }) => (
          <li key={`${label}:${question}`} className={styles.row}>
            <button type="button" className={styles.choice} onClick={() => onAsk(question)}>
              <CornerDownRight size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{label || question}</span>
            </button>
            {keyword && onKeep && (
              <button
                type="button"
                className={styles.keep}
                aria-label={`Always take “${keyword.term}” as ${keyword.definition}`}
                data-tip={`Keeps “${keyword.term}: ${keyword.definition}” as a keyword of your organisation`}
                onClick={() => {
                  onKeep(keyword);
                  onAsk(question);
                }}
              >
                Always
              </button>
            )}
          </li>
        ))}
      </ul>
      {onKeep && term && (
        <p className={styles.hint}>
          “Always” answers the question and keeps your meaning of “{term}” as a keyword.
        </p>
      )}
    </div>
  );
}
