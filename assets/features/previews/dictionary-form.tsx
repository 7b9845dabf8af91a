import { refusal } from 'api/errors';
import { Button } from 'design/components/button';
import { FieldError, TextField } from 'design/components/field';
import { Select } from 'design/components/select';
import { ToggleRow } from 'design/components/toggle';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './dictionary.module.css';
import { type DictionaryColumn, type DictionaryTable, takenBefore, useTeach } from './dictionary-api';
import { ADDS, type ColumnDraft, draftOf, KINDS, saidOf } from './dictionary-draft';

export const NOT_SAVED = 'This could not be saved. Please try again.';
const MOST_LETTERS = 100;

interface ColumnProps {
  fileName: string;
  table: string;
  column: DictionaryColumn;
  /** The stored values that may be given a meaning, most frequent first. */
  stored: readonly string[];
  onDone(): void;
}

/** What an admin says about a column. What is left as it was found follows the data when they change. */
export function ColumnForm({ fileName, table, column, stored, onDone }: ColumnProps) {
  const [draft, setDraft] = useState(() => draftOf(column));
  const teach = useTeach(fileName, onDone);
  const change = (part: Partial<ColumnDraft>) => setDraft({ ...draft, ...part });
  const values = [...new Set([...stored, ...Object.keys(draft.values), ...Object.keys(draft.valueSynonyms)])];
  const say = (said: Readonly<Record<string, unknown>>) => teach.mutate({ table, column: column.name, said });
  return (
    <Form
      label={`What ${column.name} means`}
      saving={teach.isPending}
      error={teach.error}
      resets={Object.keys(column.taught?.said ?? {}).length > 0}
      onSave={() => say(saidOf(draft, column.found))}
      onReset={() => say({})}
      onCancel={onDone}
    >
      <TextField
        label="Readable name"
        value={draft.label}
        maxLength={MOST_LETTERS}
        required
        onChange={(event) => change({ label: event.target.value })}
      />
      <TextField
        label="Also called"
        hint="Words with commas between them."
        value={draft.synonyms}
        onChange={(event) => change({ synonyms: event.target.value })}
      />
      <Choice
        label="Meaning"
        value={draft.concept}
        choices={concepts(column)}
        onChange={(concept) => change({ concept })}
      />
      <Choice
        label="What it is"
        value={draft.kind}
        choices={Object.entries(KINDS)}
        onChange={(kind) => change({ kind: kind as ColumnDraft['kind'] })}
      />
      {draft.kind === 'measure' && (
        <>
          <Choice
            label="How it adds up"
            value={draft.adds}
            choices={Object.entries(ADDS)}
            onChange={(adds) => change({ adds: adds as ColumnDraft['adds'] })}
          />
          <TextField
            label="Unit or currency"
            hint="USD, %, days ..."
            value={draft.unit}
            maxLength={MOST_LETTERS}
            onChange={(event) => change({ unit: event.target.value })}
          />
        </>
      )}
      {values.length > 0 && <Values values={values} draft={draft} onChange={change} />}
    </Form>
  );
}

/** The meanings that were thought of, each once; the one that holds is among them. */
function concepts({ may_mean, found }: DictionaryColumn): [string, string][] {
  const all = new Map<string, string>();
  for (const { concept, label } of [...may_mean, ...found.may_mean])
    if (![...all.values()].includes(label)) all.set(concept, label);
  return [...all, ['', 'None of these']];
}

interface ValuesProps {
  values: readonly string[];
  draft: ColumnDraft;
  onChange(part: Partial<ColumnDraft>): void;
}

