import type { Message } from 'api/types';
import { IconButton } from 'design/components/icon-button';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { arrivalAwait, useFocusOnArrival } from 'stores/arrival';
import styles from './version-switch.module.css';
import { versionsOf } from './versions';

interface Props {
  answer: Message;
  question: Message;
  onVersion(answer: Message): void;
}

/** "2 of 2" where a question was answered anew: the former answers stay, a click away. */
export function VersionSwitch({ answer, question, onVersion }: Props) {
  const versions = versionsOf(question);
  const at = versions.findIndex(({ message_id: id }) => id === answer.message_id);
  const frame = useRef<HTMLDivElement>(null);
  useFocusOnArrival(frame, answer.message_id, 'versions');
  if (versions.length < 2 || at < 0) return null;
  const go = (to: Message | undefined) => {
    if (!to) return;
    arrivalAwait(to.message_id, 'versions');
    onVersion(to);
  };
  return (
    <div
      ref={frame}
      className={styles.versions}
      role="group"
      tabIndex={-1}
      aria-label={`Answer ${at + 1} of ${versions.length}`}
    >
      <IconButton
        name="Earlier answer"
        size="small"
        icon={<ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" />}
        aria-disabled={at === 0 || undefined}
        onClick={() => go(versions[at - 1])}
      />
      <span aria-hidden="true">
        {at + 1} of {versions.length}
      </span>
      <IconButton
        name="Later answer"
        size="small"
        icon={<ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />}
        aria-disabled={at === versions.length - 1 || undefined}
        onClick={() => go(versions[at + 1])}
      />
    </div>
  );
}
