import { Button } from 'design/components/button';
import { TextField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { fillAgain } from './again';
import { resetVerify, type StepResult } from './api';
import { CODE_OVER, VERIFICATION_FAILED, WORKING } from './copy';
import { type PendingReset, resetSave } from './pending';
import styles from './sign-in-form.module.css';
import { BackToLogin, NewCode, Over, Ways } from './ways';

const REFUSED: StepResult = { kind: 'refused' };

export function VerifyForm({ pending, onVerified }: { pending: PendingReset; onVerified(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'ready' | 'busy' | 'failed' | 'over'>('ready');
  const busy = state === 'busy';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim();
    if (!code) return refuse();
    setState('busy');
    const result = await resetVerify(pending.token, code).catch(() => REFUSED);
    if (result.kind === 'over') return setState('over');
    if (result.kind === 'refused') return refuse();
    resetSave({ ...pending, code });
    onVerified();
  }

  function refuse() {
    setState('failed');
    fillAgain(field.current);
  }

  if (state === 'over') return <Over why={CODE_OVER} href="/forgot-password" action="Request a new code" />;
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
        error={state === 'failed' ? VERIFICATION_FAILED : null}
      />
      <Button type="submit" variant="primary" full busy={busy}>
        {busy ? WORKING : 'Submit'}
      </Button>
      <Ways>
        <NewCode />
        <BackToLogin />
      </Ways>
    </form>
  );
}
