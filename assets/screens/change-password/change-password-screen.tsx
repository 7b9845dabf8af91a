import { AuthCard } from 'design/components/auth-card';
import { ChangePasswordForm, type Proof } from 'features/sign-in/change-password-form';
import { pendingRead, resetRead } from 'features/sign-in/pending';
import { useEffect, useState } from 'react';

function proofRead(): Proof | null {
  const reset = resetRead();
  if (reset?.code) return { kind: 'code', pending: { ...reset, code: reset.code } };
  const signIn = pendingRead();
  return signIn && { kind: 'temporary-password', pending: signIn };
}

function introduction({ kind, pending }: Proof): string {
  return kind === 'code'
    ? `Choose a new password for ${pending.username}.`
    : 'Your password is temporary. Please choose your own.';
}

/** With a code it confirms the reset, otherwise it answers the pending new-password challenge (SPEC 2). */
export function ChangePasswordScreen() {
  const [proof] = useState(proofRead);
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!proof) window.location.replace('/forgot-password');
  }, [proof]);
  if (!proof) return null;
  return (
    <AuthCard title="Change Password" text={over ? undefined : introduction(proof)}>
      <ChangePasswordForm
        proof={proof}
        onChanged={() => window.location.assign('/login')}
        onOver={() => setOver(true)}
      />
    </AuthCard>
  );
}
