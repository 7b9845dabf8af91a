import { pageParams } from 'app/page-params';
import { AuthCard } from 'design/components/auth-card';
import { Notice } from 'design/components/notice';
import { CreatePasswordForm } from 'features/sign-in/create-password-form';
import { useState } from 'react';

/** Where an invitation's link leads: a user name and a first password. */
export function CreatePasswordScreen() {
  const [invitation] = useState(() => new URLSearchParams(window.location.search).get('key'));
  if (!invitation)
    return (
      <Notice
        title="This link is not complete"
        text="Please open the link of your invitation as it stands in the e-mail."
        action={<a href="/login">Login</a>}
      />
    );
  return (
    <AuthCard
      title={`Welcome to ${pageParams.product}`}
      text="Choose your user name and your password."
      foot={
        <>
          <a href="/privacy">Privacy</a>
          <a href="/terms">Terms</a>
        </>
      }
    >
      <CreatePasswordForm invitation={invitation} onCreated={() => window.location.assign('/login')} />
    </AuthCard>
  );
}
