import { draw } from 'lib/draw';
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { PROMPTS_SHOWN, RETURN_MS, TOPICS_SHOWN } from './limits';
import { type Prompt, TOPICS, type Topic } from './topics';
import styles from './trending.module.css';

interface Props {
  /** While sending is disabled a prompt does nothing. */
  disabled: boolean;
  onPick(question: string): void;
}

/** Five topics; a topic's prompts; a prompt puts one of its questions into the input. All drawn at random. */
export function Trending({ disabled, onPick }: Props) {
  const [topics] = useState(() => draw(TOPICS, TOPICS_SHOWN));
  const [open, setOpen] = useState<{ topic: Topic; prompts: Prompt[] } | null>(null);
  const [picked, setPicked] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function pick(prompt: Prompt) {
    if (disabled) return;
    const [question] = draw(prompt.questions, 1);
    if (question) onPick(question);
    setPicked(prompt.title);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setOpen(null);
      setPicked(null);
    }, RETURN_MS);
  }

  return (
    <section className={styles.trending} aria-label="Trending Topics">
      {open ? (
        <>
          <button type="button" className={styles.back} onClick={() => setOpen(null)}>
            <ArrowLeft size={14} strokeWidth={2} aria-hidden="true" />
            <span className="visually-hidden">Back to the topics from </span>
            {open.topic.title}
          </button>
          <ul>
            {open.prompts.map((prompt) => (
              <li key={prompt.title}>
                <button
                  type="button"
                  className={styles.item}
                  aria-disabled={disabled || undefined}
                  data-picked={picked === prompt.title || undefined}
                  onClick={() => pick(prompt)}
                >
                  {prompt.title}
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <h2 className={styles.title}>Trending Topics</h2>
          <ul>
            {topics.map((topic) => (
              <li key={topic.title}>
                <button
                  type="button"
                  className={styles.item}
                  onClick={() => setOpen({ topic, prompts: draw(topic.prompts, PROMPTS_SHOWN) })}
                >
                  {topic.title}
                  <ChevronRight size={14} strokeWidth={2} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
