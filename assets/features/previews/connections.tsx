import { refusal } from 'api/errors';
import type { ProfileTable, TableConnection } from 'api/types';
import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { FailedLoad } from 'design/components/failed-load';
import { Skeleton } from 'design/components/skeleton';
import { age, timeOf } from 'lib/format';
import { Check, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { toastShow } from 'stores/toast';
import { ConnectionForm } from './connection-form';
import styles from './connections.module.css';
import {
  type Join,
  type Joins,
  NOT_SETTLED,
  useJoinSay,
  useJoins,
  useJoinUndo,
  type Verdict,
  type Way,
} from './joins-api';

/** How the table's rows find those of the organization's other tables; admins confirm, refuse and draw ways. */
export function Connections({ fileName, table }: { fileName: string; table: ProfileTable }) {
  const joins = useJoins(fileName);
  const told = joins.data?.tables.find((one) => one.table === table.name);
  return (
    <section className={styles.connections} aria-label="Connections">
      <h3 className={styles.title}>Connections</h3>
      {told && joins.data ? (
        <Settled fileName={fileName} table={told} joins={joins.data} />
      ) : (
        <>
          <ul className={styles.found}>
            {table.connections.map((way) => (
              <li key={way.table + way.columns.join()}>{connectionText(way)}</li>
            ))}
          </ul>
          {joins.isPending && table.connections.length === 0 && (
            <Skeleton rows={1} height={56} text="Loading connections..." />
          )}
          {joins.isError && (
            <FailedLoad
              sentence={refusal(joins.error) ?? 'What can be changed here could not be loaded.'}
              onRetry={() => void joins.refetch()}
            />
          )}
        </>
      )}
    </section>
  );
}

interface SettledProps {
  fileName: string;
  table: Joins['tables'][number];
  joins: Joins;
}

function Settled({ fileName, table, joins }: SettledProps) {
  const [drawing, setDrawing] = useState(false);
  const { may_edit: mayEdit, others } = joins;
  return (
    <>
      {table.joins.length === 0 && (
        <p className={styles.note}>
          No connection to another file was found.
          {mayEdit && others.length > 0 && ' Where two columns hold the same things, draw one.'}
        </p>
      )}
      <ul className={styles.ways}>
        {table.joins.map((join) => (
          <Connection
            key={[join.table, ...join.columns, ...join.table_columns].join('\n')}
            fileName={fileName}
            table={table.table}
            join={join}
            mayEdit={mayEdit}
          />
        ))}
      </ul>
      {mayEdit && others.length > 0 && (
        <Button
          small
          icon={<Plus size={15} strokeWidth={1.75} />}
          aria-expanded={drawing}
          className={styles.draw}
          onClick={() => setDrawing(!drawing)}
        >
          Draw a connection
        </Button>
      )}
      {drawing && (
        <ConnectionForm fileName={fileName} table={table} others={others} onDone={() => setDrawing(false)} />
      )}
      {!mayEdit && <p className={styles.note}>Admins of your organization can change connections.</p>}
    </>
  );
}

interface ConnectionProps {
  fileName: string;
  table: string;
  join: Join;
  mayEdit: boolean;
}

function Connection({ fileName, table, join, mayEdit }: ConnectionProps) {
  const say = useJoinSay(fileName);
  const undo = useJoinUndo(fileName);
  const busy = say.isPending || undo.isPending;
  const about = `${names(join.columns)} and ${join.table}`;
  const way: Way = {
    table,
    columns: join.columns,
    other_table: join.table,
    other_columns: join.table_columns,
  };
  const settle = (verdict: Verdict) =>
    say.mutate(
      { ...way, verdict },
      { onError: (error) => toastShow('error', refusal(error) ?? NOT_SETTLED) },
    );
  return (
    <li className={styles.way} data-standing={join.standing}>
      <div className={styles.words}>
        <p className={styles.sentence}>{joinText(join)}</p>
        <p className={styles.note}>
          <Facts text={facts(join)} />
        </p>
      </div>
      {mayEdit && (
        <div className={styles.buttons}>
          {join.standing !== 'confirmed' && join.standing !== 'drawn' && join.match_rate !== null && (
            <Button
              small
              disabled={busy}
              icon={<Check size={15} strokeWidth={1.75} />}
              aria-label={`Confirm the connection of ${about}`}
              onClick={() => settle('confirmed')}
            >
              Confirm
            </Button>
          )}
          {join.standing !== 'refused' && join.match_rate !== null && (
            <Button
              small
              disabled={busy}
              icon={<X size={15} strokeWidth={1.75} />}
              aria-label={`Refuse the connection of ${about}`}
              onClick={() => settle('refused')}
            >
              Refuse
            </Button>
          )}
          {join.standing !== 'found' && (
            <Button
              small
              variant="ghost"
              disabled={busy}
              aria-label={`Undo the last change of the connection of ${about}`}
              onClick={() => undo.mutate(way)}
            >
              Undo
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

const names = (all: readonly string[]) => all.join(' and ');

function joinText({ match_rate: rate, ...join }: Join): string {
  if (rate !== null) return connectionText({ ...join, match_rate: rate });
  return `${names(join.columns)} and ${names(join.table_columns)} of ${join.table} have nothing in common any more`;
}

/** "Owner matches owners: 98% of rows find their match". */
function connectionText(way: Pick<Join, keyof TableConnection> & { match_rate: number | null }): string {
  const { columns, table, table_columns, refers } = way;
  const rate = way.match_rate ?? 0;
  const found =
    rate === 1
      ? 'every row finds its match'
      : `${Math.min(99, Math.round(100 * rate))}% of rows find their match`; // 100% is said of all alone
  return refers
    ? `${names(columns)} ${columns.length === 1 ? 'matches' : 'match'} ${table}: ${found}`
    : `${table} matches these rows by its ${names(table_columns)}: ${found}`;
}

const DIRECTIONS = {
  many_to_one: 'Many to one',
  one_to_many: 'One to many',
  one_to_one: 'One to one',
  many_to_many: 'Many to many',
} as const;

const STANDINGS = {
  found: 'Found in the data',
  confirmed: 'Confirmed',
  refused: 'Refused',
  drawn: 'Drawn by hand',
} as const;

/** "Many to one · customer = id · Refused by Ada, 2 min ago · answers do not use it" */
function facts(join: Join): string {
  const at = timeOf(join.at);
  const who = join.by && ` by ${join.by}`;
  const when = at === null ? '' : `, ${age(at, Date.now())}`;
  return [
    join.direction && DIRECTIONS[join.direction],
    `${names(join.columns)} = ${names(join.table_columns)}`,
    join.loose && 'compared loosely',
    `${STANDINGS[join.standing]}${who}${when}`,
    (join.standing === 'refused' || join.match_rate === null) && 'answers do not use it',
  ]
    .filter(Boolean)
    .join(BETWEEN);
}
