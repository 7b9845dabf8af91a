import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionToken } from 'api/session';
import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { describe, expect, test, vi } from 'vitest';
import { ChangePasswordForm, type Proof } from './change-password-form';
import {
  CHALLENGE_OVER,
  CODE_NOT_SENT,
  CODE_OVER,
  EMAIL_INCORRECT,
  INVITATION_OVER,
  NO_PASSWORD,
  NO_USERNAME,
  PASSWORD_FAILED,
  PASSWORD_HINT,
  PASSWORDS_DIFFER,
  VERIFICATION_FAILED,
} from './copy';
import { CreatePasswordForm } from './create-password-form';
import { ForgotPasswordForm } from './forgot-password-form';
import { pendingRead, pendingSave, resetRead, resetSave } from './pending';
import { VerifyForm } from './verify-form';

const AUTH = '*/_allauth/app/v1/auth';
const GOOD = 'My-own-word-7';
const user = userEvent.setup();

const text = () => screen.getByRole('alert').textContent;
const submit = () => user.click(screen.getByRole('button', { name: 'Submit' }));

describe('forgot password', () => {
  function show() {
    const onSent = vi.fn();
    render(<ForgotPasswordForm onSent={onSent} />);
    return onSent;
  }

  test.each(['', 'ana', 'ana@', 'ana@example', 'a b@example.com'])(
    '%j is no e-mail and asks nothing',
    async (email) => {
      const onSent = show();
      if (email) await user.type(screen.getByLabelText('Email'), email);
      await submit();
      expect(text()).toBe(EMAIL_INCORRECT);
      expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
      expect(onSent).not.toHaveBeenCalled();
    },
  );

  test('an e-mail asks for a code and goes on with who it is for', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(`${AUTH}/password/request`, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json(
          {
            data: { flows: [{ id: 'password_reset_by_code', is_pending: true }] },
            meta: { session_token: 'reset' },
          },
          { status: 401 },
        );
      }),
    );
    const onSent = show();
    await user.type(screen.getByLabelText('Email'), ' ana@example.com{Enter}');
    await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
    expect(bodies).toEqual([{ email: 'ana@example.com' }]);
    expect(resetRead()).toEqual({ username: 'ana@example.com', token: 'reset' });
    expect(resetRead(Date.now() + 600_001)).toBeNull();
  });

  test.each([429, 500])('an answer %i is told and can be tried again', async (status) => {
    server.use(http.post(`${AUTH}/password/request`, () => HttpResponse.json({}, { status })));
    const onSent = show();
    await user.type(screen.getByLabelText('Email'), 'ana@example.com{Enter}');
    await waitFor(() => expect(text()).toBe(CODE_NOT_SENT));
    expect(onSent).not.toHaveBeenCalled();
  });
});

describe('verify', () => {
  const pending = { username: 'ana@example.com', token: 'reset' };

  function show() {
    resetSave(pending);
    const onVerified = vi.fn();
    render(<VerifyForm pending={pending} onVerified={onVerified} />);
    return onVerified;
  }

  test('no code fails without asking the server', async () => {
    show();
    await submit();
    expect(text()).toBe(VERIFICATION_FAILED);
  });

  test.each(['AAAA-BBBB', 'größe'])('the wrong code %s fails', async (code) => {
    server.use(http.get(`${AUTH}/password/reset`, () => HttpResponse.json({ errors: [] }, { status: 400 })));
    const onVerified = show();
    await user.type(screen.getByLabelText('Verification code'), `${code}{Enter}`);
    await waitFor(() => expect(text()).toBe(VERIFICATION_FAILED));
    expect(onVerified).not.toHaveBeenCalled();
    expect(screen.queryByText(CODE_OVER, { exact: false })).toBeNull();
  });

  test('after too many tries there is nothing left to send, and a new code is offered', async () => {
    server.use(http.get(`${AUTH}/password/reset`, () => HttpResponse.json({}, { status: 409 })));
    show();
    await user.type(screen.getByLabelText('Verification code'), 'AAAA-BBBB{Enter}');
    await waitFor(() => expect(text()).toBe(CODE_OVER));
    expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
    expect(screen.getByRole('link').getAttribute('href')).toBe('/forgot-password');
  });

  test('the right code goes on with it, under the pending token alone', async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.get(`${AUTH}/password/reset`, ({ request }) => {
        seen.push(request.headers.get('Authorization'), request.headers.get('X-Password-Reset-Key'));
        return HttpResponse.json({});
      }),
    );
    const onVerified = show();
    await user.type(screen.getByLabelText('Verification code'), ' ABCD-EFGH {Enter}');
    await waitFor(() => expect(onVerified).toHaveBeenCalledOnce());
    expect(seen).toEqual(['Bearer reset', 'ABCD-EFGH']);
    expect(resetRead()).toEqual({ ...pending, code: 'ABCD-EFGH' });
  });
});

