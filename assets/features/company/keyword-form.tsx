import { Button } from 'design/components/button';
import { TextArea, TextField } from 'design/components/field';
import { Plus } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import styles from './company.module.css';
import { knownTerm } from './copy';

const MAX_TERM = 100;
export const MAX_DEFINITION = 2_000;

/** `onAdd` says whether the keyword was new. */
export function KeywordForm({ onAdd }: { onAdd(term: string, definition: string): boolean }) {
  const [term, setTerm] = useState('');
  const [definition, setDefinition] = useState('');
  const [known, setKnown] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  const ready = term.trim() !== '' && definition.trim() !== '';

  function add(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    if (!onAdd(term, definition)) {
      setKnown(term.trim());
      return;
    }
    setTerm('');
    setDefinition('');
    first.current?.focus();
  }

  return (
    <form className={styles.form} onSubmit={add}>
      <TextField
        label="Keyword"
        value={term}
        maxLength={MAX_TERM}
        autoComplete="off"
        error={known === null ? null : knownTerm(known)}
        ref={first}
        onChange={(event) => {
          setTerm(event.target.value);
          setKnown(null);
        }}
      />
      <TextArea
        label="Definition"
        rows={2}
        value={definition}
        maxLength={MAX_DEFINITION}
        onChange={(event) => setDefinition(event.target.value)}
      />
      <Button type="submit" disabled={!ready} icon={<Plus size={18} strokeWidth={1.75} />}>
        Add
      </Button>
    </form>
  );
}