/** What flags and codes stand for, and what else people call them. */
function Values({ values, draft, onChange }: ValuesProps) {
  return (
    <fieldset className={styles.values}>
      <legend>Flags and codes</legend>
      {values.map((value) => (
        <div key={value} className={styles.value}>
          <span>{value}</span>
          <TextField
            bare
            label={`${value} means`}
            placeholder="means"
            value={draft.values[value] ?? ''}
            maxLength={MOST_LETTERS}
            onChange={(event) => onChange({ values: { ...draft.values, [value]: event.target.value } })}
          />
          <TextField
            bare
            label={`${value} is also called`}
            placeholder="also called"
            value={draft.valueSynonyms[value] ?? ''}
            onChange={(event) =>
              onChange({ valueSynonyms: { ...draft.valueSynonyms, [value]: event.target.value } })
            }
          />
        </div>
      ))}
    </fieldset>
  );
}

/** What an admin calls the rows of a table. */
export function RowForm({
  fileName,
  table,
  onDone,
}: {
  fileName: string;
  table: DictionaryTable;
  onDone(): void;
}) {
  const [row, setRow] = useState(table.row);
  const [rows, setRows] = useState(table.taught?.said.rows ? table.rows : '');
  const [dated, setDated] = useState(table.date_column ?? '');
  const others = takenBefore(table);
  const [first, setFirst] = useState(true);
  const dates = table.columns.filter(({ kind }) => kind === 'time');
  const teach = useTeach(fileName, onDone);
  const say = (said: Readonly<Record<string, unknown>>) =>
    teach.mutate({ table: table.name, column: '', said });
  const one = row.trim();
  const many = rows.trim();
  const said = {
    ...((one !== table.found.row || many) && { row: one }),
    ...(many && { rows: many }),
    ...(dated && dated !== table.found.date_column && { date_column: dated }),
    ...(others.length > 0 && first && { before: others }),
  };
  return (
    <Form
      label={`What one row of ${table.name} is`}
      saving={teach.isPending}
      error={teach.error}
      resets={Object.keys(table.taught?.said ?? {}).length > 0}
      onSave={() => say(said)}
      onReset={() => say({})}
      onCancel={onDone}
    >
      <TextField
        label="One row is one"
        value={row}
        maxLength={MOST_LETTERS}
        required
        onChange={(event) => setRow(event.target.value)}
      />
      <TextField
        label="Several are"
        hint="Left empty, the usual plural is taken."
        value={rows}
        maxLength={MOST_LETTERS}
        onChange={(event) => setRows(event.target.value)}
      />
      {dates.length > 1 && (
        <Choice
          label="Periods go by"
          value={dated}
          choices={dates.map(({ name, label }) => [name, label])}
          onChange={setDated}
        />
      )}
      {others.length > 0 && (
        <ToggleRow
          label={`Taken before ${others.join(', ')}`}
          name={`Taken before ${others.join(', ')} where a question names no file`}
          checked={first}
          onChange={setFirst}
        />
      )}
    </Form>
  );
}

interface FormProps {
  label: string;
  saving: boolean;
  error: Error | null;
  /** What saving is called. */
  save?: string;
  /** Whether something was taught that can be given up. */
  resets?: boolean;
  onSave(): void;
  onReset?(): void;
  onCancel(): void;
  children: ReactNode;
}

/** A form in the place of what it changes: it takes the focus and gives it back. */
export function Form({
  label,
  save = 'Save',
  saving,
  error,
  resets,
  onSave,
  onReset,
  onCancel,
  children,
}: FormProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSave();
  }
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    form.current?.querySelector<HTMLElement>('input, select')?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <form className={styles.form} aria-label={label} ref={form} onSubmit={submit}>
      {children}
      {error && (
        <div className={styles.wide}>
          <FieldError>{refusal(error) ?? NOT_SAVED}</FieldError>
        </div>
      )}
      <div className={styles.buttons}>
        {resets && (
          <Button small variant="ghost" className={styles.reset} disabled={saving} onClick={onReset}>
            As it was found
          </Button>
        )}
        <Button small disabled={saving} onClick={onCancel}>
          Cancel
        </Button>
        <Button small variant="primary" type="submit" busy={saving}>
          {save}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly (readonly [string, string])[];
  onChange(value: string): void;
}

/** One of several, under its name. */
export function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </Select>
    </div>
  );
}
