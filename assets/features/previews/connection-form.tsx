import { Button } from 'design/components/button';
import { IconButton } from 'design/components/icon-button';
import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import styles from './connections.module.css';
import { Choice, Form } from './dictionary-form';
import { type JoinColumn, type Joins, MOST_PAIRS, type OtherTable, useJoinSay } from './joins-api';

interface Props {
  fileName: string;
  table: Joins['tables'][number];
  others: readonly OtherTable[];
  onDone(): void;
}

/** A column of each side that hold the same things. */
interface Pair {
  id: number;
  mine: string;
  theirs: string;
}

/** A connection that nobody found: columns of the table, and those of another file which hold the same. Where one column
 *  alone does not tell which rows belong together, several do. */
export function ConnectionForm({ fileName, table, others, onDone }: Props) {
  const [place, setPlace] = useState(others[0]?.table ?? '');
  const other = others.find((one) => one.table === place);
  const pairs = usePairs(table.columns, other?.columns ?? []);
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
          columns: pairs.all.map(({ mine }) => mine),
          other_table: place,
          other_columns: pairs.all.map(({ theirs }) => theirs),
          verdict: 'drawn',
        })
      }
      onCancel={onDone}
    >
      <div className={styles.other}>
        <Choice
          label="Other file"
          value={place}
          choices={others.map((one) => [one.table, one.display_name])}
          onChange={(chosen) => {
            setPlace(chosen);
            pairs.restart(others.find((one) => one.table === chosen)?.columns ?? []);
          }}
        />
      </div>
      {pairs.all.map((pair, at) => (
        <PairOfColumns
          key={pair.id}
          pair={pair}
          number={at + 1}
          mine={table.columns}
          theirs={other?.columns ?? []}
          taken={pairs.all}
          onChange={pairs.change}
          onRemove={pairs.all.length > 1 ? () => pairs.remove(pair.id) : undefined}
        />
      ))}
      {pairs.more && (
        <div className={styles.more}>
          <Button
            small
            variant="ghost"
            icon={<Plus size={15} strokeWidth={1.75} aria-hidden="true" />}
            onClick={pairs.add}
          >
            And another pair of columns
          </Button>
          <p className={styles.note}>Where only several columns together tell which rows belong together.</p>
        </div>
      )}
    </Form>
  );
}

interface PairProps {
  pair: Pair;
  number: number;
  mine: readonly JoinColumn[];
  theirs: readonly JoinColumn[];
  taken: readonly Pair[];
  onChange(pair: Pair): void;
  onRemove: (() => void) | undefined;
}

function PairOfColumns({ pair, number, mine, theirs, taken, onChange, onRemove }: PairProps) {
  const others = taken.filter(({ id }) => id !== pair.id);
  const place = number === 1 ? '' : `, pair ${number}`;
  const group = useRef<HTMLDivElement>(null);
  // A pair that was added is filled in next; the form itself puts the focus on its first field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it comes
  useEffect(() => {
    if (number > 1) group.current?.querySelector('select')?.focus();
  }, []);
  return (
    <div ref={group} className={styles.pair} role="group" aria-label={`Pair ${number} of columns`}>
      <Choice
        label={`Column of this file${place}`}
        value={pair.mine}
        choices={free(
          mine,
          others.map((one) => one.mine),
        )}
        onChange={(column) => onChange({ ...pair, mine: column })}
      />
      <Choice
        label={`Its column with the same things${place}`}
        value={pair.theirs}
        choices={free(
          theirs,
          others.map((one) => one.theirs),
        )}
        onChange={(column) => onChange({ ...pair, theirs: column })}
      />
      {onRemove && (
        <IconButton
          name={`Leave out pair ${number}`}
          tip="Leave out"
          icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={(event) => {
            event.currentTarget.form?.querySelector('select')?.focus();
            onRemove();
          }}
        />
      )}
    </div>
  );
}

/** The columns that no other pair has. */
function free(columns: readonly JoinColumn[], taken: readonly string[]): [string, string][] {
  return columns.filter(({ name }) => !taken.includes(name)).map(({ name }) => [name, name]);
}

function usePairs(mine: readonly JoinColumn[], theirs: readonly JoinColumn[]) {
  const ids = useRef(0);
  const [all, setAll] = useState<readonly Pair[]>(() => [
    { id: 0, mine: mine[0]?.name ?? '', theirs: theirs[0]?.name ?? '' },
  ]);
  const next = [
    free(
      mine,
      all.map((one) => one.mine),
    ),
    free(
      theirs,
      all.map((one) => one.theirs),
    ),
  ];
  return {
    all,
    more: all.length < MOST_PAIRS && next.every((columns) => columns.length > 0),
    /** Of another file: the first column of this one stays chosen. */
    restart: (others: readonly JoinColumn[]) =>
      setAll(all.slice(0, 1).map((one) => ({ ...one, theirs: others[0]?.name ?? '' }))),
    add: () => {
      const [left, right] = next.map((columns) => columns[0]?.[0] ?? '');
      setAll([...all, { id: ++ids.current, mine: left ?? '', theirs: right ?? '' }]);
    },
    change: (changed: Pair) => setAll(all.map((one) => (one.id === changed.id ? changed : one))),
    remove: (id: number) => setAll(all.filter((one) => one.id !== id)),
  };
}
