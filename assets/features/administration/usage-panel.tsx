import { refusal } from 'api/errors';
import { BETWEEN, Facts } from 'design/components/facts';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { Skeleton } from 'design/components/skeleton';
import { count, countOf, dayAge, timeOf } from 'lib/format';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './administration.module.css';
import { type Outcomes, type Usage, useUsage } from './api';

interface Props {
  footer: ReactNode;
  onBack(): void;
  onClose(): void;
}

/** How much the organization asks and how it ends, for its admins. */
export function UsagePanel({ footer, onBack, onClose }: Props) {
  const usage = useUsage();
  return (
    <Panel title="Usage" readOnly footer={footer} onBack={onBack} onClose={onClose}>
      {usage.data ? (
        <Loaded usage={usage.data} />
      ) : usage.isError ? (
        <FailedLoad
          sentence={refusal(usage.error) ?? 'The usage could not be loaded.'}
          onRetry={() => void usage.refetch()}
        />
      ) : (
        <Skeleton rows={6} height={44} text="Loading usage..." />
      )}
    </Panel>
  );
}

/** How questions end, in the order of the administration's tables. */
const ENDS: readonly [keyof Outcomes, string][] = [
  ['answered', 'answered'],
  ['asked_back', 'asked back'],
  ['declined', 'declined'],
  ['failed', 'failed'],
  ['stopped', 'stopped'],
  ['rated_up', 'rated good'],
  ['rated_down', 'rated bad'],
];

function Loaded({ usage: { month, members, weeks, models } }: { usage: Usage }) {
  if (month.asked === 0 && weeks.length === 0 && models.each.length === 0)
    return <p className={styles.empty}>Nobody has asked anything in the last eight weeks.</p>;
  const now = Date.now();
  return (
    <>
      <h3 className={styles.section}>Last 30 days</h3>
      <dl className={styles.figures}>
        <Figure name="Questions" value={month.asked} />
        {ENDS.map(([key, name]) => (
          <Figure key={key} name={name.charAt(0).toUpperCase() + name.slice(1)} value={month[key]} />
        ))}
      </dl>
      {month.declined > 0 && (
        <p className={styles.note}>
          <a href="/admin/threads/declinedanswer/" target="_blank" rel="noreferrer">
            Read the declined questions in the administration
            <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
          </a>
        </p>
      )}
      {members.length > 0 && (
        <Rows title="By member, last 30 days" rows={members.map((one) => [one.id, one.name, one])} />
      )}
      {weeks.length > 0 && (
        <Rows
          title="By week"
          rows={weeks.map((one) => [one.starts, `Week of ${dayAge(timeOf(one.starts) ?? now, now)}`, one])}
        />
      )}
      <h3 className={styles.section}>Language models this month</h3>
      {models.each.length > 0 ? (
        <ul className={styles.list}>
          {models.each.map(({ model, calls, cost }) => (
            <Row key={model} name={model} about={`${countOf(calls, 'call')}${BETWEEN}cost ${cost}`} />
          ))}
        </ul>
      ) : (
        <p className={styles.empty}>No language model was asked this month.</p>
      )}
      {models.budget !== null && <p className={styles.note}>Monthly budget: {models.budget}</p>}
    </>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{count(value)}</dd>
    </div>
  );
}

function Rows({
  title,
  rows,
}: {
  title: string;
  rows: readonly [key: string, name: string, of: Outcomes][];
}) {
  return (
    <section aria-label={title}>
      <h3 className={styles.section}>{title}</h3>
      <ul className={styles.list}>
        {rows.map(([key, name, of]) => (
          <Row key={key} name={name} about={endsOf(of)} />
        ))}
      </ul>
    </section>
  );
}

function Row({ name, about }: { name: string; about: string }) {
  return (
    <li className={styles.row}>
      <p className={styles.name}>{name}</p>
      <p className={styles.note}>
        <Facts text={about} />
      </p>
    </li>
  );
}

/** "12 questions · 10 answered · 2 declined": what did not happen is left out. */
function endsOf(of: Outcomes): string {
  const ends = ENDS.filter(([key]) => of[key] > 0).map(([key, name]) => `${count(of[key])} ${name}`);
  return [countOf(of.asked, 'question'), ...ends].join(BETWEEN);
}
