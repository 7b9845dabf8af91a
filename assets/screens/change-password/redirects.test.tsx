import { fireEvent, render, screen } from '@testing-library/react';
import { pendingSave, resetSave } from 'features/sign-in/pending';
import { HttpResponse, http } from 'msw';
import { CreatePasswordScreen } from 'screens/create-password/create-password-screen';
import { VerifyScreen } from 'screens/verify/verify-screen';
import { server } from 'test/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ChangePasswordScreen } from './change-password-screen';

afterEach(() => vi.restoreAllMocks());

const replaced = () => vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);

describe('screens that need somebody to be passed on (SPEC 2)', () => {
  test('/verify without one goes to /login', () => {
    const replace = replaced();
    render(<VerifyScreen />);
    expect(replace).toHaveBeenCalledExactlyOnceWith('/login');
    expect(screen.queryByRole('main')).toBeNull();
  });

  test('/change-password without one goes to /forgot-password, and so does one without its code', () => {
    const replace = replaced();
    resetSave({ username: 'ana@example.com', token: 'reset' });
    render(<ChangePasswordScreen />);
    expect(replace).toHaveBeenCalledExactlyOnceWith('/forgot-password');
  });

  test('/verify names the inbox', () => {
    resetSave({ username: 'ana@example.com', token: 'reset' });
    render(<VerifyScreen />);
    expect(screen.getByText('Enter the code sent to the inbox of ana@example.com.')).toBeTruthy();
  });

  test('/change-password opens for a code and for a temporary password', () => {
    const replace = replaced();
    pendingSave({ username: 'ana', token: 'pending', keep: false });
    const { unmount } = render(<ChangePasswordScreen />);
    expect(screen.getByText('Your password is temporary. Please choose your own.')).toBeTruthy();
    unmount();
    resetSave({ username: 'ana@example.com', token: 'reset', code: 'ABCD' });
    render(<ChangePasswordScreen />);
    expect(screen.getByText('Choose a new password for ana@example.com.')).toBeTruthy();
    expect(replace).not.toHaveBeenCalled();
  });

  test('/change-password asks for no password once none can be chosen there any more', async () => {
    server.use(
      http.post('*/_allauth/app/v1/auth/new-password', () => HttpResponse.json({}, { status: 401 })),
    );
    pendingSave({ username: 'ana', token: 'pending', keep: false });
    render(<ChangePasswordScreen />);
    for (const label of ['New password', 'Verify password'])
      fireEvent.change(screen.getByLabelText(label), { target: { value: 'My-own-word-7' } });
    fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('link', { name: 'Log in again' })).toBeTruthy();
    expect(screen.queryByText('Your password is temporary. Please choose your own.')).toBeNull();
  });

  test('/create-password without a key says what is wrong', () => {
    render(<CreatePasswordScreen />);
    expect(screen.getByRole('heading', { name: 'This link is incomplete' })).toBeTruthy();
  });
});
