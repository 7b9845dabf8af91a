/** What every failed call throws: a sentence for people and a code for programs. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(message: string, code: string, status: number) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

/** A call that whoever made it took back (SPEC 8). */
export const CANCELED = 'Request is canceled by user';

/** The call never reached the server, or its answer could not be read. */
export function unreachable(): ApiError {
  return new ApiError('The server cannot be reached. Please check your connection.', 'unreachable', 0);
}

export function errorFrom(body: unknown, status: number): ApiError {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { error } = body;
    if (
      typeof error === 'object' &&
      error !== null &&
      'message' in error &&
      typeof error.message === 'string'
    ) {
      const code = 'code' in error && typeof error.code === 'string' ? error.code : 'error';
      return new ApiError(error.message, code, status);
    }
  }
  return new ApiError('Something went wrong. Please try again.', 'error', status);
}

/** Why the server refused, where it said so: a rule of the organization, a text that is too long, a file that is gone. */
export function refusal(error: Error | null): string | null {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : null;
}
