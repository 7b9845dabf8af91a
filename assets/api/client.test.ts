import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { describe, expect, test } from 'vitest';
import { api, authCall, fetchAsset, pendingCall } from './client';
import { ApiError } from './errors';
import { sessionStart, sessionToken } from './session';

describe('the client', () => {
  test('skips the call and gives nothing when nobody is signed in', async () => {
    expect(await api.get('/me')).toBeUndefined();
  });

  test('carries the session in the Authorization header', async () => {
    sessionStart('abc', false);
    server.use(
      http.get('*/api/v3/me', ({ request }) =>
        HttpResponse.json({ header: request.headers.get('authorization') }),
      ),
    );
    expect(await api.get('/me')).toEqual({ header: 'Bearer abc' });
  });

  test('throws the sentence and the code of the server', async () => {
    sessionStart('abc', false);
    server.use(
      http.post('*/api/v3/ask', () =>
        HttpResponse.json({ error: { message: 'Too long.', code: 'too_long' } }, { status: 400 }),
      ),
    );
    const failure = await api.post('/ask', {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ message: 'Too long.', code: 'too_long', status: 400 });
  });

  test('gives a sentence even when the body is not ours', async () => {
    sessionStart('abc', false);
    server.use(http.get('*/api/v3/me', () => new HttpResponse('<html>', { status: 502 })));
    await expect(api.get('/me')).rejects.toMatchObject({
      message: 'Something went wrong. Please try again.',
      status: 502,
    });
  });

  test('signs out when the server no longer knows the session', async () => {
    sessionStart('old', true);
    server.use(http.get('*/api/v3/me', () => HttpResponse.json({}, { status: 401 })));
    await expect(api.get('/me')).rejects.toBeInstanceOf(ApiError);
    expect(sessionToken()).toBeNull();
  });
});

describe('the sign-in routes', () => {
  const echo = http.all('*/_allauth/app/v1/auth/*', ({ request }) =>
    HttpResponse.json({
      data: { header: request.headers.get('authorization'), other: request.headers.get('x-session-token') },
    }),
  );

  test('are called with the session in the Authorization header, and not at all without one', async () => {
    server.use(echo);
    expect(await authCall('GET', '/sessions')).toBeUndefined();
    sessionStart('abc', false);
    expect(await authCall('GET', '/sessions')).toEqual({
      status: 200,
      data: { header: 'Bearer abc', other: null },
    });
  });

  test('carry the pending token of a flow and never the session of the tab', async () => {
    server.use(echo);
    sessionStart('abc', false);
    const step = await pendingCall('POST', '/_allauth/app/v1/auth/new-password', {
      json: {},
      token: 'pending',
    });
    expect(step.data).toMatchObject({ header: 'Bearer pending' });
    const first = await pendingCall('POST', '/_allauth/app/v1/auth/login', { json: {} });
    expect(first.data).toMatchObject({ header: null });
  });

  test('say so when the server cannot be reached', async () => {
    server.use(http.post('*/_allauth/app/v1/auth/login', () => HttpResponse.error()));
    await expect(pendingCall('POST', '/_allauth/app/v1/auth/login')).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});

test('a file of the page itself is null where it cannot be had', async () => {
  server.use(http.get('*/static/there', () => HttpResponse.text('font')));
  server.use(http.get('*/static/gone', () => new HttpResponse(null, { status: 404 })));
  expect(await (await fetchAsset('http://localhost/static/there'))?.text()).toBe('font');
  expect(await fetchAsset('http://localhost/static/gone')).toBeNull();
});
