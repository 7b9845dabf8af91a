/** The numbers of sending a question (SPEC 4, 9). */
export const LOADING_DELAY_MS = 750;
export const FIRST_RESPONSE_WAIT_MS = 5_000;
export const POLL_SPACING_MS = 3_000;
export const POLL_ATTEMPTS = 40;
export const POLL_RETRIES = 1;
/** The first poll may come sooner than the others: most answers are there by then. */
export const FIRST_POLL_MS = 1_000;
export const INPUT_MAX_HEIGHT = 120;
export const EXAMPLE_QUESTIONS = 4;
export const AUDIO_VOLUME = 0.35;
/** Turns shown at first, and added each time the reader scrolls up to them. */
export const TURNS_PER_PAGE = 40;
/** So long nothing is typed before what is there is previewed: shorter than people notice, longer than between two keys. */
export const PREVIEW_PAUSE_MS = 120;
/** A text below is the beginning of a word. */
export const PREVIEW_LEAST = 2;
