import { AuthCard } from 'design/components/auth-card';
import { ForgotPasswordForm } from 'features/sign-in/forgot-password-form';

export function ForgotPasswordScreen() {
  return (
    <AuthCard title="Forgot Password" text="Enter your email and we will send you a code.">
      <ForgotPasswordForm onSent={() => window.location.assign('/verify')} />
    </AuthCard>
  );
}
