import { lazy, Suspense, useState } from 'react';
import styles from './evidence-line.module.css';

const ToldPopup = lazy(() => import(/* webpackChunkName: "told" */ './told-popup'));

interface Props {
  /** Names of the models that were told something. */
  models: readonly string[];
  /** Where none of them answered and the built-in analyst stood in: why, or '' where nobody wrote it down. */
  instead?: string | undefined;
  threadId: string;
  messageId: string;
}

/** Which models were told something for the answer, and the way to what it was; why none of them gave it. */
export function ToldLine({ models, instead, threadId, messageId }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <p className={styles.line}>
      {instead !== undefined && `${instead} The built-in analyst answered instead. `.trimStart()}
      {models.length > 0 && (
        <>
          Sent to {models.join(', ')}.{' '}
          <button type="button" className={styles.link} aria-haspopup="dialog" onClick={() => setOpen(true)}>
            What a model sees
          </button>
        </>
      )}
      {open && (
        <Suspense>
          <ToldPopup threadId={threadId} messageId={messageId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </p>
  );
}
