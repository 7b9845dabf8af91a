/** What the sections of connected services share: what went wrong, the clock, and letting a service go. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connectionKey, endConnection, type Service } from 'api/connections';
import { keys } from 'api/queries';
import { Button } from 'design/components/button';
import { Problem } from 'design/components/problem';
import { Select } from 'design/components/select';
import { age, timeOf } from 'lib/format';
import { Trash2, Unplug } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { toastShow } from 'stores/toast';
import styles from './service.module.css';

const ICON = { size: 18, strokeWidth: 1.75 } as const;

const SCHEDULES: readonly { hours: number; label: string }[] = [
  { hours: 0, label: 'Only on demand' },
  { hours: 1, label: 'Every hour' },
  { hours: 6, label: 'Every 6 hours' },
  { hours: 12, label: 'Every 12 hours' },
  { hours: 24, label: 'Every day' },
  { hours: 168, label: 'Every week' },
];

/** Why a connection does not work, and since when. */
export function ServiceProblem({ reason, since }: { reason: string | null; since: string | null }) {
  const at = timeOf(since);
  return (
    <div className={styles.below}>
      <Problem>
        {reason}
        {at !== null && <i> ({age(at, Date.now())})</i>}
      </Problem>
    </div>
  );
}

interface ScheduleProps {
  service: Service;
  hours: number;
  save(hours: number): Promise<unknown>;
}

/** How often the data is refreshed by itself. */
export function ServiceSchedule({ service, hours, save }: ScheduleProps) {
  const id = useId();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: save,
    onError: (error) => toastShow('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey(service) }),
  });
  return (
    <div className={styles.schedule}>
      <label htmlFor={id}>Refresh automatically</label>
      <Select
        id={id}
        value={change.isPending ? change.variables : hours}
        onChange={(event) => change.mutate(Number(event.target.value))}
      >
        {SCHEDULES.map((one) => (
          <option key={one.hours} value={one.hours}>
            {one.label}
          </option>
        ))}
      </Select>
    </div>
  );
}

interface EndProps {
  service: Service;
  /** As the question calls it. */
  name: string;
  /** The button's words. */
  label: string;
  /** What is said when it is done. */
  done: string;
}

/** Disconnecting is asked about in place, and with it what becomes of the files. */
export function ServiceEnd({ service, name, label, done }: EndProps) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const end = useMutation({
    mutationFn: (data: 'keep' | 'delete') => endConnection(service, data),
    onSuccess: () => {
      setAsking(false);
      toastShow('complete', done);
    },
    onError: (error) => toastShow('error', error.message),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: connectionKey(service) });
      void client.invalidateQueries({ queryKey: keys.sources });
    },
  });
  const under = (data: 'keep' | 'delete') => end.isPending && end.variables === data;
  useEffect(() => {
    if (!asking) return;
    keep.current?.focus();
    keep.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
  }, [asking]);
  if (!asking) {
    return (
      <div className={styles.actions}>
        <Button full icon={<Unplug {...ICON} />} onClick={() => setAsking(true)}>
          {label}
        </Button>
      </div>
    );
  }
  return (
    <section className={styles.asking} aria-label={`Disconnect ${name}?`}>
      <p>
        <b>Disconnect {name}?</b> Choose what happens to its files.
      </p>
      <div>
        <Button
          ref={keep}
          icon={<Unplug {...ICON} />}
          busy={under('keep')}
          disabled={end.isPending}
          onClick={() => end.mutate('keep')}
        >
          Disconnect, keep files
        </Button>
        <Button
          variant="danger"
          icon={<Trash2 {...ICON} />}
          busy={under('delete')}
          disabled={end.isPending}
          onClick={() => end.mutate('delete')}
        >
          Disconnect, delete files
        </Button>
        <Button variant="ghost" disabled={end.isPending} onClick={() => setAsking(false)}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
