import type { Held } from 'api/types';
import { Popover } from 'design/components/popover';
import { Check, ChevronDown, Info } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Readings } from './api';
import styles from './held-note.module.css';
import { Looking } from './looking';

const Others = lazy(() => import(/* webpackChunkName: "readings" */ './other-readings'));

/** What the server calls this reading, beside the parts of the answer's own. */
const PART = 'held';

interface Props {
  held: Held;
  /** Takes other readings; left out where there is nowhere to answer anew. */
  readings?: Readings | undefined;
}

/** What the built-in analyst's own reading of a question came to that a model answered; another one can be chosen. */
export function HeldNote({ held, readings }: Props) {
  const same = held.state === 'same';
  const Icon = same ? Check : Info;
  return (
    <div className={styles.note} data-state={held.state}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      <p>
        {same
          ? 'The built-in analyst reads it the same.'
          : `The built-in analyst comes to another result. It reads: ${held.text || 'another figure.'}`}
      </p>
      {held.opens && readings && <TheOther readings={readings} />}
    </div>
  );
}

function TheOther({ readings }: { readings: Readings }) {
  return (
    <Popover
      below
      label="The other result"
      button={({ props }) => (
        <button type="button" className={styles.other} {...props}>
          The other result
          <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      )}
    >
      <Suspense fallback={<Looking />}>
        <Others part={PART} readings={readings} />
      </Suspense>
    </Popover>
  );
}
