import { lazy, Suspense, useState } from 'react';
import styles from './evidence-line.module.css';

const ToldPopup = lazy(() => import(/* webpackChunkName: "told" */ './told-popup'));

interface Props {
  /** Names of the models that were told something. */
  models: readonly string[];
  /** Where none of them answered: the built-in analyst stood in. */
  instead?: boolean;
  threadId: string;
  messageId: string;
}

/** Which models were told something for the answer, and the way to what it was. */
export function ToldLine({ models, instead = false, threadId, messageId }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <p className={styles.line}>
      Sent to {models.join(', ')}.{instead && ' The built-in analyst answered instead.'}{' '}
      <button type="button" className={styles.link} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        What a model sees
      </button>
      {open && (
        <Suspense>
          <ToldPopup threadId={threadId} messageId={messageId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </p>
  );
}
