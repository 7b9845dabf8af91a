import type { AnswerParts, Choice, KeptKeyword } from 'api/types';
import { CornerDownRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import styles from './choices.module.css';
import { NONE_OF_THESE, rewordHint } from './copy';

interface Props {
  status: AnswerParts['status'];
  choices: readonly Choice[];
  onAsk: (question: string) => void;
  /** Makes a choice's keyword one of the organization's; left out where that cannot be done. */
  onKeep?: ((keyword: KeptKeyword) => void) | undefined;
  /** Keeps for always what the choice at this place means; left out where that cannot be done. */
  onTeach?: ((place: number) => void) | undefined;
  /** Puts the question back into the composer, its unread word selected, and says that word; null where there is none.
   *  Left out where nothing can be asked. */
  onReword?: (() => string | null) | undefined;
}

const HEADS: Readonly<Record<AnswerParts['status'], string>> = {
  answered: 'Or did you mean one of these?',
  clarify: 'Which one do you mean?',
  declined: 'Questions I can answer',
};

const HEADS_OF_ONE: Partial<typeof HEADS> = {
  answered: 'Or did you mean this?',
  clarify: 'Is this what you mean?',
};

/** Readings to choose from, or questions that can be answered: a click asks. A choice may be kept for good. */
export function Choices({ status, choices, onAsk, onKeep, onTeach, onReword }: Props) {
  const placed = choices.map((choice, place) => ({ ...choice, place }));
  const meanings = placed.filter(({ kind }) => kind === 'meaning');
  const rewrites = placed.filter(({ kind }) => kind === 'rewrite');
  const others = placed.filter(({ kind }) => !kind);
  const term = choices.find(({ keyword }) => keyword)?.keyword?.term;
  // The words of a declined answer end with what follows first.
  const head = (others.length === 1 && HEADS_OF_ONE[status]) || HEADS[status];
  const ways = { onAsk, onKeep, onTeach };
  const meant = <Meanings choices={meanings} after={others.length > 0} {...ways} />;
  return (
    <div className={styles.choices}>
      {others.length === 0 && meant}
      {rewrites.length > 0 && (
        <List
          head={meanings.length > 0 ? 'Or one of these questions' : 'Questions that come close'}
          headHidden={meanings.length === 0}
          compact
          choices={rewrites}
          {...ways}
        />
      )}
      {others.length > 0 && (
        <List
          head={head}
          headHidden={status === 'declined'}
          compact={status !== 'clarify'}
          choices={others}
          {...ways}
        />
      )}
      {others.length > 0 && meant}
      {onKeep && term && (
        <p className={styles.hint}>
          “Always” answers the question and keeps your meaning of “{term}” as a keyword.
        </p>
      )}
      {onTeach && others.some(({ teaches }) => teaches) && (
        <p className={styles.hint}>
          “Always” answers the question and keeps your choice for everybody in your organization.
        </p>
      )}
      {onReword && (status === 'clarify' || meanings.length + rewrites.length > 0) && (
        <NoneOfThese onReword={onReword} teaches={onTeach !== undefined} />
      )}
    </div>
  );
}

/** What an unread word may mean; `after` other choices it has a head of its own. */
function Meanings({
  choices,
  after,
  ...ways
}: Pick<ListProps, 'choices' | 'onAsk' | 'onKeep' | 'onTeach'> & { after: boolean }) {
  if (choices.length === 0) return null;
  return (
    <>
      <List head="What the word may mean" headHidden={!after} compact choices={choices} {...ways} />
      {ways.onTeach && choices.some(({ teaches }) => teaches) && (
        <p className={styles.hint}>
          “Always” answers the question and keeps the word in the data dictionary.
        </p>
      )}
    </>
  );
}

/** The way on where nothing that is offered is meant: the question again, and what would help. */
function NoneOfThese({ onReword, teaches }: { onReword(): string | null; teaches: boolean }) {
  const [hint, setHint] = useState('');
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (hint) said.current?.scrollIntoView({ block: 'nearest' });
  }, [hint]);
  return (
    <>
      <button type="button" className={styles.none} onClick={() => setHint(rewordHint(onReword(), teaches))}>
        {NONE_OF_THESE}
      </button>
      <p ref={said} role="status" className={hint ? styles.hint : 'visually-hidden'}>
        {hint}
      </p>
    </>
  );
}

interface ListProps extends Pick<Props, 'onAsk' | 'onKeep' | 'onTeach'> {
  head: string;
  headHidden?: boolean;
  /** As narrow as their words, side by side. */
  compact?: boolean;
  choices: readonly (Choice & { place: number })[];
}

function List({ head, headHidden = false, compact = false, choices, ...ways }: ListProps) {
  const id = useId();
  return (
    <>
      <p id={id} className={headHidden ? 'visually-hidden' : styles.head}>
        {head}
      </p>
      <ul aria-labelledby={id} data-compact={compact || undefined}>
        {choices.map((choice) => (
          <Row key={`${choice.label}:${choice.question}`} choice={choice} compact={compact} {...ways} />
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Pick<Props, 'onAsk' | 'onKeep' | 'onTeach'> {
  choice: Choice & { place: number };
  compact: boolean;
}

function Row({ choice, compact, onAsk, onKeep, onTeach }: RowProps) {
  const { label, question, keyword, teaches, place, figure } = choice;
  return (
    <li className={styles.row}>
      <button type="button" className={styles.choice} onClick={() => onAsk(question)}>
        {!compact && <CornerDownRight size={16} strokeWidth={1.75} aria-hidden="true" />}
        <span>{label || question}</span>
        {figure && ' '}
        {figure && <span className={styles.figure}>{figure}</span>}
      </button>
      {keyword && onKeep && (
        <Always
          name={`Always take “${keyword.term}” as ${keyword.definition}`}
          tip={`Keeps “${keyword.term}: ${keyword.definition}” as a keyword of your organization`}
          onClick={() => {
            onKeep(keyword);
            onAsk(question);
          }}
        />
      )}
      {teaches && onTeach && (
        <Always
          name={`Always: ${teaches}`}
          tip={teaches}
          onClick={() => {
            onTeach(place);
            onAsk(question);
          }}
        />
      )}
    </li>
  );
}

function Always({ name, tip, onClick }: { name: string; tip: string; onClick(): void }) {
  return (
    <button type="button" className={styles.keep} aria-label={name} data-tip={tip} onClick={onClick}>
      Always
    </button>
  );
}
