import { Button } from 'design/components/button';
import { FieldError, PasswordField, TextField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { fillAgain } from './again';
import { type SignInResult, signIn } from './api';
import { LOGGING_IN, SIGN_IN_FAILED } from './copy';
import { pendingSave } from './pending';
import styles from './sign-in-form.module.css';

const REFUSED: SignInResult = { kind: 'refused' };

interface Props {
  onSignedIn(): void;
  onNewPasswordRequired(): void;
}

export function SignInForm({ onSignedIn, onNewPasswordRequired }: Props) {
  const password = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');
  const busy = state === 'busy';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const username = String(form.get('username') ?? '').trim();
    const keep = form.get('keep') === 'on';
    setState('busy');
    const result = await signIn(username, String(form.get('password') ?? ''), keep).catch(() => REFUSED);
    if (result.kind === 'refused') {
      setState('failed');
      fillAgain(password.current);
      return;
    }
    // the page that follows is on its way: the button keeps saying so
    if (result.kind === 'signed-in') return onSignedIn();
    pendingSave({ username, token: result.token, keep });
    onNewPasswordRequired();
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordField label="Password" name="password" autoComplete="current-password" ref={password} />
      <div className={styles.row}>
        <label className={styles.keep}>
          <input type="checkbox" name="keep" />
          Keep me signed in
        </label>
        <a href="/forgot-password">Forgot Password</a>
      </div>
      {state === 'failed' && <FieldError>{SIGN_IN_FAILED}</FieldError>}
      <Button type="submit" variant="primary" full busy={busy}>
        {busy ? LOGGING_IN : 'Login'}
      </Button>
    </form>
  );
}
