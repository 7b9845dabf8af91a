import { CANCELED } from 'api/errors';
import type { Message, RefreshedFile } from 'api/types';
import { displayName } from 'lib/file-names';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { NEW_THREAD } from 'stores/draft';
import { toastShow } from 'stores/toast';
import { AssistantHead, AssistantMessage } from './assistant-message';
import styles from './conversation.module.css';
import {
  ANSWER_READY,
  COPIED,
  COPY_FAILED,
  dataChanged,
  ECHOED,
  STOPPED,
  STOPPING,
  UNANSWERED,
} from './copy';
import { TURNS_PER_PAGE } from './limits';
import parts from './message-parts.module.css';
import { type Row, visibleRows } from './rows';
import { RunEnd } from './run-end';
import { isActive, isCanceled, loadingText, spokenText } from './run-machine';
import { useFollowing } from './use-following';
import type { Run } from './use-run';
import { UserMessage } from './user-message';
import { Working } from './working';

interface Props {
  threadId: string | null;
  messages: readonly Message[] | undefined;
  refreshed: readonly RefreshedFile[];
  run: Run;
  product: string;
  userName: string;
  /** The inside of an answer; must be stable, or every message is drawn again. */
  renderAnswer(message: Message): ReactNode;
  /** What checks an answer by other methods; must be stable as well. */
  renderCheck(answer: Message, question: Message, place: 'button' | 'panel'): ReactNode;
  /** The text of an answer that is still being written. */
  renderText(text: string): ReactNode;
  /** All answers to a question are shown, not only the selected one. */
  allModels: boolean;
  /** Puts a text into the composer: an echoed message, a follow-up question. */
  onFill(text: string): void;
  onRate(message: Message, up: boolean): void;
  /** Shows another answer to the same question; must be stable. */
  onVersion(answer: Message): void;
  /** Asks an unanswered question again. */
  onAskAgain(message: Message): void;
}

