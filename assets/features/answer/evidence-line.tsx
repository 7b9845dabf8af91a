import type { Evidence } from 'api/types';
import { type ComponentType, useEffect, useId, useRef, useState } from 'react';
import styles from './evidence-line.module.css';
import { evidenceText } from './evidence-text';

interface Props {
  evidence: Evidence;
  /** What was taken for granted beside what the parts of the reading say. */
  assumptions: readonly string[];
}

type Details = ComponentType<Props>;

/** What the answer stands on, and in place how it was computed. */
export function EvidenceLine({ evidence, assumptions }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [now] = useState(() => Date.now());
  const Details = useDetails(open);
  const whole = useIntoView(open && Details !== null);
  const text = evidenceText(evidence, now);
  if (text === '' && !hasDetails(evidence)) return null;
  return (
    <div ref={whole}>
      <p className={styles.line}>
        {text}{' '}
        {hasDetails(evidence) && (
          <button
            type="button"
            className={styles.link}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            How this was computed
          </button>
        )}
      </p>
      {open && <div id={id}>{Details && <Details evidence={evidence} assumptions={assumptions} />}</div>}
    </div>
  );
}

function hasDetails({ plan_sentence: plan, filters, definitions, joins, query, notes }: Evidence): boolean {
  return plan !== '' || query !== '' || [filters, definitions, joins, notes].some((list) => list.length > 0);
}

/** What has just been opened comes into view: whole where there is room for it, from its line on where there is none. */
function useIntoView(open: boolean) {
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) whole.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return whole;
}

/** The details come in a part of their own, because the font of the query comes with them. */
function useDetails(wanted: boolean): Details | null {
  const [Part, setPart] = useState<Details | null>(null);
  useEffect(() => {
    if (!wanted || Part !== null) return;
    let mounted = true;
    import(/* webpackChunkName: "evidence" */ './evidence-details').then(
      (part) => mounted && setPart(() => part.EvidenceDetails),
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [wanted, Part]);
  return Part;
}
