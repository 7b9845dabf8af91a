import type { Source, SourceGroup } from 'api/types';
import { countOf } from 'lib/format';
import { Check } from 'lucide-react';
import styles from './file-choice.module.css';

interface Props {
  sources: readonly Source[];
  chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
}

const GROUPS: readonly [SourceGroup, string][] = [
  ['uploaded', 'Uploaded'],
  ['spreadsheet', 'Google Sheets'],
  ['crm', 'HubSpot'],
];

/** Rows that are switched on and off, by kind of source; the CRM's come at one time, so by name. A second click takes a file out again. */
export function FileChoice({ sources, chosen, onChange }: Props) {
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return GROUPS.map(([group, title]) => {
    const rows = sources
      .filter((source) => source.group === group && source.state === 'ready')
      .toSorted((a, b) => (group === 'crm' ? a.display_name.localeCompare(b.display_name) : 0));
    if (rows.length === 0) return null;
    return (
      <section key={group} className={styles.group} aria-label={title}>
        <h3 className={styles.title}>{title}</h3>
        <ul className={styles.rows}>
          {rows.map((source) => (
            <li key={source.file_name}>
              <button
                type="button"
                className={styles.row}
                aria-pressed={chosen.includes(source.file_name)}
                onClick={() => toggle(source.file_name)}
              >
                <span className={styles.name}>{source.display_name}</span>
                {source.rows !== null && <span className={styles.meta}>{countOf(source.rows, 'row')}</span>}
                <span className={styles.check}>
                  {chosen.includes(source.file_name) && (
                    <Check size={14} strokeWidth={2.5} aria-hidden="true" />
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}
