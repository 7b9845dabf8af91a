import { AUTH, pendingCall } from 'api/client';
import { sessionStart } from 'api/session';

export type SignInResult =
  | { kind: 'signed-in' }
  /** The account has a temporary password: the pending token allows nothing but choosing another. */
  | { kind: 'new-password-required'; token: string }
  | { kind: 'refused' };

/** Signs in with a username, or an e-mail where the text is one. A refusal never says what was wrong. */
export async function signIn(name: string, password: string, keep: boolean): Promise<SignInResult> {
  const who = name.includes('@') ? { email: name } : { username: name };
  const reply = await pendingCall('POST', `${AUTH}/login`, { json: { ...who, password } });
  const token = reply.meta?.session_token;
  if (reply.status === 200 && token) {
    sessionStart(token, keep);
    return { kind: 'signed-in' };
  }
  const pending = reply.data?.flows?.some((flow) => flow.id === 'new_password_required' && flow.is_pending);
  if (reply.status === 401 && pending && token) return { kind: 'new-password-required', token };
  return { kind: 'refused' };
}

/** Asks for a code by e-mail. The token stands for this attempt; it comes whether or not the address is known. */
export async function resetRequest(email: string): Promise<string | null> {
  const reply = await pendingCall('POST', `${AUTH}/password/request`, { json: { email } });
  const pending = reply.data?.flows?.some((flow) => flow.id === 'password_reset_by_code' && flow.is_pending);
  return reply.status === 401 && pending ? (reply.meta?.session_token ?? null) : null;
}

export type StepResult =
  | { kind: 'done' }
  /** It can be tried again; `reason` is the server's sentence where it has one. */
  | { kind: 'refused'; reason?: string }
  /** The attempt is over (too many tries, too late, or used already): it must be begun again. */
  | { kind: 'over' };

/** Whether the code is the one that was sent. It stays good for the new password. */
export async function resetVerify(token: string, code: string): Promise<StepResult> {
  // a header can carry nothing but plain characters, and neither can a code
  if (!/^[\x21-\x7e]+$/.test(code)) return { kind: 'refused' };
  const headers = { 'X-Password-Reset-Key': code };
  const reply = await pendingCall('GET', `${AUTH}/password/reset`, { token, headers });
  if (reply.status === 200) return { kind: 'done' };
  return reply.status === 409 || reply.status === 410 ? { kind: 'over' } : { kind: 'refused' };
}

/** Sets the new password with the code from the inbox. Nobody is signed in by it. */
export async function resetConfirm(token: string, code: string, password: string): Promise<StepResult> {
  const reply = await pendingCall('POST', `${AUTH}/password/reset`, { token, json: { key: code, password } });
  if (reply.status === 200 || reply.status === 401) return { kind: 'done' };
  if (reply.status === 409 || reply.status === 410) return { kind: 'over' };
  return { kind: 'refused', reason: reply.errors?.[0]?.message };
}

/** Answers the new-password challenge. The session it opens is ended again: the way goes on over /login. */
export async function newPasswordChoose(token: string, password: string): Promise<StepResult> {
  const reply = await pendingCall('POST', `${AUTH}/new-password`, {
    token,
    json: { new_password: password },
  });
  if (reply.status === 200) {
    const opened = reply.meta?.session_token ?? token;
    await pendingCall('DELETE', `${AUTH}/session`, { token: opened }).catch(() => undefined);
    return { kind: 'done' };
  }
  if (reply.status === 400) return { kind: 'refused', reason: reply.errors?.[0]?.message };
  return { kind: 'over' };
}

export interface Acceptance {
  key: string;
  username: string;
  password: string;
  privacy_accepted: boolean;
}

/** The invited person's username and first password make the account. */
export async function invitationAccept(acceptance: Acceptance): Promise<StepResult> {
  const reply = await pendingCall('POST', '/api/v3/invitations/accept', { json: acceptance });
  if (reply.status === 201) return { kind: 'done' };
  if (reply.status === 404) return { kind: 'over' };
  return { kind: 'refused', reason: reply.error?.message };
}
