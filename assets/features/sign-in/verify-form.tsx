import { Button } from 'design/components/button';
import { TextField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { resetVerify, type StepResult } from './api';
import { CODE_OVER, VERIFICATION_FAILED, WORKING } from './copy';
import { type PendingReset, resetSave } from './pending';
import styles from './sign-in-form.module.css';

const REFUSED: StepResult = { kind: 'refused' };

export function VerifyForm({ pending, onVerified }: { pending: PendingReset; onVerified(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'ready' | 'busy' | 'failed' | 'over'>('ready');
  const busy = state === 'busy';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim();
    if (!code) return refuse('failed');
    setState('busy');
    const result = await resetVerify(pending.token, code).catch(() => REFUSED);
    if (result.kind !== 'done') return refuse(result.kind === 'over' ? 'over' : 'failed');
    resetSave({ ...pending, code });
    onVerified();
  }

  function refuse(why: 'failed' | 'over') {
    setState(why);
    field.current?.select();
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label="Verification code"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        ref={field}
        error={state === 'failed' || state === 'over' ? VERIFICATION_FAILED : null}
      />
      {state === 'over' && (
        <p className={styles.note}>
          {CODE_OVER} <a href="/forgot-password">Request a new code</a>
        </p>
      )}
      <Button type="submit" variant="primary" full busy={busy}>
        {busy ? WORKING : 'Submit'}
      </Button>
    </form>
  );
}
