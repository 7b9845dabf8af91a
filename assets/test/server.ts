import { setupServer } from 'msw/node';

/** The network of the unit tests: a call nobody expects fails the test. */
export const server = setupServer();
