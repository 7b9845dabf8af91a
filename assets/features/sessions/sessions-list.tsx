import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'design/components/button';
import { toastShow } from 'stores/toast';
import { type SignedInSession, sessionsEnd, sessionsFetch, sessionsKey } from './api';
import { deviceName } from './device';
import styles from './sessions-list.module.css';

export const END_FAILED = 'The session could not be ended. Please try again.';

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** "Where you are logged in": every session of the user, each with a way to end it. It brings no heading. */
export function SessionsList() {
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: sessionsKey, queryFn: sessionsFetch });
  const end = useMutation({
    mutationFn: sessionsEnd,
    onSuccess: (left) => client.setQueryData(sessionsKey, left),
    onError: () => toastShow('error', END_FAILED),
  });

  if (sessions.isPending) return <p className={styles.note}>Loading sessions...</p>;
  if (sessions.isError)
    return (
      <div className={styles.failed} role="alert">
        <p>Your sessions could not be loaded.</p>
        <Button small onClick={() => sessions.refetch()}>
          Try again
        </Button>
      </div>
    );

  const others = sessions.data.filter((session) => !session.is_current).map((session) => session.id);
  return (
    <div className={styles.sessions}>
      <ul className={styles.list}>
        {sessions.data.map((session) => (
          <Row
            key={session.id}
            session={session}
            busy={end.isPending}
            onEnd={() => end.mutate([session.id])}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <Button small busy={end.isPending} onClick={() => end.mutate(others)}>
          End all other sessions
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  session: SignedInSession;
  busy: boolean;
  onEnd(): void;
}

function Row({ session, busy, onEnd }: RowProps) {
  const device = deviceName(session.user_agent);
  const since = WHEN.format(session.created_at * 1000);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.device}>{device}</p>
        <p className={styles.note}>
          {session.ip}, since {since}
        </p>
      </div>
      {session.is_current ? (
        <span className={styles.current}>This session</span>
      ) : (
        <Button
          small
          disabled={busy}
          aria-label={`End the session of ${device}, ${session.ip}, since ${since}`}
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  );
}
