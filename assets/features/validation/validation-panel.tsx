import type { Grounds as Found, Message } from 'api/types';
import { Button } from 'design/components/button';
import { LogoMark } from 'design/components/logo';
import { Tabs } from 'design/components/tabs';
import { Calculator, CircleAlert, CircleCheck, Info, MessageCircleQuestion, TextSearch } from 'lucide-react';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useValidations, validationToggle } from 'stores/validations';
import { type Finding, findingOf, missingMarks, sizeOfGroup, tabsOf, verdictOf } from './approaches';
import { CLOSE, GROUNDS, PARTINGS, RECOMMENDED, SELECT, tabName, VERDICTS } from './copy';
import { panelId } from './validate-button';
import styles from './validation-panel.module.css';

export interface ValidationPanelProps {
  questionId: string;
  /** All answers to the question, each with its group and its trace. */
  answers: readonly Message[];
  /** An answer without its charts: the conversation above shows them. */
  renderAnswer(message: Message): ReactNode;
  renderTrace(markdown: string): ReactNode;
  onSelect(message: Message): void;
}

const ICONS = {
  agree: CircleCheck,
  unconfirmed: Info,
  doubted: Info,
  mixed: Info,
  disagree: CircleAlert,
} as const;

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What the approaches found, side by side: one tab each, the best one marked, any of them to be taken instead. */
export default function ValidationPanel(props: ValidationPanelProps) {
  const { questionId, answers } = props;
  const id = useId();
  const finding = findingOf(answers);
  const tabs = useMemo(() => tabsOf(answers), [answers]);
  const [current, setCurrent] = useState('');
  const shown = tabs.find(({ message_id }) => message_id === current) ?? tabs[0];
  const card = useIntoView(questionId);
  useWarnings(answers);
  if (!finding || !shown) return null;
  const alone = verdictOf(answers) === 'agree';
  const tabId = (message: Message) => `${id}-${message.message_id}`;
  return (
    <section ref={card} className={styles.card} id={panelId(questionId)} aria-label="Validation">
      <Head finding={finding} answers={answers} />
      {!alone && (
        <div className={styles.tabs}>
          <Tabs
            label="Approaches"
            tabs={tabs.map((message, index) => ({
              id: message.message_id,
              label: tabName(index),
              mark: message.metadata.is_best_answer && <BestMark />,
            }))}
            current={shown.message_id}
            onChange={setCurrent}
            controls={id}
          />
        </div>
      )}
      <div
        id={id}
        className={styles.body}
        {...(alone ? {} : { role: 'tabpanel', 'aria-labelledby': tabId(shown) })}
      >
        <Approach {...props} message={shown} selected={tabs[0] ?? shown} alone={alone} />
      </div>
    </section>
  );
}

function Head({ finding, answers }: { finding: Finding; answers: readonly Message[] }) {
  const Icon = ICONS[finding];
  const groups = new Set(answers.map(({ metadata }) => metadata.consensus_group)).size;
  return (
    <header className={styles.head} data-verdict={finding}>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <h3>{VERDICTS[finding]}</h3>
      <p>
        {answers.length} {answers.length === 1 ? 'method' : 'methods'}, {groups}{' '}
        {groups === 1 ? 'result' : 'results'}
      </p>
    </header>
  );
}

interface ApproachProps extends ValidationPanelProps {
  message: Message;
  selected: Message;
  alone: boolean;
}

function Approach(props: ApproachProps) {
  const { questionId, answers, message, selected, alone, renderAnswer, renderTrace, onSelect } = props;
  const { is_best_answer: best, reasoning_trace: trace } = message.metadata;
  const parting = message.answer?.parting;
  const found = message.answer?.check;
  return (
    <>
      {found && <Grounds found={found} />}
      <p className={styles.facts}>
        <span className={styles.name}>{nameOf(message)}</span>
        {best && <BestMark />}
        {alone ? (
          <span>{otherNames(answers, message)}</span>
        ) : (
          <Company count={sizeOfGroup(answers, message) - 1} />
        )}
      </p>
      {parting && message !== selected && (
        <p className={styles.parting}>
          <strong>{PARTINGS[parting.step] ?? 'Differs.'}</strong> {parting.text}
        </p>
      )}
      <div className={styles.answer}>{renderAnswer(message)}</div>
      {trace && (
        <div className={styles.trace}>
          <h4>How this method went</h4>
          {renderTrace(trace)}
        </div>
      )}
      <footer className={styles.foot}>
        {message === selected ? (
          <Button small onClick={() => validationToggle(questionId, false)}>
            {CLOSE}
          </Button>
        ) : (
          <Button small variant="primary" onClick={() => onSelect(message)}>
            {SELECT}
          </Button>
        )}
      </footer>
    </>
  );
}

/** What speaks against the reading, before how the figures stand and how the reading does. */
function Grounds({ found }: { found: Found }) {
  return (
    <ul className={styles.grounds} aria-label={GROUNDS}>
      {found.doubts.map((doubt) => (
        <li key={doubt} data-doubt>
          <MessageCircleQuestion {...ICON} />
          <span>{doubt}</span>
        </li>
      ))}
      <li>
        <Calculator {...ICON} />
        <span>{found.recomputed}</span>
      </li>
      <li>
        <TextSearch {...ICON} />
        <span>{found.read}</span>
      </li>
    </ul>
  );
}

/** The recommended-logo of the specification, with its word. */
function BestMark() {
  return (
    <span className={styles.badge}>
      <LogoMark size={14} />
      <span className="visually-hidden">, </span>
      <span>{RECOMMENDED}</span>
    </span>
  );
}

function Company({ count }: { count: number }) {
  if (count === 0) return <span>No other method got this result</span>;
  return <span>{count === 1 ? '1 other method' : `${count} other methods`} got this result too</span>;
}

const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function nameOf(message: Message): string {
  return message.answer?.approach_name || message.answer?.approach || message.model || 'Method';
}

/** In agreement the others are named once: "Also found by: Recount over data frames and Recount on one flat sheet". */
function otherNames(answers: readonly Message[], message: Message): string {
  const names = answers.filter((one) => one !== message).map(nameOf);
  return names.length > 0 ? `Also found by: ${and.format(new Set(names))}` : '';
}

/** A panel that has just been opened comes into view; one that was open before stays where it is. */
function useIntoView(questionId: string) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (useValidations.getState().fresh !== questionId) return;
    useValidations.setState({ fresh: null });
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [questionId]);
  return card;
}

/** A missing mark is the server's fault, not the reader's: it is only logged (SPEC 5). */
function useWarnings(answers: readonly Message[]) {
  const missing = missingMarks(answers).join(' and ');
  useEffect(() => {
    if (missing) console.warn(`Validation without a ${missing} answer`);
  }, [missing]);
}
