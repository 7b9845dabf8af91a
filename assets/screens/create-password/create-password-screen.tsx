import { pageParams } from 'app/page-params';
import { AuthCard } from 'design/components/auth-card';
import { Notice } from 'design/components/notice';
import { CreatePasswordForm } from 'features/sign-in/create-password-form';
import { useState } from 'react';

/** Where an invitation's link leads: a username and a first password. */
export function CreatePasswordScreen() {
  const [invitation] = useState(() => new URLSearchParams(window.location.search).get('key'));
  if (!invitation)
    return (
      <Notice
        title="This link is incomplete"
        text="Open the whole link from your invitation email, or ask the person who invited you for a new one."
        action={<a href="/login">I already have an account</a>}
      />
    );
  return (
    <AuthCard title={`Welcome to ${pageParams.product}`} text="Choose a username and a password.">
      <CreatePasswordForm invitation={invitation} onCreated={() => window.location.assign('/login')} />
    </AuthCard>
  );
}
