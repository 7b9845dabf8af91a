import styles from './answer-picture.module.css';

const PARTS: readonly (readonly [string, string])[] = [
  [
    'The figure',
    'The answer in one number, with its unit, and how it changed where you asked for a comparison.',
  ],
  ['The text', 'What was found, in words. Every figure in it comes from the calculation.'],
  [
    'Read as',
    'How your question was read, part by part. Open a part to see what else it could mean, with the figure it would give.',
  ],
  [
    'Chart and table',
    'The same figures to look at and to take away. Sort the table, change the chart’s type and colors, download both.',
  ],
  [
    'Evidence',
    'Where the figures come from, how many rows they rest on and how fresh they are. Open it to see every step.',
  ],
  ['Follow-ups', 'Questions that may come next. A click puts one into the message input.'],
];

const BARS = [38, 52, 47, 64, 58, 80];

/** A drawing of an answer with numbers on its parts, and what each part tells. */
export function AnswerPicture() {
  return (
    <div className={styles.picture}>
      <div className={styles.answer} aria-hidden="true">
        <div className={styles.part} data-number="1">
          <p className={styles.figure}>
            $412,300 <span>+12.4% vs Q2</span>
          </p>
        </div>
        <p className={styles.part} data-number="2">
          You won <b>31 deals</b> worth <b>$412,300</b> in Q3.
        </p>
        <p className={`${styles.part} ${styles.chips}`} data-number="3">
          <span className={styles.chip}>Total amount</span>
          <span className={styles.chip}>Q3 2026, by close date</span>
        </p>
        <div className={`${styles.part} ${styles.chart}`} data-number="4">
          <svg viewBox="0 0 240 72" preserveAspectRatio="none" aria-hidden="true">
            {BARS.map((height, at) => (
              <rect
                key={height}
                x={at * 40 + 8}
                y={70 - height * 0.8}
                width="24"
                height={height * 0.8}
                rx="2"
              />
            ))}
            <line x1="0" x2="240" y1="70.5" y2="70.5" />
          </svg>
        </div>
        <p className={`${styles.part} ${styles.evidence}`} data-number="5">
          Sources: deals, owners. 1,284 rows. Refreshed 2&nbsp;h ago. <u>How this was computed</u>
        </p>
        <p className={styles.part} data-number="6">
          <span className={styles.pill}>And by owner?</span>
        </p>
      </div>
      <ol className={styles.legend}>
        {PARTS.map(([name, text]) => (
          <li key={name}>
            <b>{name}.</b> {text}
          </li>
        ))}
      </ol>
    </div>
  );
}