/** The list of messages: a list of articles, the newest in view. */
export function Conversation(props: Props) {
  const { threadId, messages, refreshed, run, product, userName, allModels, onFill, onRate } = props;
  const rows = useMemo(
    () => visibleRows(messages, run.state, refreshed, allModels),
    [messages, run.state, refreshed, allModels],
  );
  const { first, sentinel } = usePages(rows.length, threadId);
  const newest = rows.at(-1);
  const quiet = newest?.kind === 'refreshed';
  const { scroller, content, away, toNewest } = useFollowing(threadId ?? NEW_THREAD, rows.length, quiet);
  const newestTurn = rows.findLast(({ kind }) => kind !== 'refreshed');
  const { rated, rate } = useRatings(onRate);
  const echo = useCallback(
    (text: string) => {
      onFill(text);
      toastShow('complete', ECHOED);
    },
    [onFill],
  );
  const newestQuestion = rows.findLastIndex(isQuestion);

  return (
    <div className={styles.panel}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div className={styles.scroller} ref={scroller} tabIndex={0} role="region" aria-label="Messages">
        <div ref={content}>
          {first > 0 && <div ref={sentinel} className={styles.sentinel} aria-hidden="true" />}
          <ol className={styles.list}>
            {rows.slice(first).map((row, index) => (
              <li key={row.key} data-newest-turn={index + first === newestQuestion ? '' : undefined}>
                <RowView
                  row={row}
                  last={row === newestTurn}
                  rated={row.kind === 'message' ? (rated[row.message.message_id] ?? null) : null}
                  named={allModels}
                  product={product}
                  userName={userName}
                  renderAnswer={props.renderAnswer}
                  renderCheck={props.renderCheck}
                  onEcho={echo}
                  onFill={onFill}
                  onRate={rate}
                  onVersion={props.onVersion}
                />
              </li>
            ))}
            <RunRow {...props} rows={rows} />
          </ol>
        </div>
        {away && (
          <div className={styles.below}>
            <div className={styles.strip}>
              <button
                type="button"
                className={styles.newest}
                aria-label="Newest"
                data-tip="Newest"
                onClick={toNewest}
              >
                <ArrowDown size={18} strokeWidth={1.75} />
              </button>
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

/** What of a question found no place in the answer that is shown. */
function unreadOf({ children }: Message) {
  const answers = children.filter(({ role }) => role === 'assistant');
  const shown = answers.find(({ metadata }) => metadata.is_selected_assistant) ?? answers.at(-1);
  return shown?.answer?.read_as?.unread;
}

function isQuestion(row: Row): boolean {
  return row.kind === 'pending-question' || (row.kind === 'message' && row.message.role === 'user');
}

interface RowViewProps {
  row: Row;
  named: boolean;
  last: boolean;
  rated: boolean | null;
  product: string;
  userName: string;
  renderAnswer(message: Message): ReactNode;
  renderCheck(answer: Message, question: Message, place: 'button' | 'panel'): ReactNode;
  onEcho(text: string): void;
  onFill(text: string): void;
  onRate(message: Message, up: boolean): void;
  onVersion(answer: Message): void;
}

function RowView(props: RowViewProps) {
  const { row, last, rated, product, userName, onEcho, onFill, onRate } = props;
  if (row.kind === 'refreshed') return <RefreshedNotice files={row.files} />;
  if (row.kind === 'pending-question') {
    return (
      <UserMessage
        name={userName}
        text={row.prompt}
        files={row.files}
        at={row.at}
        opensRole={row.opensRole}
        live
        onCopy={copy}
        onEcho={onEcho}
      />
    );
  }
  const { message, opensRole, question } = row;
  if (message.role === 'user') {
    return (
      <UserMessage
        name={userName}
        text={message.content}
        unread={unreadOf(message)}
        files={message.user_specified_files}
        at={message.created_at * 1000}
        opensRole={opensRole}
        live={last}
        onCopy={copy}
        onEcho={onEcho}
      />
    );
  }
  return (
    <AssistantMessage
      message={message}
      product={product}
      opensRole={opensRole}
      named={props.named}
      last={last}
      rated={rated}
      question={question}
      renderAnswer={props.renderAnswer}
      renderCheck={props.renderCheck}
      onFill={onFill}
      onCopy={copy}
      onRate={onRate}
      onVersion={props.onVersion}
    />
  );
}

/** What stands in the place of the answer while there is none: the work, a failure, or a question left alone. */
function RunRow({ run, rows, product, renderText, onAskAgain }: Props & { rows: readonly Row[] }) {
  const { state } = run;
  const text = loadingText(state, product, displayName);
  const canceled = isCanceled(state);
  if (isActive(state)) {
    if (text === null && !canceled) return null;
    const steps = state.kind === 'working' ? state.steps : [];
    const written = state.kind === 'working' ? state.text : '';
    return (
      <li className={`${parts.turn} ${parts.assistant}`}>
        <AssistantHead product={product} shown />
        <Working text={workingText(text, canceled, state.stopping)} steps={steps} since={state.asked.at}>
          {written !== '' && renderText(written)}
        </Working>
      </li>
    );
  }
  if (state.kind === 'failed') {
    return (
      <li className={`${parts.turn} ${parts.assistant}`}>
        <AssistantHead product={product} shown />
        <RunEnd
          tone="bad"
          sentence={state.sentence}
          detail={state.detail}
          action="Try again"
          onAction={run.again}
        />
      </li>
    );
  }
  if (state.kind === 'stopped') {
    return (
      <li className={`${parts.turn} ${parts.assistant}`}>
        <AssistantHead product={product} shown />
        <RunEnd
          tone="calm"
          sentence={canceled ? CANCELED : STOPPED}
          action="Ask again"
          onAction={run.again}
        />
      </li>
    );
  }
  const last = rows.findLast(({ kind }) => kind !== 'refreshed');
  if (last?.kind === 'message' && last.message.role === 'user') {
    return (
      <li className={`${parts.turn} ${parts.assistant}`}>
        <AssistantHead product={product} shown />
        <RunEnd
          tone="calm"
          sentence={UNANSWERED}
          action="Ask again"
          onAction={() => onAskAgain(last.message)}
        />
      </li>
    );
  }
  return null;
}

function workingText(text: string | null, canceled: boolean, stopping: boolean): string {
  if (canceled) return CANCELED;
  return stopping || text === null ? STOPPING : text;
}

function RefreshedNotice({ files }: { files: readonly RefreshedFile[] }) {
  const names = files.map((file) => file.file_name);
  return (
    <p className={parts.notice} data-tip={names.join('\n')}>
      <span>{dataChanged(files)}</span>
    </p>
  );
}

function copy(text: string) {
  navigator.clipboard.writeText(text).then(
    () => toastShow('complete', COPIED),
    () => toastShow('error', COPY_FAILED),
  );
}

/** A thumb shows at once; what the server says about it changes nothing (failures are only logged, SPEC 8). */
function useRatings(onRate: Props['onRate']) {
  const [rated, setRated] = useState<Record<string, boolean>>({});
  const rate = useCallback(
    (message: Message, up: boolean) => {
      setRated((before) => ({ ...before, [message.message_id]: up }));
      onRate(message, up);
    },
    [onRate],
  );
  return { rated, rate };
}

/** Only the newest turns are drawn at first; older ones come in pages when the reader scrolls up to them. */
function usePages(length: number, threadId: string | null) {
  const [page, setPage] = useState({ threadId, count: TURNS_PER_PAGE * 2 });
  const count = page.threadId === threadId ? page.count : TURNS_PER_PAGE * 2;
  const sentinel = useRef<HTMLDivElement>(null);
  const first = Math.max(0, length - count);
  useEffect(() => {
    const node = sentinel.current;
    if (!node || first === 0) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setPage({ threadId, count: count + TURNS_PER_PAGE * 2 }),
      { rootMargin: '600px 0px 0px' },
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [first, count, threadId]);
  return { first, sentinel };
}

/** Says what goes on to screen readers: the loading text, then that the answer is there. */
export function RunAnnouncer({ run, product }: { run: Run; product: string }) {
  const [text, setText] = useState('');
  const { state } = run;
  const loading = spokenText(state, product, displayName);
  const active = useRef(false);
  useEffect(() => {
    if (loading) setText(loading);
    else if (state.kind === 'failed') setText(state.sentence);
    else if (!isActive(state) && active.current && state.kind !== 'stopped') setText(ANSWER_READY);
    active.current = isActive(state);
  }, [loading, state]);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