describe('change password', () => {
  const code: Proof = {
    kind: 'code',
    pending: { username: 'ana@example.com', token: 'reset', code: 'ABCD' },
  };
  const temporary: Proof = {
    kind: 'temporary-password',
    pending: { username: 'ana', token: 'pending', keep: false },
  };

  function show(proof: Proof) {
    const onChanged = vi.fn();
    render(<ChangePasswordForm proof={proof} onChanged={onChanged} />);
    return onChanged;
  }

  async function choose(first: string, second = first) {
    if (first) await user.type(screen.getByLabelText('New password'), first);
    if (second) await user.type(screen.getByLabelText('Verify password'), second);
    await submit();
  }

  test('the hint is shown from the start', () => {
    show(code);
    expect(screen.getByText(PASSWORD_HINT)).toBeTruthy();
  });

  test.each([
    ['', ''],
    [GOOD, 'My-own-word-8'],
  ])('%j and %j are told with the hint and not sent', async (first, second) => {
    const onChanged = show(code);
    await choose(first, second);
    expect(text()).toBe(`${PASSWORD_FAILED} ${PASSWORD_HINT}`);
    expect(onChanged).not.toHaveBeenCalled();
  });

  test('with a code it confirms the reset', async () => {
    const bodies: unknown[] = [];
    resetSave(code.pending);
    server.use(
      http.post(`${AUTH}/password/reset`, async ({ request }) => {
        bodies.push(await request.json(), request.headers.get('Authorization'));
        return HttpResponse.json({}, { status: 401 }); // done, and nobody is signed in by it
      }),
    );
    const onChanged = show(code);
    await choose(GOOD);
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
    expect(bodies).toEqual([{ key: 'ABCD', password: GOOD }, 'Bearer reset']);
    expect(resetRead()).toBeNull();
  });

  test('with a temporary password it answers the challenge and leaves nobody signed in', async () => {
    const seen: unknown[] = [];
    pendingSave({ username: 'ana', token: 'pending', keep: false });
    server.use(
      http.post(`${AUTH}/new-password`, async ({ request }) => {
        seen.push(await request.json(), request.headers.get('Authorization'));
        return HttpResponse.json({ meta: { session_token: 'opened' } });
      }),
      http.delete(`${AUTH}/session`, ({ request }) => {
        seen.push(request.headers.get('Authorization'));
        return HttpResponse.json({}, { status: 401 });
      }),
    );
    const onChanged = show(temporary);
    await choose(GOOD);
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
    expect(seen).toEqual([{ new_password: GOOD }, 'Bearer pending', 'Bearer opened']);
    expect(sessionToken()).toBeNull();
    expect(pendingRead()).toBeNull();
  });

  test('a refusal keeps the sentence of the spec and adds what the server knows', async () => {
    server.use(
      http.post(`${AUTH}/password/reset`, () =>
        HttpResponse.json({ errors: [{ message: 'This password is too common.' }] }, { status: 400 }),
      ),
    );
    show(code);
    await choose('Password-1');
    await waitFor(() => expect(text()).toBe(`${PASSWORD_FAILED} ${PASSWORD_HINT}`));
    expect(screen.getByText('This password is too common.')).toBeTruthy();
  });

  test.each([
    [code, 'post', `${AUTH}/password/reset`, 409, CODE_OVER, '/forgot-password'],
    [temporary, 'post', `${AUTH}/new-password`, 401, CHALLENGE_OVER, '/login'],
  ] as const)(
    'what is over says only that, and where to begin again (%#)',
    async (proof, method, path, status, words, href) => {
      server.use(http[method](path, () => HttpResponse.json({}, { status })));
      show(proof);
      await choose(GOOD);
      await waitFor(() => expect(text()).toBe(words));
      expect(screen.queryByText(PASSWORD_FAILED, { exact: false })).toBeNull();
      expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
      expect(screen.getByRole('link').getAttribute('href')).toBe(href);
    },
  );

  test('both fields can be shown and hidden, each on its own', async () => {
    show(code);
    const [first] = screen.getAllByRole('button', { name: 'Show password' });
    await user.click(first as HTMLElement);
    expect(screen.getByLabelText('New password').getAttribute('type')).toBe('text');
    expect(screen.getByLabelText('Verify password').getAttribute('type')).toBe('password');
  });
});

