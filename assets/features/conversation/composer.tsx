import { IconButton } from 'design/components/icon-button';
import { displayName } from 'lib/file-names';
import { ArrowUp, Paperclip, Square, X } from 'lucide-react';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { contextFileRemove, useContextFiles } from 'stores/context-files';
import { draftSet, NEW_THREAD, useDrafts } from 'stores/draft';
import { useReadsAhead } from 'stores/reads-ahead';
import type { KeyTaker } from './ahead';
import styles from './composer.module.css';
import { caution, onlyFile, PLACEHOLDER, PLACEHOLDER_BUSY } from './copy';
import { INPUT_MAX_HEIGHT, PREVIEW_LEAST } from './limits';

const Ahead = lazy(() => import(/* webpackChunkName: "ahead" */ './ahead'));

interface Props {
  /** Where the draft is kept: the thread's id, or "new". */
  draftKey: string;
  product: string;
  /** False while an answer is under way: Send is Stop then. */
  free: boolean;
  /** The thread is on its way: nothing can be sent yet, and there is nothing to stop. */
  loading?: boolean;
  stopping: boolean;
  lastQuestion: string | null;
  input: RefObject<HTMLTextAreaElement | null>;
  /** The choice of models; handed in, because models are a feature of their own. */
  models?: ReactNode;
  /** What stands above the message box for a while; toasts stand above it. */
  above?: ReactNode;
  onSend(text: string, files: readonly string[]): void;
  onStop(): void;
  onAttach(): void;
  onFeedback(): void;
}

const CHIPS = 3;

export function Composer(props: Props) {
  const { draftKey, product, free, loading = false, stopping, lastQuestion, input, models, above } = props;
  const { onSend, onStop, onAttach, onFeedback } = props;
  const text = useDrafts((drafts) => drafts.texts[draftKey] ?? '');
  const files = useContextFiles((state) => state.files);
  const frame = useToastRoom();
  const ready = free && !loading;
  const keys = useRef<KeyTaker | null>(null);
  const [typing, setTyping] = useTyping();
  const ahead = useReadsAhead((state) => state.on) && text.trim().length >= PREVIEW_LEAST;
  const complete = useCompleting(draftKey, input, () => setTyping(false));
  useGrowing(input, text);
  useFocusWhenFilled(input);

  function send() {
    if (!ready || !text.trim()) return;
    onSend(text.trim(), files);
    draftSet(draftKey, '');
    input.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (keys.current?.(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp' && !text && lastQuestion) {
      event.preventDefault();
      draftSet(draftKey, lastQuestion);
    }
  }

  return (
    <div className={styles.place} ref={frame}>
      {above}
      <div className={styles.whole}>
        <form
          className={styles.composer}
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <textarea
            ref={input}
            className={styles.input}
            rows={1}
            value={text}
            aria-label="Message"
            placeholder={ready ? PLACEHOLDER : PLACEHOLDER_BUSY}
            aria-autocomplete={ahead ? 'list' : undefined}
            onChange={(event) => {
              setTyping(true);
              draftSet(draftKey, event.target.value);
            }}
            onBlur={() => setTyping(false)}
            onKeyDown={onKeyDown}
          />
          <div className={styles.bar}>
            <button
              type="button"
              className={styles.attach}
              data-chosen={files.length > 0 || undefined}
              aria-label={
                files.length > 0
                  ? `Choose files for this question, ${files.length} chosen`
                  : 'Choose files for this question'
              }
              data-tip="Choose files for this question"
              onClick={onAttach}
            >
              <Paperclip size={18} strokeWidth={1.75} />
              {files.length > 0 && <span className={styles.count}>{files.length}</span>}
            </button>
            {models}
            <FileChips files={files} />
            {free ? (
              <button
                type="submit"
                className={styles.send}
                aria-label="Send"
                data-tip={text.trim() ? 'Send' : 'Type a question first'}
                aria-disabled={!ready || !text.trim() || undefined}
              >
                <ArrowUp size={18} strokeWidth={2} />
              </button>
            ) : (
              <button
                type="button"
                className={styles.send}
                aria-label="Stop"
                data-tip="Stop"
                disabled={stopping}
                onClick={() => {
                  onStop();
                  input.current?.focus();
                }}
              >
                <Square size={14} strokeWidth={2} fill="currentColor" />
              </button>
            )}
          </div>
        </form>
        <div className={styles.under}>
          <p className={styles.caution}>
            {caution(product)}{' '}
            <button type="button" onClick={onFeedback}>
              Leave feedback
            </button>
          </p>
          {ahead && (
            <Suspense fallback={null}>
              <Ahead
                text={text}
                threadId={draftKey === NEW_THREAD ? null : draftKey}
                files={files}
                input={input}
                keys={keys}
                typing={typing}
                onComplete={complete}
                onDismiss={() => setTyping(false)}
              />
            </Suspense>
          )}
        </div>
      </div>
    </div>
  );
}

/** Whether the text is being typed: not after one was put in from elsewhere. */
function useTyping(): [boolean, (typing: boolean) => void] {
  const filled = useDrafts((drafts) => drafts.filled);
  const [typed, setTyped] = useState<number | null>(null);
  return [typed === filled, (typing) => setTyped(typing ? filled : null)];
}

/** Puts a completed text in, the cursor behind the word. */
function useCompleting(
  draftKey: string,
  input: RefObject<HTMLTextAreaElement | null>,
  onDone: () => void,
): (text: string, cursor: number) => void {
  const cursor = useRef<number | null>(null);
  const text = useDrafts((drafts) => drafts.texts[draftKey]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the text is there
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    input.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  }, [text]);
  return (completed, at) => {
    cursor.current = at;
    draftSet(draftKey, completed);
    onDone();
  };
}

