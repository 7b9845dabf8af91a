import type { ReadAs, ReadChip } from 'api/types';
import { Popover } from 'design/components/popover';
import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useId, useRef } from 'react';
import { useFocusOnArrival } from 'stores/arrival';
import type { Readings } from './api';
import { Looking } from './looking';
import styles from './read-as.module.css';

const Others = lazy(() => import(/* webpackChunkName: "readings" */ './other-readings'));

/** What the parts are, for screen readers: a chip alone does not say it. */
const PARTS: Readonly<Record<ReadChip['part'], string>> = {
  figure: 'Figure',
  group: 'Grouping',
  order: 'Order',
  filter: 'Filter',
  period: 'Period',
  files: 'Files',
  definition: 'Definition',
};

interface Props {
  head: string;
  readAs: ReadAs;
  messageId: string;
  /** Finds and takes other readings; left out where there is nowhere to answer anew. */
  readings?: Readings | undefined;
}

/** How the question was read, part by part; a part that could mean something else opens. */
export function ReadAsLine({ head, readAs, messageId, readings }: Props) {
  const id = useId();
  const line = useRef<HTMLDivElement>(null);
  useFocusOnArrival(line, messageId, 'readings');
  if (readAs.chips.length === 0) return null;
  return (
    <div ref={line} className={styles.line} role="group" tabIndex={-1} aria-labelledby={id}>
      <span id={id} className={styles.head}>
        {head}
      </span>
      <ul aria-labelledby={id}>
        {readAs.chips.map((chip) => (
          <li key={chip.key}>
            {chip.opens && readings ? (
              <OpenChip chip={chip} readings={readings} />
            ) : (
              <span className={styles.chip} data-guessed={chip.guessed || undefined} title={chip.label}>
                <Words chip={chip} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function OpenChip({ chip, readings }: { chip: ReadChip; readings: Readings }) {
  return (
    <Popover
      below
      label={`Other readings of: ${chip.label}`}
      button={({ props }) => (
        <button
          type="button"
          className={styles.chip}
          data-guessed={chip.guessed || undefined}
          title={chip.label}
          {...props}
        >
          <Words chip={chip} />
          <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      )}
    >
      <Suspense fallback={<Looking />}>
        <Others part={chip.key} readings={readings} />
      </Suspense>
    </Popover>
  );
}

function Words({ chip }: { chip: ReadChip }) {
  return (
    <>
      <span className="visually-hidden">
        {PARTS[chip.part]}
        {chip.guessed ? ', not certain' : ''}:{' '}
      </span>
      <span className={styles.words}>{chip.label}</span>
    </>
  );
}
