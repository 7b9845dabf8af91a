/** The only place that calls fetch. Without a session the call is skipped and gives nothing (SPEC 6). */
import { ApiError, CANCELED, errorFrom, unreachable } from './errors';
import { sessionEnd, sessionToken } from './session';

const ROOT = '/api/v3';

type Query = Record<string, string | undefined>;

interface Options {
  query?: Query;
  json?: unknown;
  form?: FormData;
  signal?: AbortSignal;
}

function address(path: string, query?: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) parameters.set(name, value);
  const text = parameters.toString();
  return `${ROOT}${path}${text ? `?${text}` : ''}`;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  }
}

async function call<T>(method: string, path: string, options: Options = {}): Promise<T | undefined> {
  const token = sessionToken();
  if (!token) return undefined;
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
  if (options.json !== undefined) headers['Content-Type'] = 'application/json';
  const response = await request(address(path, options.query), {
    method,
    headers,
    body: options.form ?? (options.json === undefined ? undefined : JSON.stringify(options.json)),
    signal: options.signal,
    credentials: 'omit',
  });
  const body = await readBody(response);
  if (response.status === 401 && sessionToken() === token) sessionEnd();
  if (!response.ok) throw errorFrom(body, response.status);
  if (body === undefined) throw new ApiError('The answer could not be read.', 'unreadable', response.status);
  return body as T;
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => call<T>('GET', path, { query, signal }),
  post: <T>(path: string, json: unknown, signal?: AbortSignal) => call<T>('POST', path, { json, signal }),
  put: <T>(path: string, json: unknown) => call<T>('PUT', path, { json }),
  send: <T>(path: string, form: FormData) => call<T>('POST', path, { form }),
  remove: <T>(path: string, query?: Query) => call<T>('DELETE', path, { query }),
};

/** Fetches a file as it is; its name is the one that the server gives it, else `name`. */
export async function fetchFile(
  path: string,
  query: Query,
  name: string,
): Promise<{ content: Blob; name: string } | undefined> {
  const token = sessionToken();
  if (!token) return undefined;
  const response = await request(address(path, query), {
    headers: { Authorization: `Bearer ${token}` },
    credentials: 'omit',
  });
  if (response.status === 401 && sessionToken() === token) sessionEnd();
  if (!response.ok) throw errorFrom(await readBody(response), response.status);
  return {
    content: await response.blob(),
    name: attachmentName(response.headers.get('Content-Disposition')) ?? name,
  };
}

/** The file name of a Content-Disposition header: the encoded form, else the quoted or plain one. */
function attachmentName(header: string | null): string | null {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // a broken name is none
    }
  }
  const plain = /filename="((?:[^"\\]|\\.)*)"|filename=([^;]+)/i.exec(header ?? '');
  return (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]?.trim()) || null;
}

/** Uploads with progress, which fetch cannot tell. `onProgress` gets a share from 0 to 1. */
export function uploadForm<T>(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
  { method = 'POST', query }: { method?: 'POST' | 'PUT'; query?: Query } = {},
): Promise<T | undefined> {
  const token = sessionToken();
  if (!token) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    upload.open(method, address(path, query));
    upload.setRequestHeader('Authorization', `Bearer ${token}`);
    upload.responseType = 'json';
    upload.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    upload.onload = () => {
      if (upload.status === 401 && sessionToken() === token) sessionEnd();
      if (upload.status >= 200 && upload.status < 300 && upload.response) resolve(upload.response as T);
      else reject(errorFrom(upload.response, upload.status));
    };
    upload.onerror = () => reject(unreachable());
    upload.onabort = () => reject(new ApiError(CANCELED, 'cancelled', 0));
    upload.send(form);
  });
}

/** What the sign-in routes answer: allauth's envelope, or the product's own error. */
export interface AuthReply {
  status: number;
  data?: { flows?: { id: string; is_pending?: boolean }[]; user?: unknown };
  meta?: { is_authenticated?: boolean; session_token?: string };
  errors?: { message: string; code: string }[];
  error?: { message: string; code: string };
}

interface AuthOptions {
  json?: unknown;
  /** The pending token of a flow. It is never the tab's session. */
  token?: string;
  headers?: Record<string, string>;
}

/** One step of a flow of somebody who is not signed in yet; the only calls that go out without a session. */
export async function pendingCall(
  method: string,
  path: string,
  options: AuthOptions = {},
): Promise<AuthReply> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (options.json !== undefined) headers['Content-Type'] = 'application/json';
  if (options.token) headers.Authorization = `Bearer ${options.token}`;
  const response = await request(path, {
    method,
    headers,
    body: options.json === undefined ? undefined : JSON.stringify(options.json),
    credentials: 'omit',
  });
  const body = await readBody(response);
  if (typeof body === 'object' && body !== null) return { ...(body as AuthReply), status: response.status };
  return { status: response.status };
}

export const AUTH = '/_allauth/app/v1/auth';

/** A call of the sign-in routes about the session of this tab; skipped where there is none. */
export async function authCall(method: string, path: string, json?: unknown): Promise<AuthReply | undefined> {
  const token = sessionToken();
  return token ? pendingCall(method, `${AUTH}${path}`, { json, token }) : undefined;
}

/** A file that the page itself is made of, such as a font; null where it cannot be had. */
export async function fetchAsset(address: string): Promise<Blob | null> {
  const response = await request(address, { credentials: 'omit' }).catch(() => null);
  return response?.ok ? response.blob() : null;
}
