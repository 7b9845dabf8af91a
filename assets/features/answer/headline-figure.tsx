import type { Headline } from 'api/types';
import { figureText } from 'lib/chart-format';
import styles from './headline-figure.module.css';

/** "North: total sales" is about the North; a colon within brackets tells a condition. */
const NAMED = /^([^():]+): (.+)$/;

/** The one figure an answer comes down to, with its change. */
export function HeadlineFigure({ headline }: { headline: Headline }) {
  const { value, text, label, unit, change, change_text: changeText } = headline;
  const [, subject = '', named = label] = NAMED.exec(label) ?? [];
  const exact = typeof value === 'number' ? figureText(value, unit) : text;
  return (
    <p className={styles.headline}>
      <span className={styles.label}>{named.charAt(0).toUpperCase() + named.slice(1)}</span>
      <span className={styles.figure} data-tip={exact === text ? undefined : exact}>
        {subject && <span className={styles.subject}>{subject}: </span>}
        {text}
        {exact !== text && <span className="visually-hidden"> (exactly {exact})</span>}
      </span>
      {changeText && (
        <span className={styles.change} data-tone={tone(change, headline.good_direction)}>
          {changeText}
        </span>
      )}
    </p>
  );
}

/** Green or rose only where up is known to be good or bad. */
function tone(change: number | null, good: string | null): 'good' | 'bad' | 'neutral' {
  if (!change || (good !== 'up' && good !== 'down')) return 'neutral';
  return change > 0 === (good === 'up') ? 'good' : 'bad';
}
