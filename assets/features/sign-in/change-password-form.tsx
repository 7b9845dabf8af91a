import { Button } from 'design/components/button';
import { FieldError, PasswordField } from 'design/components/field';
import { type FormEvent, useRef, useState } from 'react';
import { fillAgain } from './again';
import { newPasswordChoose, resetConfirm, type StepResult } from './api';
import { CHALLENGE_OVER, CODE_OVER, PASSWORD_FAILED, PASSWORD_HINT, WORKING } from './copy';
import { type PendingReset, type PendingSignIn, pendingClear, resetClear } from './pending';
import styles from './sign-in-form.module.css';
import { BackToLogin, Over, Ways } from './ways';

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

interface Props {
  proof: Proof;
  onChanged(): void;
  /** Nothing can be chosen here any more: what stands above the form may say so. */
  onOver?(): void;
}

export function ChangePasswordForm({ proof, onChanged, onOver }: Props) {
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
    if (result.kind === 'over') {
      setState({ kind: 'over' });
      return onOver?.();
    }
    if (result.kind === 'refused') return refuse({ kind: 'failed', reason: result.reason });
    pendingClear();
    resetClear();
    onChanged();
  }

  function refuse(why: State) {
    setState(why);
    fillAgain(first.current);
  }

  if (state.kind === 'over')
    return proof.kind === 'code' ? (
      <Over why={CODE_OVER} href="/forgot-password" action="Request a new code" />
    ) : (
      <Over why={CHALLENGE_OVER} href="/login" action="Log in again" />
    );
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
      {state.kind === 'failed' && <Failure reason={state.reason} />}
      <Button type="submit" variant="primary" full busy={busy}>
        {busy ? WORKING : 'Submit'}
      </Button>
      <Ways>
        <BackToLogin />
      </Ways>
    </form>
  );
}

/** SPEC 5: one sentence plus the hint, whatever it was; after it what the server can add to that. */
function Failure({ reason }: { reason: string | undefined }) {
  return (
    <div className={styles.failure}>
      <FieldError>
        {PASSWORD_FAILED} {PASSWORD_HINT}
      </FieldError>
      {reason && reason !== PASSWORD_HINT && <p className={styles.note}>{reason}</p>}
    </div>
  );
}