describe('create password', () => {
  const ACCEPT = '*/api/v3/invitations/accept';

  function show() {
    const onCreated = vi.fn();
    render(<CreatePasswordForm invitation="the-key" onCreated={onCreated} />);
    return onCreated;
  }

  async function fillIn(verify = GOOD) {
    await user.type(screen.getByLabelText('Username'), 'mia');
    await user.type(screen.getByLabelText('Password'), GOOD);
    await user.type(screen.getByLabelText('Verify password'), verify);
  }

  test('until the policy is accepted nothing can be sent, not by Enter either', async () => {
    const onCreated = show();
    await fillIn();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Submit' })).toHaveProperty('disabled', true);
    expect(onCreated).not.toHaveBeenCalled();
  });

  test.each([
    ['Username', '', '', '', NO_USERNAME],
    ['Password', 'mia', '', '', NO_PASSWORD],
    ['Verify password', 'mia', GOOD, 'Something-else-1', PASSWORDS_DIFFER],
  ])(
    'what is wrong with %s is told below it, and not sent',
    async (label, username, password, verify, words) => {
      const onCreated = show();
      if (username) await user.type(screen.getByLabelText('Username'), username);
      if (password) await user.type(screen.getByLabelText('Password'), password);
      if (verify) await user.type(screen.getByLabelText('Verify password'), verify);
      await user.click(screen.getByRole('checkbox'));
      await submit();
      expect(text()).toBe(words);
      const field = screen.getByLabelText(label);
      expect(field.getAttribute('aria-invalid')).toBe('true');
      expect(document.activeElement).toBe(field);
      expect(onCreated).not.toHaveBeenCalled();
    },
  );

  test('the account is made with the key of the link', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(ACCEPT, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({}, { status: 201 });
      }),
    );
    const onCreated = show();
    await fillIn();
    await user.click(screen.getByRole('checkbox'));
    await submit();
    await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
    expect(bodies).toEqual([{ key: 'the-key', username: 'mia', password: GOOD, privacy_accepted: true }]);
    expect(sessionToken()).toBeNull();
  });

  test.each([
    [404, { error: { message: 'gone', code: 'invitation' } }, INVITATION_OVER],
    [
      400,
      { error: { message: 'This user name cannot be used. Please choose another one.', code: 'x' } },
      'This user name cannot be used. Please choose another one.',
    ],
  ])('a refusal %i is told', async (status, body, words) => {
    server.use(http.post(ACCEPT, () => HttpResponse.json(body, { status })));
    show();
    await fillIn();
    await user.click(screen.getByRole('checkbox'));
    await submit();
    await waitFor(() => expect(text()).toBe(words));
  });
});
