import { Button } from 'design/components/button';
import { CircleAlert, CircleStop, RotateCcw } from 'lucide-react';
import styles from './message-parts.module.css';

interface Props {
  tone: 'bad' | 'calm';
  sentence: string;
  detail?: string | null;
  action: string;
  onAction(): void;
  disabled?: boolean;
}

/** What stands in the answer's place when there is none: why, and the next step. */
export function RunEnd({ tone, sentence, detail, action, onAction, disabled }: Props) {
  const Icon = tone === 'bad' ? CircleAlert : CircleStop;
  return (
    <div className={styles.strip} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <p className={styles.stripText}>
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        <span>
          {sentence}
          {detail && <span className={styles.detail}>{detail}</span>}
        </span>
      </p>
      <Button small disabled={disabled} icon={<RotateCcw size={15} strokeWidth={1.75} />} onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}
