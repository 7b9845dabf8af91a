import type { Span } from 'api/types';
import styles from './marked-question.module.css';

interface Props {
  text: string;
  unread: readonly Span[];
}

/** The person's own words, those underlined that found no place in how the question was read. */
export function MarkedQuestion({ text, unread }: Props) {
  return partsOf(text, unread).map(({ from, words, marked }) =>
    marked ? (
      <mark key={from} className={styles.unread} data-tip="Not used in the answer">
        {words}
        <span className="visually-hidden"> (not used)</span>
      </mark>
    ) : (
      words
    ),
  );
}

interface Part {
  from: number;
  words: string;
  marked: boolean;
}

/** The text cut at the spans; spans that lie outside or across each other are passed over. */
function partsOf(text: string, unread: readonly Span[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of [...unread].sort((one, other) => one.start - other.start)) {
    if (start < at || end <= start || end > text.length) continue;
    if (start > at) parts.push({ from: at, words: text.slice(at, start), marked: false });
    parts.push({ from: start, words: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) parts.push({ from: at, words: text.slice(at), marked: false });
  return parts;
}
