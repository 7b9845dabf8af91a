import { Button } from 'design/components/button';
import { TextArea, TextField } from 'design/components/field';
import { Plus } from 'lucide-react';
import { type FormEvent, useEffect, useRef } from 'react';
import type { KeywordDraft } from 'stores/company';
import styles from './company.module.css';
import type { DraftProblem } from './keyword-list';

const MAX_TERM = 100;
export const MAX_DEFINITION = 2_000;

interface Props {
  draft: KeywordDraft;
  /** Why the draft cannot be taken; its field gets the focus. */
  problem: DraftProblem | null;
  onEdit(draft: KeywordDraft): void;
  /** Says whether the keyword was taken. */
  onAdd(): boolean;
}

/** A new keyword. Its words belong to the panel, so that Submit takes them too. */
export function KeywordForm({ draft, problem, onEdit, onAdd }: Props) {
  const term = useRef<HTMLInputElement>(null);
  const definition = useRef<HTMLTextAreaElement>(null);
  const ready = draft.term.trim() !== '' && draft.definition.trim() !== '';
  useEffect(() => {
    if (problem) (problem.field === 'term' ? term : definition).current?.focus();
  }, [problem]);

  function add(event: FormEvent) {
    event.preventDefault();
    if (ready && onAdd()) term.current?.focus();
  }

  const errorOf = (field: keyof KeywordDraft) => (problem?.field === field ? problem.text : null);
  return (
    <form className={styles.form} onSubmit={add}>
      <TextField
        label="Keyword"
        value={draft.term}
        maxLength={MAX_TERM}
        autoComplete="off"
        error={errorOf('term')}
        ref={term}
        onChange={(event) => onEdit({ ...draft, term: event.target.value })}
      />
      <TextArea
        label="Definition"
        rows={2}
        value={draft.definition}
        maxLength={MAX_DEFINITION}
        error={errorOf('definition')}
        ref={definition}
        onChange={(event) => onEdit({ ...draft, definition: event.target.value })}
      />
      <Button type="submit" disabled={!ready} icon={<Plus size={18} strokeWidth={1.75} />}>
        Add
      </Button>
    </form>
  );
}
