import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { AnswerPicture } from './answer-picture';
import { ASKING, DATA, helpTitle, KEYS, keyText, TRUST, WORDS } from './content';
import styles from './help-popup.module.css';

interface Props {
  product: string;
  /** Puts an example into the composer. */
  onTry(question: string): void;
  onClose(): void;
}

const PARTS = [
  { id: 'ask', title: 'What to ask' },
  { id: 'answer', title: 'Reading an answer' },
  { id: 'computed', title: 'How answers are computed' },
  { id: 'data', title: 'Your data' },
  { id: 'words', title: 'Your own words and look' },
  { id: 'keys', title: 'Keys' },
] as const;

type PartId = (typeof PARTS)[number]['id'];

/** The help document: for people who sell, not for people who compute. */
export default function HelpPopup({ product, onTry, onClose }: Props) {
  const text = useRef<HTMLDivElement>(null);
  const current = useCurrentPart(text);
  function show(id: PartId) {
    const part = text.current?.querySelector<HTMLElement>(`[data-part="${id}"]`);
    part?.scrollIntoView({ block: 'start' });
    part?.focus({ preventScroll: true });
  }
  return (
    <Popup
      title={helpTitle(product)}
      width="full"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div className={styles.help}>
        <nav className={styles.contents} aria-label="Help contents">
          {PARTS.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              aria-current={id === current ? 'location' : undefined}
              onClick={() => show(id)}
            >
              {title}
            </button>
          ))}
        </nav>
        <div className={styles.text} ref={text}>
          <Heading id="ask" />
          <p>
            Ask as you would ask a colleague who knows your numbers: in whole sentences, one question at a
            time. Say what you want to count or add up, of which records, over which time, and by what it
            should be split. {product} keeps the thread in mind, so “and by owner?” continues from the
            question before.
          </p>
          {ASKING.map(({ title, questions }) => (
            <section key={title} className={styles.examples} aria-label={title}>
              <h4>{title}</h4>
              <ul>
                {questions.map((question) => (
                  <li key={question}>
                    <button type="button" onClick={() => onTry(question)}>
                      {question}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <p className={styles.aside}>
            A click puts an example into the message input, where you can change it before you send it.
          </p>

          <Heading id="answer" />
          <AnswerPicture />

          <Heading id="computed" />
          <Points points={TRUST(product)} />

          <Heading id="data" />
          <Points points={DATA(product)} />

          <Heading id="words" />
          <Points points={WORDS(product)} />

          <Heading id="keys" />
          <dl className={styles.keys}>
            {KEYS.map(({ keys, does }) => (
              <div key={does}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{keyText(key)}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Popup>
  );
}

const READ_FROM_PX = 48;

/** The part being read: the last whose heading has come up to the top; at the very end the last of all. */
function useCurrentPart(text: RefObject<HTMLElement | null>): PartId {
  const [current, setCurrent] = useState<PartId>('ask');
  useEffect(() => {
    function onScroll({ target: body }: Event) {
      if (!(body instanceof HTMLElement) || !text.current || !body.contains(text.current)) return;
      const headings = [...text.current.querySelectorAll<HTMLElement>('[data-part]')];
      const atEnd = body.scrollTop + body.clientHeight >= body.scrollHeight - 1;
      const top = body.getBoundingClientRect().top + READ_FROM_PX;
      const read = headings.filter((heading) => atEnd || heading.getBoundingClientRect().top <= top).at(-1);
      setCurrent((read?.dataset.part as PartId | undefined) ?? 'ask');
    }
    // the popup's body scrolls, which does not bubble
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', onScroll, { capture: true });
  }, [text]);
  return current;
}

function Heading({ id }: { id: PartId }) {
  return (
    <h3 data-part={id} tabIndex={-1}>
      {PARTS.find((part) => part.id === id)?.title}
    </h3>
  );
}

function Points({ points }: { points: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.points}>
      {points.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
