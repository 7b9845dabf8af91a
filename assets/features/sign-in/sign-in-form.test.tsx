import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionToken } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { describe, expect, test, vi } from 'vitest';
import { LOGGING_IN, SIGN_IN_FAILED } from './copy';
import { pendingRead } from './pending';
import { SignInForm } from './sign-in-form';

const LOGIN = '*/_allauth/app/v1/auth/login';

function show() {
  const onSignedIn = vi.fn();
  const onNewPasswordRequired = vi.fn();
  render(<SignInForm onSignedIn={onSignedIn} onNewPasswordRequired={onNewPasswordRequired} />);
  return { onSignedIn, onNewPasswordRequired, user: userEvent.setup() };
}

async function fillIn(user: ReturnType<typeof userEvent.setup>, name = 'demo') {
  await user.type(screen.getByLabelText('Username'), name);
  await user.type(screen.getByLabelText('Password'), 'secret');
}

describe('signing in', () => {
  test('Enter in the password field submits, and the session lasts as long as the tab', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(LOGIN, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ meta: { is_authenticated: true, session_token: 'tok' } });
      }),
    );
    const { user, onSignedIn } = show();
    await fillIn(user);
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: LOGGING_IN })).toBeTruthy();
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    expect(bodies).toEqual([{ username: 'demo', password: 'secret' }]);
    expect(sessionToken()).toBe('tok');
    expect(localStorage.length).toBe(0);
  });

  test('an e-mail is sent as one, and "Keep me signed in" outlives the tab', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(LOGIN, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ meta: { session_token: 'tok' } });
      }),
    );
    const { user, onSignedIn } = show();
    await fillIn(user, 'ana@example.com');
    await user.click(screen.getByLabelText('Keep me signed in'));
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    expect(bodies).toEqual([{ email: 'ana@example.com', password: 'secret' }]);
    sessionStorage.clear();
    expect(sessionToken()).toBe('tok');
  });

  test('a refusal says one sentence for every reason and can be tried again', async () => {
    server.use(http.post(LOGIN, () => HttpResponse.json({ errors: [] }, { status: 400 })));
    const { user, onSignedIn } = show();
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect((await screen.findByRole('alert')).textContent).toBe(SIGN_IN_FAILED);
    expect(screen.getByRole('button', { name: 'Login' })).toHaveProperty('disabled', false);
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  test('a server that cannot be reached is a failure like any other', async () => {
    server.use(http.post(LOGIN, () => HttpResponse.error()));
    const { user } = show();
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect((await screen.findByRole('alert')).textContent).toBe(SIGN_IN_FAILED);
  });

  test('a temporary password leads to choosing another, carrying the username', async () => {
    server.use(
      http.post(LOGIN, () =>
        HttpResponse.json(
          {
            data: { flows: [{ id: 'new_password_required', is_pending: true }] },
            meta: { is_authenticated: false, session_token: 'pending' },
          },
          { status: 401 },
        ),
      ),
    );
    const { user, onNewPasswordRequired } = show();
    await fillIn(user);
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(onNewPasswordRequired).toHaveBeenCalledOnce());
    expect(pendingRead()).toEqual({ username: 'demo', token: 'pending', keep: false });
    expect(pendingRead(Date.now() + 180_001)).toBeNull();
    expect(sessionToken()).toBeNull();
  });

  test('the password can be shown and hidden', async () => {
    const { user } = show();
    const field = screen.getByLabelText('Password');
    expect(field.getAttribute('type')).toBe('password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field.getAttribute('type')).toBe('text');
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field.getAttribute('type')).toBe('password');
  });
});
