import { IconButton } from 'design/components/icon-button';
import { Spinner } from 'design/components/spinner';
import { displayName } from 'lib/file-names';
import { ArrowRight, X } from 'lucide-react';
import { useEffect } from 'react';
import { type BroughtQuestion, useBrought } from './api';
import styles from './brought-card.module.css';
import { holds, looking, moreFiles, WHAT_YOU_BROUGHT, WORTH_ASKING } from './copy';

interface Props {
  /** The files' names as they were taken; none draws nothing. */
  names: readonly string[];
  /** While an answer is under way nothing can be asked. */
  disabled: boolean;
  onAsk(question: BroughtQuestion): void;
  onDismiss(): void;
  /** None of the files could be read. */
  onNothing(): void;
}

const LINES = 4;

/** What was just brought, a line a file, and questions that have an answer. It is no message: it goes again. */
export function BroughtCard({ names, disabled, onAsk, onDismiss, onNothing }: Props) {
  const { data, isError } = useBrought(names);
  const nothing = isError || (data?.ready === true && data.files.length === 0);
  useEffect(() => {
    if (names.length > 0 && nothing) onNothing();
  }, [names, nothing, onNothing]);
  if (names.length === 0 || nothing) return null;
  if (!data?.ready)
    return (
      <p className={styles.looking} role="status">
        <Spinner />
        <span>{looking(names.map(displayName))}</span>
      </p>
    );
  return (
    <section className={styles.card} aria-label={WHAT_YOU_BROUGHT}>
      <ul className={styles.files}>
        {data.files.slice(0, LINES).map((file) => (
          <li key={file.file_name}>
            <b>{file.display_name}</b>: {holds(file)}
          </li>
        ))}
        {data.files.length > LINES && <li>{moreFiles(data.files.length - LINES)}</li>}
      </ul>
      <IconButton
        className={styles.dismiss}
        size="small"
        name="Dismiss"
        icon={<X size={16} strokeWidth={1.75} />}
        onClick={onDismiss}
      />
      {data.questions.length > 0 && (
        <ul className={styles.questions} aria-label={WORTH_ASKING}>
          {data.questions.map((question) => (
            <li key={question.text}>
              <button
                type="button"
                className={styles.question}
                disabled={disabled}
                onClick={() => onAsk(question)}
              >
                <span>
                  {question.text}
                  {data.files.length > 1 && (
                    <span className={styles.of}>{displayName(question.file_name)}</span>
                  )}
                </span>
                <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
