import type { Message } from 'api/types';
import { IconButton } from 'design/components/icon-button';
import { LogoMark } from 'design/components/logo';
import { ChevronRight, Copy, ThumbsDown, ThumbsUp } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import styles from './message-parts.module.css';
import { STEPS_FROM, Steps } from './steps';
import { VersionSwitch } from './version-switch';

interface Props {
  message: Message;
  product: string;
  opensRole: boolean;
  /** Every answer to a question is shown, so each stands under the name of who gave it. */
  named: boolean;
  /** The newest answer: its buttons are always visible. */
  last: boolean;
  /** What the user has rated since the thread was loaded. */
  rated: boolean | null;
  renderAnswer(message: Message): ReactNode;
  /** The question, where the answer may be checked by other methods. */
  question: Message | null;
  /** The check's button among the others, and its panel below them. */
  renderCheck(answer: Message, question: Message, place: 'button' | 'panel'): ReactNode;
  /** Puts a question into the composer. */
  onFill(question: string): void;
  onCopy(text: string): void;
  onRate(message: Message, up: boolean): void;
  onVersion(answer: Message): void;
}

export function thumbOf(value: Message['metadata']['is_thumbs_up']): boolean | null {
  if (value === true || value === 'True') return true;
  if (value === false || value === 'False') return false;
  return null;
}

export const AssistantMessage = memo(function AssistantMessage(props: Props) {
  const { message, product, opensRole, named, last, question, renderAnswer, renderCheck } = props;
  const steps = message.answer?.steps ?? [];
  const seconds = message.answer?.seconds ?? 0;
  return (
    <article className={`${styles.turn} ${styles.assistant}`} data-live={last || undefined}>
      <AssistantHead
        product={product}
        shown={opensRole || named}
        note={named ? (message.answer?.approach_name ?? message.model) : null}
        leading={named && message.metadata.is_selected_assistant === true && hasRivals(question)}
      />
      {steps.length > 0 && seconds >= STEPS_FROM && (
        <details className={styles.fold}>
          <summary>
            {steps.length} {steps.length === 1 ? 'step' : 'steps'}, {Math.round(seconds)} s
            <ChevronRight size={12} strokeWidth={2} aria-hidden="true" />
          </summary>
          <div className={styles.foldBody}>
            <Steps steps={steps} />
          </div>
        </details>
      )}
      {question && !named && (
        <VersionSwitch answer={message} question={question} onVersion={props.onVersion} />
      )}
      <div className={styles.body}>{renderAnswer(message)}</div>
      <Actions {...props} />
      {question && renderCheck(message, question, 'panel')}
      {last && <FollowUps questions={message.answer?.follow_ups} onFill={props.onFill} />}
    </article>
  );
});

const hasRivals = (question: Message | null) =>
  (question?.children.filter(({ role }) => role === 'assistant').length ?? 0) > 1;

const FOLLOW_UPS = 3;

function FollowUps({
  questions = [],
  onFill,
}: {
  questions: readonly string[] | undefined;
  onFill(text: string): void;
}) {
  if (questions.length === 0) return null;
  return (
    <ul className={styles.followUps} aria-label="Follow-up questions">
      {questions.slice(0, FOLLOW_UPS).map((question) => (
        <li key={question}>
          <button type="button" onClick={() => onFill(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface HeadProps {
  product: string;
  shown: boolean;
  note?: string | null;
  /** Of several answers, the one that the next question goes on from. */
  leading?: boolean;
}

export function AssistantHead({ product, shown, note, leading = false }: HeadProps) {
  return (
    <h2 className={shown ? styles.head : 'visually-hidden'}>
      {shown && <LogoMark size={20} />}
      <span>{product}</span>
      {note && <span className={styles.note}>{note}</span>}
      {leading && <span className={styles.leading}>Chat continues from here</span>}
    </h2>
  );
}

function Actions({ message, last, rated, question, renderCheck, onCopy, onRate }: Props) {
  const thumb = rated ?? thumbOf(message.metadata.is_thumbs_up);
  const done = thumb !== null;
  const rate = (up: boolean) => !done && onRate(message, up);
  return (
    <div className={styles.actions} data-quiet={last ? undefined : ''}>
      <IconButton
        name="Copy answer"
        tip="Copy"
        icon={<Copy size={16} strokeWidth={1.75} />}
        onClick={() => onCopy(message.content)}
      />
      <IconButton
        className={styles.thumb}
        name="Good answer"
        icon={<ThumbsUp size={16} strokeWidth={1.75} />}
        aria-disabled={done || undefined}
        data-chosen={thumb === true || undefined}
        tip={thumb === true ? 'You rated this answer as good' : undefined}
        onClick={() => rate(true)}
      />
      <IconButton
        className={styles.thumb}
        name="Bad answer"
        icon={<ThumbsDown size={16} strokeWidth={1.75} />}
        aria-disabled={done || undefined}
        data-chosen={thumb === false || undefined}
        tip={thumb === false ? 'You rated this answer as bad' : undefined}
        onClick={() => rate(false)}
      />
      {question && renderCheck(message, question, 'button')}
    </div>
  );
}
