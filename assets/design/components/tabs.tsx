import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import styles from './tabs.module.css';

interface Props<Id extends string> {
  label: string;
  /** `mark` stands behind the label. */
  tabs: readonly { id: Id; label: string; mark?: ReactNode }[];
  current: Id;
  onChange(id: Id): void;
  /** id of the element the tabs switch. */
  controls: string;
}

export function Tabs<Id extends string>({ label, tabs, current, onChange, controls }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.id === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const next = tabs[index];
    if (!next) return;
    onChange(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  }
  return (
    <div className={styles.tabs} role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${controls}-${tab.id}`}
          aria-selected={tab.id === current}
          aria-controls={controls}
          tabIndex={tab.id === current ? 0 : -1}
          className={styles.tab}
          onClick={() => onChange(tab.id)}
        >
          <span>{tab.label}</span>
          {tab.mark}
        </button>
      ))}
    </div>
  );
}
