/** The numbers of a validation (SPEC 8, 9): the same spacing and patience as for a question. */
export const POLL_SPACING_MS = 3_000;
export const FIRST_POLL_MS = 1_000;
export const POLL_ATTEMPTS = 40;
export const POLL_RETRIES = 1;
