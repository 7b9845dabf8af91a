import { Button } from 'design/components/button';
import { FieldError, PasswordField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { newPasswordChoose, resetConfirm, type StepResult } from './api';
import { CHALLENGE_OVER, CODE_OVER, PASSWORD_FAILED, PASSWORD_HINT, WORKING } from './copy';
import { type PendingReset, type PendingSignIn, pendingClear, resetClear } from './pending';
import styles from './sign-in-form.module.css';

/** Who chooses a password, and what proves that they may. */
export type Proof =
  | { kind: 'code'; pending: PendingReset & { code: string } }
  | { kind: 'temporary-password'; pending: PendingSignIn };

type State =
  | { kind: 'ready' | 'busy' }
  | { kind: 'failed'; reason?: string }
  /** The proof is no longer good. */
  | { kind: 'over' };

const REFUSED: StepResult = { kind: 'refused' };

function send(proof: Proof, password: string): Promise<StepResult> {
  const { token } = proof.pending;
  return proof.kind === 'code'
    ? resetConfirm(token, proof.pending.code, password)
    : newPasswordChoose(token, password);
}

export function ChangePasswordForm({ proof, onChanged }: { proof: Proof; onChanged(): void }) {
  const first = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<State>({ kind: 'ready' });
  const busy = state.kind === 'busy';

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const password = String(form.get('password') ?? '');
    if (!password || password !== form.get('verify')) return refuse({ kind: 'failed' });
    setState({ kind: 'busy' });
    const result = await send(proof, password).catch(() => REFUSED);
    if (result.kind === 'over') return setState({ kind: 'over' });
    if (result.kind === 'refused') return refuse({ kind: 'failed', reason: result.reason });
    pendingClear();
    resetClear();
    onChanged();
  }

  function refuse(why: State) {
    setState(why);
    first.current?.select();
  }

  const failed = state.kind === 'failed' || state.kind === 'over';
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {/* for the browser's password store, which otherwise saves the password without a name */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={proof.pending.username}
        readOnly
        hidden
      />
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        autoFocus
        ref={first}
        hint={PASSWORD_HINT}
      />
      <PasswordField label="Verify password" name="verify" autoComplete="new-password" />
      {failed && <Failure state={state} proof={proof} />}
      <Button type="submit" variant="primary" full busy={busy}>
        {busy ? WORKING : 'Submit'}
      </Button>
    </form>
  );
}

/** SPEC 5: one sentence plus the hint, whatever it was; after it what the server can add to that. */
function Failure({ state, proof }: { state: State; proof: Proof }) {
  const reason = state.kind === 'failed' && state.reason !== PASSWORD_HINT ? state.reason : undefined;
  return (
    <div className={styles.failure}>
      <FieldError>
        {PASSWORD_FAILED} {PASSWORD_HINT}
      </FieldError>
      {reason && <p className={styles.note}>{reason}</p>}
      {state.kind === 'over' && proof.kind === 'code' && (
        <p className={styles.note}>
          {CODE_OVER} <a href="/forgot-password">Request a new code</a>
        </p>
      )}
      {state.kind === 'over' && proof.kind === 'temporary-password' && (
        <p className={styles.note}>
          {CHALLENGE_OVER} <a href="/login">Login</a>
        </p>
      )}
    </div>
  );
}
