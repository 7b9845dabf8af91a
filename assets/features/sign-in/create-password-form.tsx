import { Button } from 'design/components/button';
import { FieldError, PasswordField, TextField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { fillAgain } from './again';
import { invitationAccept, type StepResult } from './api';
import {
  INVITATION_OVER,
  NO_PASSWORD,
  NO_USERNAME,
  NOT_CREATED,
  PASSWORD_HINT,
  PASSWORDS_DIFFER,
  WORKING,
} from './copy';
import styles from './sign-in-form.module.css';

const REFUSED: StepResult = { kind: 'refused' };

type Field = 'username' | 'password' | 'verify';

interface Failure {
  words: string;
  /** The field that has to be filled in another way; none where the server refused the whole. */
  field?: Field;
}

/** What is missing or wrong before anything is sent. */
function faultOf(username: string, password: string, verify: string): Failure | null {
  if (!username) return { words: NO_USERNAME, field: 'username' };
  if (!password) return { words: NO_PASSWORD, field: 'password' };
  return password === verify ? null : { words: PASSWORDS_DIFFER, field: 'verify' };
}

interface Props {
  /** The invitation's key, from the link of its e-mail. */
  invitation: string;
  onCreated(): void;
}

export function CreatePasswordForm({ invitation, onCreated }: Props) {
  const [accepted, setAccepted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const fields = useRef<HTMLFormElement>(null);
  const error = (field: Field) => (failure?.field === field ? failure.words : null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || !accepted) return; // Enter in a field submits too
    const form = new FormData(event.currentTarget);
    const username = String(form.get('username') ?? '').trim();
    const password = String(form.get('password') ?? '');
    const fault = faultOf(username, password, String(form.get('verify') ?? ''));
    if (fault) return refuse(fault);
    setBusy(true);
    setFailure(null);
    const acceptance = { key: invitation, username, password, privacy_accepted: accepted };
    const result = await invitationAccept(acceptance).catch(() => REFUSED);
    if (result.kind === 'done') return onCreated();
    setBusy(false);
    refuse({ words: result.kind === 'over' ? INVITATION_OVER : (result.reason ?? NOT_CREATED) });
  }

  function refuse(why: Failure) {
    setFailure(why);
    if (why.field) fillAgain(fields.current?.querySelector<HTMLInputElement>(`[name="${why.field}"]`));
  }

  return (
    <form className={styles.form} ref={fields} onSubmit={submit} noValidate>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={150}
        autoFocus
        error={error('username')}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint={PASSWORD_HINT}
        error={error('password')}
      />
      <PasswordField
        label="Verify password"
        name="verify"
        autoComplete="new-password"
        error={error('verify')}
      />
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
      {failure && !failure.field && <FieldError>{failure.words}</FieldError>}
      <Button type="submit" variant="primary" full busy={busy} disabled={!accepted}>
        {busy ? WORKING : 'Submit'}
      </Button>
    </form>
  );
}
