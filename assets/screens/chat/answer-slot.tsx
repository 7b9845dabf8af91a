import type { Message, MessageFile } from 'api/types';
import { isChartFile } from 'lib/chart-files';
import { unmarked } from 'lib/unmarked';
import {
  Component,
  type CSSProperties,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './answer-slot.module.css';

const loadAnswer = () => import(/* webpackChunkName: "answer" */ './answer');
const Answer = lazy(loadAnswer);
const Trace = lazy(async () => ({ default: (await loadAnswer()).Trace }));

/** Fetches what answers are drawn with; the large parts, charts and Markdown, are fetched but not run yet. */
export const fetchAnswerParts = loadAnswer;

/** Makes charts and Markdown ready: running them takes a phone half a second, which a waiting person does not feel. */
export function readyAnswerParts(): void {
  loadAnswer().then(
    (part) => part.prefetchAnswer(),
    () => undefined,
  );
}

interface Props {
  message: Message;
  threadId?: string | null;
  /** Without charts, files and ways to go on: beside another answer to the same question. */
  brief?: boolean;
  onAsk(question: string): void;
  onPreview(file: MessageFile): void;
}

/** The inside of an answer. Its text stands at once; the rest is drawn when that part of the program is there. */
export function AnswerSlot(props: Props) {
  const { message } = props;
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place);
  const plain = <Plain text={message.answer?.text ?? message.content} />;
  const waiting = (
    <div ref={place} className={styles.waiting} style={roomOf(message)}>
      {plain}
    </div>
  );
  if (!near) return waiting;
  return (
    <PlainOnFailure plain={plain}>
      <Suspense fallback={waiting}>
        <Answer {...props} />
      </Suspense>
    </PlainOnFailure>
  );
}

/** About as high as what is still to be drawn, so that what stands below does not move far when it comes. */
function roomOf({ answer, output_files: files }: Message): CSSProperties {
  const rows = answer?.table?.rows.length ?? 0;
  const charts = files.filter(isChartFile).length;
  const chips = answer?.read_as?.chips.length ?? 0;
  const table = rows > 1 && charts !== 1 ? TABLE_PX + ROW_PX * Math.min(rows, FIRST_ROWS) : 0; // one chart holds it
  return {
    '--room': `${CARD_PX * charts + table}px`,
    '--lines': Math.ceil(chips / CHIPS_A_LINE),
    '--lines-phone': Math.ceil(chips / CHIPS_A_LINE_PHONE),
  } as CSSProperties;
}

const CARD_PX = 445; // a chart with its tabs and title
const TABLE_PX = 40;
const ROW_PX = 35;
const FIRST_ROWS = 10;
const CHIPS_A_LINE = 4;
const CHIPS_A_LINE_PHONE = 2;

/** Markdown that is not an answer: how a method went. */
export function TraceSlot({ text }: { text: string }) {
  const plain = <Plain text={text} />;
  return (
    <PlainOnFailure plain={plain}>
      <Suspense fallback={plain}>
        <Trace text={text} />
      </Suspense>
    </PlainOnFailure>
  );
}

/** The words of a Markdown text, until or instead of its drawing. */
function Plain({ text }: { text: string }) {
  return <p className={styles.plain}>{unmarked(text)}</p>;
}

const NEAR = '1200px 0px';

/** True from the first time that the place is near what is seen: charts and tables of a long thread wait for the reader. */
function useNear(place: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  // The newest answer is what one waits for: nothing below it may move because it is drawn a moment later.
  useLayoutEffect(() => {
    if (place.current?.closest('[data-live]')) setNear(true);
  }, [place]);
  useEffect(() => {
    const node = place.current;
    if (near || !node) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      root: node.closest('[role="region"]'),
      rootMargin: NEAR,
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, [near, place]);
  return near;
}

/**
 * One answer that cannot be drawn does not take the thread with it: its text stands instead. What is missing is a part of
 * the program that could not be fetched, so a fresh page brings it.
 */
class PlainOnFailure extends Component<{ plain: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <>
        {this.props.plain}
        <p className={styles.failed}>
          What belongs to this text could not be loaded.{' '}
          <button type="button" onClick={() => window.location.reload()}>
            Load the page again
          </button>
        </p>
      </>
    );
  }
}
