import { Button } from 'design/components/button';
import { useEffect, useRef } from 'react';
import styles from './members.module.css';

interface Props {
  /** What would be done, and what comes of it. */
  text: string;
  /** The button that does it, and the one that leaves all as it is. */
  act: string;
  keep: string;
  danger?: boolean;
  busy: boolean;
  onAct(): void;
  onKeep(): void;
}

/** Asked in the row itself before something changes for somebody; the focus goes to the harmless answer. */
export function Question({ text, act, keep, danger, busy, onAct, onKeep }: Props) {
  const harmless = useRef<HTMLButtonElement>(null);
  useEffect(() => harmless.current?.focus(), []);
  return (
    <div className={styles.question}>
      <p>{text}</p>
      <div className={styles.choices}>
        <Button small variant={danger ? 'danger' : 'secondary'} busy={busy} onClick={onAct}>
          {act}
        </Button>
        <Button small ref={harmless} onClick={onKeep}>
          {keep}
        </Button>
      </div>
    </div>
  );
}
