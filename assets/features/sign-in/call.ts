import { unreachable } from 'api/errors';

/** What the sign-in routes answer: allauth's envelope, or the product's own error. */
export interface PendingReply {
  status: number;
  data?: { flows?: { id: string; is_pending?: boolean }[] };
  meta?: { session_token?: string };
  errors?: { message: string; code: string }[];
  error?: { message: string; code: string };
}

interface Options {
  json?: unknown;
  /** The pending token of this flow. It is never the tab's session, which api/client keeps to itself. */
  token?: string;
  headers?: Record<string, string>;
}

/** One step of a flow of somebody who is not signed in. Throws where the server cannot be reached. */
export async function pendingCall(
  method: string,
  path: string,
  options: Options = {},
): Promise<PendingReply> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (options.json !== undefined) headers['Content-Type'] = 'application/json';
  if (options.token) headers.Authorization = `Bearer ${options.token}`;
  const body = options.json === undefined ? undefined : JSON.stringify(options.json);
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body, credentials: 'omit' });
  } catch {
    throw unreachable();
  }
  const reply = (await response.json().catch(() => null)) as Omit<PendingReply, 'status'> | null;
  return { ...reply, status: response.status };
}
