import { Button } from 'design/components/button';
import { Problem } from 'design/components/problem';
import { dayAge, timeOf } from 'lib/format';
import { useState } from 'react';
import { toastShow } from 'stores/toast';
import { changeMember, type Member, type Role, useRosterChange } from './api';
import styles from './members.module.css';
import { Question } from './question';
import { RoleSelect } from './role-select';

/** What an admin is about to do: take the account away, or give this role. */
type Asked = 'deactivate' | Role;

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** One member: who it is, when last seen, as what, and what an admin changes of it. Nobody changes the own account. */
export function MemberRow({ member }: { member: Member }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = useRosterChange(changeMember);
  const { id, name, role, active, you } = member;
  const mayChange = !you && role !== 'staff';
  const ask = (what: Asked | null) => {
    change.reset();
    setAsked(what);
  };
  const done = (said: { role?: Role; active?: boolean }, told: string) =>
    change.mutate(
      { id, ...said },
      { onSuccess: () => toastShow('complete', told), onSettled: () => setAsked(null) },
    );
  return (
    <li className={styles.row} data-active={active}>
      <div className={styles.line}>
        <div className={styles.words}>
          <p className={styles.name}>
            {name}
            {you && <span className={styles.mark}>You</span>}
            {!active && <span className={styles.mark}>Deactivated</span>}
          </p>
          <p className={styles.note}>{member.email || member.username}</p>
          <p className={styles.note}>{seenOf(member, Date.now())}</p>
        </div>
        {mayChange && active ? (
          <RoleSelect label={`Role of ${name}`} value={role} disabled={change.isPending} onChange={ask} />
        ) : (
          <span className={styles.role}>{capital(role)}</span>
        )}
      </div>
      {you && (
        <p className={styles.note}>Only another admin can change your role or deactivate your account.</p>
      )}
      {mayChange && !asked && (
        <div className={styles.choices}>
          {active ? (
            <Button small aria-label={`Deactivate ${name}`} onClick={() => ask('deactivate')}>
              Deactivate
            </Button>
          ) : (
            <Button
              small
              aria-label={`Reactivate ${name}`}
              busy={change.isPending}
              onClick={() => done({ active: true }, `${name} can sign in again.`)}
            >
              Reactivate
            </Button>
          )}
        </div>
      )}
      {asked === 'deactivate' && (
        <Question
          danger
          text={`Deactivate ${name}? They are signed out at once and cannot sign in. What they made stays.`}
          act="Deactivate"
          keep="Keep"
          busy={change.isPending}
          onAct={() => done({ active: false }, `${name} was deactivated.`)}
          onKeep={() => ask(null)}
        />
      )}
      {(asked === 'admin' || asked === 'basic') && (
        <Question
          text={
            asked === 'admin' ? `Make ${name} an admin? ${ADMINS}` : `Make ${name} a basic member? ${BASIC}`
          }
          act={asked === 'admin' ? 'Make admin' : 'Make basic'}
          keep="Cancel"
          busy={change.isPending}
          onAct={() =>
            done({ role: asked }, `${name} is ${asked === 'admin' ? 'an admin' : 'a basic member'} now.`)
          }
          onKeep={() => ask(null)}
        />
      )}
      {change.isError && <Problem>{change.error.message}</Problem>}
    </li>
  );
}

const ADMINS =
  'Admins manage members, connections and all files, and read usage, feedback and the audit log.';
const BASIC = 'Basic members ask questions and bring their own files.';

function seenOf({ last_seen }: Member, now: number): string {
  const time = timeOf(last_seen);
  return time === null ? 'Never signed in' : `Last seen ${dayAge(time, now)}`;
}
