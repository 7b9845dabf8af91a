import { useQuery } from '@tanstack/react-query';
import { Button } from 'design/components/button';
import { Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { loadSuggestions, SUGGESTIONS } from './api';
import { greeting } from './copy';
import styles from './greeting.module.css';
import { EXAMPLE_QUESTIONS } from './limits';
import { exampleQuestions } from './presets';

interface Props {
  name: string;
  disabled: boolean;
  /** False while the organization has no file to ask about. */
  hasData: boolean;
  /** Questions about what was just brought stand below: no others are needed. */
  quiet?: boolean;
  /** What is said once, below all else. */
  note?: ReactNode;
  onPick(question: string): void;
  /** Left out where the place for files is open already. */
  onUpload?(): void;
}

/** The empty conversation: the greeting and four questions to start from. */
export function Greeting({ name, disabled, hasData, quiet = false, note, onPick, onUpload }: Props) {
  // Asked for anew with each new conversation (SPEC 2), and not while one is open.
  const suggestions = useQuery({
    queryKey: SUGGESTIONS,
    queryFn: loadSuggestions,
    staleTime: 0,
    refetchOnReconnect: false,
  });
  return (
    <section className={styles.greeting} data-dimmed={disabled || undefined}>
      <h1 className={styles.title}>{greeting(name)}</h1>
      {!hasData && (
        <p className={styles.start}>Bring a .csv or .xlsx file and ask about it in your own words.</p>
      )}
      {!hasData && onUpload && <UploadButton onUpload={onUpload} />}
      {!hasData && !quiet && <p className={styles.later}>Once it is here, you could ask:</p>}
      {quiet ? null : suggestions.isFetching ? (
        <div className={styles.cards} aria-hidden="true">
          {Array.from({ length: EXAMPLE_QUESTIONS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: four equal places
            <div key={index} className={styles.placeholder} />
          ))}
        </div>
      ) : (
        <Cards
          key={suggestions.data?.join('\n')}
          suggestions={suggestions.data ?? []}
          disabled={disabled}
          onPick={onPick}
        />
      )}
      {hasData && onUpload && <UploadButton onUpload={onUpload} />}
      {hasData && note}
    </section>
  );
}

/** The way to bring a file, on the first screen: above the questions where there is nothing to ask about, else below. */
function UploadButton({ onUpload }: { onUpload(): void }) {
  return (
    <Button
      className={styles.upload}
      icon={<Upload size={18} strokeWidth={1.75} aria-hidden="true" />}
      onClick={onUpload}
    >
      Upload a file
    </Button>
  );
}

function Cards({
  suggestions,
  disabled,
  onPick,
}: {
  suggestions: readonly string[];
  disabled: boolean;
  onPick(question: string): void;
}) {
  const [questions] = useState(() => exampleQuestions(suggestions, EXAMPLE_QUESTIONS));
  return (
    <ul className={styles.cards} aria-label="Example questions">
      {questions.map((question) => (
        <li key={question}>
          <button type="button" className={styles.card} disabled={disabled} onClick={() => onPick(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
