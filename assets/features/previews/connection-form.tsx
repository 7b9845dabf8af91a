import { useState } from 'react';
import { Choice, Form } from './dictionary-form';
import { type Joins, type OtherTable, useJoinSay } from './joins-api';

interface Props {
  fileName: string;
  table: Joins['tables'][number];
  others: readonly OtherTable[];
  onDone(): void;
}

const named = (name: string): [string, string] => [name, name];

/** A connection that nobody found: one of the table's columns, and that of another file which holds the same. */
export function ConnectionForm({ fileName, table, others, onDone }: Props) {
  const [column, setColumn] = useState(table.columns[0]?.name ?? '');
  const [place, setPlace] = useState(others[0]?.table ?? '');
  const other = others.find((one) => one.table === place);
  const [theirs, setTheirs] = useState(other?.columns[0]?.name ?? '');
  const say = useJoinSay(fileName, onDone);
  return (
    <Form
      label="A connection by hand"
      save="Connect"
      saving={say.isPending}
      error={say.error}
      onSave={() =>
        say.mutate({
          table: table.table,
          columns: [column],
          other_table: place,
          other_columns: [theirs],
          verdict: 'drawn',
        })
      }
      onCancel={onDone}
    >
      <Choice
        label="Column of this file"
        value={column}
        choices={table.columns.map(({ name }) => named(name))}
        onChange={setColumn}
      />
      <Choice
        label="Other file"
        value={place}
        choices={others.map((one) => [one.table, one.display_name])}
        onChange={(chosen) => {
          setPlace(chosen);
          setTheirs(others.find((one) => one.table === chosen)?.columns[0]?.name ?? '');
        }}
      />
      <Choice
        label="Its column with the same things"
        value={theirs}
        choices={(other?.columns ?? []).map(({ name }) => named(name))}
        onChange={setTheirs}
      />
    </Form>
  );
}
