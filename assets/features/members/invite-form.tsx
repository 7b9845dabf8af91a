import { Button } from 'design/components/button';
import { TextField } from 'design/components/field';
import { type FormEvent, useState } from 'react';
import { toastShow } from 'stores/toast';
import { invite, type Role, useRosterChange } from './api';
import styles from './members.module.css';
import { RoleSelect } from './role-select';

/** Sends an invitation; its link lets the invited person choose a name and a password. */
export function InviteForm() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('basic');
  const sending = useRosterChange(invite);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = { email: email.trim(), role };
    sending.mutate(wanted, {
      onSuccess: () => {
        setEmail('');
        setRole('basic');
        toastShow('complete', `An invitation is on its way to ${wanted.email}.`);
      },
    });
  };
  return (
    <form className={styles.form} aria-label="Invite somebody" onSubmit={submit}>
      <TextField
        label="Invite by e-mail"
        hint="The link in the e-mail is good for a week."
        error={sending.isError ? sending.error.message : null}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          if (sending.isError) sending.reset();
        }}
      />
      <div className={styles.send}>
        <RoleSelect label="Role of the invited person" value={role} onChange={setRole} />
        <Button type="submit" variant="primary" busy={sending.isPending}>
          Send invitation
        </Button>
      </div>
    </form>
  );
}
