import { refusal } from 'api/errors';
import type { ProfileTable } from 'api/types';
import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { FailedLoad } from 'design/components/failed-load';
import { IconButton } from 'design/components/icon-button';
import { Skeleton } from 'design/components/skeleton';
import { age, timeOf } from 'lib/format';
import { SquarePen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './dictionary.module.css';
import {
  type DictionaryColumn,
  type DictionaryTable,
  takenBefore,
  useDictionary,
  useUndo,
} from './dictionary-api';
import { ADDS, KINDS } from './dictionary-draft';
import { ColumnForm, RowForm } from './dictionary-form';
import { PrivateButton, PrivateNote } from './private-column';

/** What a table's rows and columns mean, as it was found out and as admins say it. Every question is read with it. */
export function DictionaryView({ fileName, table }: { fileName: string; table: ProfileTable }) {
  const dictionary = useDictionary(fileName);
  if (dictionary.isPending) return <Skeleton rows={6} height={64} even text="Loading what it means..." />;
  if (dictionary.isError) {
    return (
      <FailedLoad
        sentence={refusal(dictionary.error) ?? 'What this file means could not be loaded.'}
        onRetry={() => void dictionary.refetch()}
      />
    );
  }
  const told = dictionary.data?.tables.find(({ name }) => name === table.name);
  if (!told) return <p className={styles.note}>Nothing is known of this table yet.</p>;
  return (
    <Entries fileName={fileName} table={told} profile={table} mayEdit={Boolean(dictionary.data?.may_edit)} />
  );
}

interface EntriesProps {
  fileName: string;
  table: DictionaryTable;
  profile: ProfileTable;
  mayEdit: boolean;
}

function Entries({ fileName, table, profile, mayEdit }: EntriesProps) {
  /** The entry that is edited: a column's name, or empty for the rows themselves. */
  const [edited, setEdited] = useState<string | null>(null);
  const done = () => setEdited(null);
  const entry = { fileName, table: table.name, mayEdit };
  return (
    <>
      <div className={styles.entry}>
        <div className={styles.words}>
          <p className={styles.row}>
            One row is one <b>{table.row}</b>.
          </p>
          <p className={styles.note}>{rowFacts(table)}</p>
          <TaughtLine {...entry} column="" taught={table.taught} />
        </div>
        {mayEdit && (
          <EditButton
            name="Edit what one row is"
            open={edited === ''}
            onToggle={(on) => setEdited(on ? '' : null)}
          />
        )}
        {edited === '' && <RowForm fileName={fileName} table={table} onDone={done} />}
      </div>
      {!mayEdit && <p className={styles.note}>Admins of your organization can change what is said here.</p>}
      <ul className={styles.columns} aria-label="What the columns mean">
        {table.columns.map((column) => (
          <li key={column.name} className={styles.entry}>
            <div className={styles.words}>
              <p className={styles.label}>
                <b>{column.label}</b>
                {column.label.toLowerCase() !== column.name.toLowerCase() && (
                  <>
                    {' '}
                    <code>{column.name}</code>
                  </>
                )}
              </p>
              <p className={styles.note}>
                <Facts text={columnFacts(column)} />
              </p>
              <Said column={column} />
              <PrivateNote fileName={fileName} table={table.name} column={column.name} />
              <TaughtLine {...entry} column={column.name} taught={column.taught} />
            </div>
            {mayEdit && (
              <div className={styles.ways}>
                <PrivateButton fileName={fileName} table={table.name} column={column.name} />
                <EditButton
                  name={`Edit what ${column.name} means`}
                  open={edited === column.name}
                  onToggle={(on) => setEdited(on ? column.name : null)}
                />
              </div>
            )}
            {edited === column.name && (
              <ColumnForm
                fileName={fileName}
                table={table.name}
                column={column}
                stored={storedValues(column, profile)}
                onDone={done}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function EditButton({
  name,
  open,
  onToggle,
}: {
  name: string;
  open: boolean;
  onToggle(open: boolean): void;
}) {
  return (
    <IconButton
      name={name}
      tip="Edit"
      aria-expanded={open}
      icon={<SquarePen size={18} strokeWidth={1.75} />}
      onClick={() => onToggle(!open)}
    />
  );
}

/** "told apart by ORD_ID · dated by ORD_DT" */
function rowFacts(table: DictionaryTable): ReactNode {
  const { key_column, name_column, date_column } = table;
  const others = takenBefore(table);
  const facts = [
    key_column && `told apart by ${key_column}`,
    name_column && `called by ${name_column}`,
    date_column && `dated by ${date_column}`,
    others.length > 0 && `taken before ${others.join(', ')}`,
  ].filter(Boolean);
  return facts.length > 0 && <Facts text={facts.join(BETWEEN)} />;
}

function columnFacts({ concept_label, kind, adds, unit, label }: DictionaryColumn): string {
  const meaning = concept_label !== null && concept_label !== label ? concept_label : null;
  return [meaning, KINDS[kind], adds && ADDS[adds], unit].filter(Boolean).join(BETWEEN);
}

/** What codes mean, and other words for the column and its values. */
function Said({ column }: { column: DictionaryColumn }) {
  const meanings = Object.entries(column.values).map(([value, meaning]) => `${value}: ${meaning}`);
  const words = Object.entries(column.value_synonyms).map(([value, all]) => `${value}: ${all.join(', ')}`);
  return (
    <>
      {meanings.length > 0 && <p className={styles.said}>{meanings.join(' · ')}</p>}
      {column.synonyms.length > 0 && <p className={styles.said}>Also called {column.synonyms.join(', ')}</p>}
      {words.length > 0 && <p className={styles.said}>Values are also called {words.join(' · ')}</p>}
    </>
  );
}

const MOST_CODES = 20;

/** A flag's or a code's values are few; a column of more holds names. */
function storedValues(column: DictionaryColumn, profile: ProfileTable): string[] {
  const held = profile.columns.find(({ name }) => name === column.name);
  if (!held || column.kind === 'measure' || column.kind === 'time') return [];
  if (held.distinct === null || held.distinct > MOST_CODES) return [];
  return held.values.map(({ value }) => String(value));
}

interface TaughtProps {
  fileName: string;
  table: string;
  column: string;
  mayEdit: boolean;
  taught: DictionaryColumn['taught'];
}

/** Who said it and when, with a way back. */
function TaughtLine({ fileName, table, column, mayEdit, taught }: TaughtProps) {
  const undo = useUndo(fileName);
  if (!taught) return null;
  const at = timeOf(taught.at);
  const who = taught.by ? ` by ${taught.by}` : '';
  return (
    <p className={styles.taught}>
      Changed{who}
      {at !== null && `, ${age(at, Date.now())}`}
      {mayEdit && (
        <Button
          small
          variant="ghost"
          busy={undo.isPending}
          aria-label={`Undo the last change of ${column || table}`}
          onClick={() => undo.mutate({ table, column })}
        >
          Undo
        </Button>
      )}
    </p>
  );
}
