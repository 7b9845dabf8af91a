import { ApiError } from 'api/errors';
import type { OtherReading } from 'api/types';
import { ToggleRow } from 'design/components/toggle';
import { useEffect, useRef, useState } from 'react';
import type { Readings } from './api';
import { Looking } from './looking';
import styles from './other-readings.module.css';

type Found = readonly OtherReading[] | { failed: string } | null;

/** What the part of this key could mean else, each with the figure it would give: a click answers anew, in place. */
export default function OtherReadings({ part, readings }: { part: string; readings: Readings }) {
  const [found, retry] = useFound(part, readings);
  const [always, setAlways] = useState(false);
  const [taking, setTaking] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const end = useIntoView(found !== null, always);
  if (found === null) return <Looking />;
  if ('failed' in found) return <Failed sentence={found.failed} onRetry={retry} />;
  if (found.length === 0) return <p className={styles.none}>No other reading gives a figure here.</p>;
  const teachable = found.some(({ teaches }) => teaches !== null);
  const take = (other: OtherReading) => {
    if (taking !== null) return;
    setTaking(other.key);
    setFailed(null);
    readings.take(part, other, always && other.teaches !== null).catch((error: unknown) => {
      setTaking(null);
      setFailed(messageOf(error));
    });
  };
  return (
    <>
      <p className={styles.head}>Or did you mean</p>
      <ul className={styles.list}>
        {found.map((other) => (
          <li key={other.key}>
            <button
              type="button"
              aria-disabled={taking !== null || undefined}
              aria-busy={taking === other.key || undefined}
              onClick={() => take(other)}
            >
              <span>
                {other.label}
                {always && <span className={styles.taught}>{other.teaches ?? 'This time only'}</span>}
              </span>
              <span className={styles.figure}>{other.figure}</span>
            </button>
          </li>
        ))}
      </ul>
      {failed !== null && (
        <p className={styles.failed} role="alert">
          {failed}
        </p>
      )}
      {readings.teaches && teachable && (
        <div className={styles.foot}>
          <ToggleRow
            label="Always"
            name="Always read it as I choose, for everybody here"
            checked={always}
            onChange={setAlways}
          />
          <p className={styles.hint}>Keeps your choice for everybody in your organization.</p>
        </div>
      )}
      <div ref={end} className={styles.end} />
    </>
  );
}

const messageOf = (error: unknown) =>
  error instanceof ApiError ? error.message : 'Other readings could not be found.';

function Failed({ sentence, onRetry }: { sentence: string; onRetry(): void }) {
  return (
    <p className={styles.failed} role="alert">
      {sentence}{' '}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

/** What has opened below the window's edge comes into view, and stays so where it grows. */
function useIntoView(there: boolean, grown: boolean) {
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `grown` looks once more
  useEffect(() => {
    if (there) end.current?.scrollIntoView({ block: 'nearest' });
  }, [there, grown]);
  return end;
}

function useFound(part: string, readings: Readings): [Found, () => void] {
  const [found, setFound] = useState<Found>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` looks once more
  useEffect(() => {
    const asking = new AbortController();
    setFound(null);
    readings.find(part, asking.signal).then(
      (others) => asking.signal.aborted || setFound(others),
      (error: unknown) => asking.signal.aborted || setFound({ failed: messageOf(error) }),
    );
    return () => asking.abort();
  }, [part, readings, tries]);
  return [found, () => setTries(tries + 1)];
}
