import { AuthCard } from 'design/components/auth-card';
import { resetRead } from 'features/sign-in/pending';
import { VerifyForm } from 'features/sign-in/verify-form';
import { useEffect, useState } from 'react';

/** Without somebody to verify there is nothing to do here (SPEC 2). */
export function VerifyScreen() {
  const [pending] = useState(() => resetRead());
  useEffect(() => {
    if (!pending) window.location.replace('/login');
  }, [pending]);
  if (!pending) return null;
  return (
    <AuthCard title="Verify" text={`Enter the code sent to the inbox of ${pending.username}.`}>
      <VerifyForm pending={pending} onVerified={() => window.location.assign('/change-password')} />
    </AuthCard>
  );
}
