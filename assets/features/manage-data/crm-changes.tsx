import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { NoValue } from 'design/components/no-value';
import { Select } from 'design/components/select';
import { Skeleton } from 'design/components/skeleton';
import { age, countOf, dateTime, timeOf } from 'lib/format';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { type CrmChange, type CrmChanges as Moved, useCrmChanges } from './crm-api';
import styles from './crm-changes.module.css';
import { CATEGORY_NAMES, CHANGES_FAILED, KIND_NAMES, MOMENTS, MOVED } from './crm-copy';
import parts from './service.module.css';

/** So many records are shown before one asks for the others. */
const FIRST = 10;

/** What changed since Monday: the records that are another now, with their fields before and after. */
export function CrmChanges() {
  const [shown, setShown] = useState(false);
  return (
    <details className={styles.moved} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        {MOVED}
        <ChevronDown size={18} strokeWidth={1.75} aria-hidden="true" />
      </summary>
      {shown && <Choice />}
    </details>
  );
}

function Choice() {
  const [category, setCategory] = useState('deals');
  const [moment, setMoment] = useState('monday');
  const [now] = useState(() => new Date());
  const since = MOMENTS[moment]?.of(now) ?? now;
  return (
    <>
      <div className={styles.choice}>
        <Select aria-label="Kind" value={category} onChange={(event) => setCategory(event.target.value)}>
          {Object.entries(CATEGORY_NAMES).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
        <Select aria-label="Since" value={moment} onChange={(event) => setMoment(event.target.value)}>
          {Object.entries(MOMENTS).map(([name, { label }]) => (
            <option key={name} value={name}>
              Since {label}
            </option>
          ))}
        </Select>
      </div>
      <List key={`${category} ${moment}`} category={category} since={since} />
    </>
  );
}

function List({ category, since }: { category: string; since: Date }) {
  const changes = useCrmChanges(category, since);
  const [all, setAll] = useState(false);
  if (changes.isError) return <FailedLoad sentence={CHANGES_FAILED} onRetry={() => void changes.refetch()} />;
  if (!changes.data) return <Skeleton rows={3} height={44} text="Looking at what changed..." />;
  const { records, total } = changes.data;
  const shown = all ? records : records.slice(0, FIRST);
  return (
    <>
      <p className={parts.note} role="status">
        {summary(changes.data, since)}
      </p>
      <ul className={styles.records}>
        {shown.map((record) => (
          <Record key={record.id} record={record} />
        ))}
      </ul>
      {shown.length < records.length && (
        <Button small onClick={() => setAll(true)}>
          Show all {records.length}
        </Button>
      )}
      {all && total > records.length && <p className={parts.note}>The newest {records.length} are shown.</p>}
    </>
  );
}

/** How much moved, and from when on that is known. */
export function summary({ known_from, total }: Moved, since: Date): string {
  const known = timeOf(known_from);
  if (known === null) return 'Nothing can be said yet: the first refresh is not done.';
  const moved = total === 0 ? 'Nothing changed' : `${countOf(total, 'record')} changed`;
  return known > since.getTime()
    ? `${moved} since the first refresh, ${dateTime(known, Date.now())}.`
    : `${moved}.`;
}

function Record({ record }: { record: CrmChange }) {
  const at = timeOf(record.seen_at);
  return (
    <li>
      <p className={styles.name}>
        <b>{record.name}</b>
        <span data-kind={record.kind}>{KIND_NAMES[record.kind]}</span>
        {at !== null && <i>{age(at, Date.now())}</i>}
      </p>
      {record.fields.length > 0 && (
        <dl>
          {record.fields.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                {record.kind !== 'changed' ? (
                  after || before
                ) : (
                  <>
                    {before === '' ? <NoValue /> : <del>{before}</del>} <span aria-hidden="true">→</span>{' '}
                    <ins>{after || <NoValue />}</ins>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
