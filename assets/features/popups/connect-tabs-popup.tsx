import { Button } from 'design/components/button';
import { Popup } from 'design/components/popup';
import { Check } from 'lucide-react';
import { useState } from 'react';
import styles from './file-choice.module.css';

interface Props {
  title: string;
  tabs: readonly string[];
  onConnect(tabs: readonly string[]): void;
  onClose(): void;
}

export const WHICH_TABS = 'Which tabs would you like to connect?';

/** The tabs of a picked spreadsheet, to be switched on and off. Nothing happens until Connect. */
export default function ConnectTabsPopup({ title, tabs, onConnect, onClose }: Props) {
  const [chosen, setChosen] = useState<readonly string[]>(() => (tabs.length === 1 ? tabs : []));
  const toggle = (tab: string) =>
    setChosen((now) => (now.includes(tab) ? now.filter((one) => one !== tab) : [...now, tab]));
  return (
    <Popup
      title={WHICH_TABS}
      help={tabs.length > 0 ? title : `${title} has no tab with rows.`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={chosen.length === 0} onClick={() => onConnect(chosen)}>
            {chosen.length > 0 ? `Connect (${chosen.length})` : 'Connect'}
          </Button>
        </>
      }
    >
      <ul className={styles.rows}>
        {tabs.map((tab) => (
          <li key={tab}>
            <button
              type="button"
              className={styles.row}
              aria-pressed={chosen.includes(tab)}
              onClick={() => toggle(tab)}
            >
              <span className={styles.name}>{tab}</span>
              <span className={styles.check}>
                {chosen.includes(tab) && <Check size={14} strokeWidth={2.5} aria-hidden="true" />}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Popup>
  );
}
