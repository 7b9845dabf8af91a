import { Button } from 'design/components/button';
import { FieldError, TextField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { fillAgain } from './again';
import { resetRequest } from './api';
import { CODE_NOT_SENT, EMAIL_INCORRECT, WORKING } from './copy';
import { pendingClear, resetSave } from './pending';
import styles from './sign-in-form.module.css';
import { BackToLogin, Ways } from './ways';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function ForgotPasswordForm({ onSent }: { onSent(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'ready' | 'busy' | 'incorrect' | 'failed'>('ready');
  const busy = state === 'busy';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    if (!EMAIL.test(email)) {
      setState('incorrect');
      fillAgain(field.current);
      return;
    }
    setState('busy');
    const token = await resetRequest(email).catch(() => null);
    if (!token) {
      setState('failed');
      return;
    }
    pendingClear();
    resetSave({ username: email, token });
    onSent();
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoFocus
        ref={field}
        error={state === 'incorrect' ? EMAIL_INCORRECT : null}
      />
      {state === 'failed' && <FieldError>{CODE_NOT_SENT}</FieldError>}
      <Button type="submit" variant="primary" full busy={busy}>
        {busy ? WORKING : 'Submit'}
      </Button>
      <Ways>
        <BackToLogin />
      </Ways>
    </form>
  );
}
