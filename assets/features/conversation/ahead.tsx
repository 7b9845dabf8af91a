import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import styles from './ahead.module.css';
import type { CompletedWord, QuestionPreview } from './ahead-api';
import { COMPLETIONS, completionsSaid, noPlace, READ_AS } from './copy';
import { usePreview } from './use-preview';

/** Takes a key that is meant for the suggestions; true where it was. */
export type KeyTaker = (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;

interface Props {
  text: string;
  threadId: string | null;
  files: readonly string[];
  input: RefObject<HTMLTextAreaElement | null>;
  /** Where the composer finds who takes keys first. */
  keys: RefObject<KeyTaker | null>;
  /** Whether the text is being typed, and was not put in from elsewhere: only then words are completed. */
  typing: boolean;
  onComplete(text: string, cursor: number): void;
  onDismiss(): void;
}

/** What stands under the composer while one types: how the question would be read; and above it what a word may become. */
export default function Ahead({ text, threadId, files, input, keys, typing, onComplete, onDismiss }: Props) {
  const before = text.slice(0, input.current?.selectionStart ?? text.length);
  const preview = usePreview({ text, before, threadId, files });
  const offered = typing ? preview.completions : NONE;
  const take = (word: CompletedWord) => {
    const start = before.length - word.replaces.length;
    onComplete(text.slice(0, start) + word.text + text.slice(before.length), start + word.text.length);
  };
  return (
    <>
      <ReadSoFar preview={preview} />
      <p className="visually-hidden" role="status">
        {offered.length > 0 && completionsSaid(offered.length)}
      </p>
      {offered.length > 0 && (
        <Completions
          key={before}
          words={offered}
          input={input}
          keys={keys}
          onTake={take}
          onDismiss={onDismiss}
        />
      )}
    </>
  );
}

const NONE: readonly CompletedWord[] = [];

function ReadSoFar({ preview: { chips, unread } }: { preview: QuestionPreview }) {
  const id = useId();
  if (chips.length === 0) return null;
  return (
    <div className={styles.preview} data-preview="" role="group" aria-labelledby={id}>
      <span id={id}>{READ_AS}</span>
      <ul>
        {chips.map(({ part, label }) => (
          <li key={`${part} ${label}`} data-part={part} title={label}>
            {label}
          </li>
        ))}
        {unread.length > 0 && <li className={styles.unread}>{noPlace(unread)}</li>}
      </ul>
    </div>
  );
}

interface CompletionsProps {
  words: readonly CompletedWord[];
  input: RefObject<HTMLTextAreaElement | null>;
  keys: RefObject<KeyTaker | null>;
  onTake(word: CompletedWord): void;
  onDismiss(): void;
}

/** The suggestions. None is chosen at first: Enter sends and Tab goes on until an arrow key has chosen one. */
function Completions({ words, input, keys, onTake, onDismiss }: CompletionsProps) {
  const id = useId();
  const [chosen, setChosen] = useState(-1);
  useEffect(() => {
    keys.current = (event) => {
      if (event.nativeEvent.isComposing) return false;
      const word = words[chosen];
      if (event.key === 'ArrowDown') setChosen(chosen + 1 < words.length ? chosen + 1 : 0);
      else if (event.key === 'ArrowUp') setChosen(chosen > 0 ? chosen - 1 : words.length - 1);
      else if (event.key === 'Escape') onDismiss();
      else if (word && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) onTake(word);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    };
    return () => {
      keys.current = null;
    };
  }, [keys, words, chosen, onTake, onDismiss]);
  useEffect(() => {
    const area = input.current;
    area?.setAttribute('aria-controls', id);
    if (chosen >= 0) area?.setAttribute('aria-activedescendant', `${id}-${chosen}`);
    return () => {
      area?.removeAttribute('aria-controls');
      area?.removeAttribute('aria-activedescendant');
    };
  }, [input, id, chosen]);
  return (
    <div className={styles.words} id={id} role="listbox" aria-label={COMPLETIONS}>
      {words.map((word, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the message box, which names the chosen one
        <div
          key={word.text}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(word)}
        >
          <span className={styles.word}>{word.text}</span>
          <span className={styles.where}>{word.where}</span>
        </div>
      ))}
    </div>
  );
}
