import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { describe, expect, test } from 'vitest';
import { api } from './client';
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
