import { Button } from 'design/components/button';
import { FieldError, PasswordField, TextField } from 'design/components/field';
import { type FormEvent, useState } from 'react';
import { invitationAccept, type StepResult } from './api';
import { INVITATION_OVER, NOT_CREATED, PASSWORD_HINT, PASSWORDS_DIFFER, WORKING } from './copy';
import styles from './sign-in-form.module.css';

const REFUSED: StepResult = { kind: 'refused' };

interface Props {
  /** The invitation's key, from the link of its e-mail. */
  invitation: string;
  onCreated(): void;
}

export function CreatePasswordForm({ invitation, onCreated }: Props) {
  const [accepted, setAccepted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || !accepted) return; // Enter in a field submits too
    const form = new FormData(event.currentTarget);
    const username = String(form.get('username') ?? '').trim();
    const password = String(form.get('password') ?? '');
    if (!username) return setFailure('Please choose a user name.');
    if (!password || password !== form.get('verify')) return setFailure(PASSWORDS_DIFFER);
    setBusy(true);
    setFailure(null);
    const acceptance = { key: invitation, username, password, privacy_accepted: accepted };
    const result = await invitationAccept(acceptance).catch(() => REFUSED);
    if (result.kind === 'done') return onCreated();
    setBusy(false);
    setFailure(result.kind === 'over' ? INVITATION_OVER : (result.reason ?? NOT_CREATED));
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={150}
        autoFocus
      />
      <PasswordField label="Password" name="password" autoComplete="new-password" hint={PASSWORD_HINT} />
      <PasswordField label="Verify password" name="verify" autoComplete="new-password" />
      <div className={styles.accept}>
        <input
          id="privacy"
          type="checkbox"
          required
          checked={accepted}
          onChange={(event) => setAccepted(event.target.checked)}
        />
        <label htmlFor="privacy">
          I accept the{' '}
          <a href="/privacy" target="_blank" rel="noreferrer">
            Privacy Policy
          </a>
        </label>
      </div>
      {failure && <FieldError>{failure}</FieldError>}
      <Button type="submit" variant="primary" full busy={busy} disabled={!accepted}>
        {busy ? WORKING : 'Submit'}
      </Button>
    </form>
  );
}
