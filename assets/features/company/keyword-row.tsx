import { TextArea } from 'design/components/field';
import { IconButton } from 'design/components/icon-button';
import { ChevronDown, Trash2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { Keyword } from 'stores/company';
import styles from './company.module.css';
import { NO_DEFINITION } from './copy';
import { MAX_DEFINITION } from './keyword-form';

export const COLLAPSE_MS = 400; // SPEC 4, 9

interface Props {
  keyword: Keyword;
  readOnly: boolean;
  open: boolean;
  onToggle(): void;
  onChange(keyword: Keyword): void;
  onDelete(): void;
}

/** One keyword: its term, and below it, when opened, its definition to edit. */
export function KeywordRow({ keyword, readOnly, open, onToggle, onChange, onDelete }: Props) {
  const id = useId();
  const there = useLingering(open, COLLAPSE_MS);
  const { term, definition } = keyword;
  const empty = definition.trim() === '';
  return (
    <li className={styles.keyword} data-open={open || undefined}>
      <div className={styles.keywordHead}>
        <button
          type="button"
          className={styles.keywordOpen}
          aria-expanded={open}
          aria-controls={there ? id : undefined}
          aria-label={open ? `Collapse ${term}` : `Expand ${term}`}
          onClick={onToggle}
        >
          <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className={styles.term}>{term}</span>
          {!open && <span className={styles.definition}>{definition}</span>}
        </button>
        {!readOnly && (
          <IconButton
            name={`Delete ${term}`}
            tip="Delete"
            icon={<Trash2 size={18} strokeWidth={1.75} />}
            onClick={onDelete}
          />
        )}
      </div>
      {there && (
        <div id={id} className={styles.keywordBody} data-leaving={!open || undefined}>
          <TextArea
            label={`Definition of ${term}`}
            bare
            rows={3}
            value={definition}
            readOnly={readOnly}
            maxLength={MAX_DEFINITION}
            error={empty ? `${NO_DEFINITION} Write one, or delete the keyword.` : null}
            onChange={(event) => onChange({ ...keyword, definition: event.target.value })}
          />
        </div>
      )}
    </li>
  );
}

/** True while shown, and for `ms` longer, so that what closes can be seen to close. */
function useLingering(shown: boolean, ms: number): boolean {
  const [there, setThere] = useState(shown);
  useEffect(() => {
    if (shown) {
      setThere(true);
      return;
    }
    const timer = setTimeout(() => setThere(false), ms);
    return () => clearTimeout(timer);
  }, [shown, ms]);
  return shown || there;
}
