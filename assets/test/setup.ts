import { cleanup, configure } from '@testing-library/react';
import { storesReset } from 'stores/store';
import { toastClose } from 'stores/toast';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { server } from './server';

configure({ asyncUtilTimeout: 15_000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));

/** Tests share one page for each worker, in an order that differs from run to run: nothing of one may reach the next. */
afterEach(() => {
  cleanup();
  toastClose(); // its timer too
  storesReset();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});

afterAll(() => server.close());
