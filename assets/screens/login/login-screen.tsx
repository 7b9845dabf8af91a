import { sessionToken } from 'api/session';
import { pageParams } from 'app/page-params';
import { AuthCard } from 'design/components/auth-card';
import { SignInForm } from 'features/sign-in/sign-in-form';
import { useEffect, useState } from 'react';

const toChat = () => window.location.assign('/chat');

export function LoginScreen() {
  const [signedIn] = useState(() => sessionToken() !== null);
  useEffect(() => {
    if (signedIn) window.location.replace('/chat');
  }, [signedIn]);
  if (signedIn) return null;
  return (
    <AuthCard title={`Welcome to ${pageParams.product}`}>
      <SignInForm
        onSignedIn={toChat}
        onNewPasswordRequired={() => window.location.assign('/change-password')}
      />
    </AuthCard>
  );
}