function FileChips({ files }: { files: readonly string[] }) {
  const more = files.length - CHIPS;
  return (
    <ul className={styles.chips} aria-label="Chosen files">
      {files.slice(0, CHIPS).map((file, index) => (
        <li key={file} className={styles.chip}>
          <span data-tip={file}>{index === 0 ? onlyFile(displayName(file)) : displayName(file)}</span>
          <IconButton
            className={styles.remove}
            size="small"
            name={`Do not use ${displayName(file)}`}
            tip=""
            icon={<X size={13} strokeWidth={2} />}
            onClick={() => contextFileRemove(file)}
          />
        </li>
      ))}
      {more > 0 && <li className={styles.more}>+{more}</li>}
    </ul>
  );
}

const GROWS_BY_ITSELF = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content');

/** The textarea is as high as its text, up to the limit of SPEC 9; measured only where the browser cannot do it itself. */
function useGrowing(input: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another height
  useLayoutEffect(() => {
    const area = input.current;
    if (!area || GROWS_BY_ITSELF) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, INPUT_MAX_HEIGHT)}px`;
    area.style.overflowY = area.scrollHeight > INPUT_MAX_HEIGHT ? 'auto' : 'hidden';
  }, [input, text]);
}

/** A question that was put in from elsewhere can be sent with Enter at once. */
function useFocusWhenFilled(input: RefObject<HTMLTextAreaElement | null>) {
  const filled = useDrafts((drafts) => drafts.filled);
  const before = useRef(filled);
  useEffect(() => {
    if (filled === before.current) return;
    before.current = filled;
    const area = input.current;
    const { start, end } = useDrafts.getState().marked ?? { start: undefined, end: undefined };
    area?.focus();
    area?.setSelectionRange(start ?? area.value.length, end ?? area.value.length);
  }, [filled, input]);
}

/** The toast stands 16 px above the composer (10 of them its own) and in its middle, however high and wherever that is. */
function useToastRoom(): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = frame.current;
    if (!node) return;
    const page = document.documentElement;
    const observer = new ResizeObserver(() => {
      page.style.setProperty('--toast-bottom', `${node.offsetHeight + 6}px`);
      page.style.setProperty('--toast-left', `${node.getBoundingClientRect().left}px`);
    });
    observer.observe(node);
    return () => {
      observer.disconnect();
      page.style.removeProperty('--toast-bottom');
      page.style.removeProperty('--toast-left');
    };
  }, []);
  return frame;
}
