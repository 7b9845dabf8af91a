import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { Problem } from 'design/components/problem';
import { dayAge, timeOf } from 'lib/format';
import { useState } from 'react';
import { toastShow } from 'stores/toast';
import { type Invitation, resendInvitation, useRosterChange, withdrawInvitation } from './api';
import styles from './members.module.css';
import { Question } from './question';

/** An invitation that nobody has accepted: as what, until when, and the ways to send it again or take it back. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const [asking, setAsking] = useState(false);
  const resend = useRosterChange(resendInvitation);
  const withdraw = useRosterChange(withdrawInvitation);
  const { id, email } = invitation;
  const failed = resend.error ?? withdraw.error;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>{email}</p>
        <p className={styles.note}>
          <Facts text={aboutOf(invitation, Date.now())} />
        </p>
      </div>
      {asking ? (
        <Question
          danger
          text={`Withdraw the invitation of ${email}? Its link opens nothing any more.`}
          act="Withdraw"
          keep="Keep"
          busy={withdraw.isPending}
          onAct={() =>
            withdraw.mutate(id, {
              onSuccess: () => toastShow('complete', `The invitation of ${email} was withdrawn.`),
            })
          }
          onKeep={() => setAsking(false)}
        />
      ) : (
        <div className={styles.choices}>
          <Button
            small
            aria-label={`Send the invitation of ${email} again`}
            busy={resend.isPending}
            onClick={() =>
              resend.mutate(id, {
                onSuccess: () => toastShow('complete', `An invitation is on its way to ${email}.`),
              })
            }
          >
            Send again
          </Button>
          <Button small aria-label={`Withdraw the invitation of ${email}`} onClick={() => setAsking(true)}>
            Withdraw
          </Button>
        </div>
      )}
      {failed && <Problem>{failed.message}</Problem>}
    </li>
  );
}

function aboutOf({ role, expires_at, expired }: Invitation, now: number): string {
  const time = timeOf(expires_at);
  const until = time === null ? '' : dayAge(time, now);
  return [
    role === 'admin' ? 'Admin' : 'Basic',
    expired ? `link ended ${until}` : `link good until ${until}`,
  ].join(BETWEEN);
}
