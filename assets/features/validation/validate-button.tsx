import type { Message } from 'api/types';
import { Spinner } from 'design/components/spinner';
import { ChevronDown, CircleAlert, CircleCheck, Info, ShieldCheck } from 'lucide-react';
import { useValidations, validationToggle } from 'stores/validations';
import { findingOf } from './approaches';
import { VALIDATE, VALIDATING, VERDICTS } from './copy';
import styles from './validate-button.module.css';

interface Props {
  /** The question whose answer is checked, and all answers to it. */
  questionId: string;
  answers: readonly Message[];
  onValidate(): void;
}

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
const ICONS = {
  agree: CircleCheck,
  unconfirmed: Info,
  doubted: Info,
  mixed: Info,
  disagree: CircleAlert,
} as const;

/** Validate, then Validating..., then what the check found: a button that opens and closes the panel below. */
export function ValidateButton({ questionId, answers, onValidate }: Props) {
  const step = useValidations((state) => state.going[questionId]);
  const open = useValidations((state) => state.open[questionId] ?? false);
  const finding = findingOf(answers);
  if (step === undefined && finding) {
    const Icon = ICONS[finding];
    return (
      <button
        type="button"
        className={styles.button}
        data-verdict={finding}
        aria-expanded={open}
        aria-controls={panelId(questionId)}
        onClick={() => validationToggle(questionId, !open)}
      >
        <Icon {...ICON} />
        {VERDICTS[finding]}
        <ChevronDown className={styles.chevron} {...ICON} size={14} />
      </button>
    );
  }
  const going = step !== undefined;
  return (
    <button
      type="button"
      className={`${styles.button} ${styles.faces}`}
      data-tip={going ? step || undefined : 'Check this answer by other methods'}
      aria-busy={going || undefined}
      aria-disabled={going || undefined}
      onClick={() => !going && onValidate()}
    >
      <span className={styles.face} aria-hidden={going || undefined} data-off={going || undefined}>
        <ShieldCheck {...ICON} />
        {VALIDATE}
      </span>
      <span className={styles.face} aria-hidden={!going || undefined} data-off={!going || undefined}>
        <Spinner />
        {VALIDATING}
      </span>
    </button>
  );
}

export const panelId = (questionId: string) => `validation-${questionId}`;
