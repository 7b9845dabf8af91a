/** The sentences of the check by several approaches (SPEC 2, 4, 8; UI.md 7). */
import type { Verdict } from './approaches';

export const VALIDATE = 'Validate';
export const VALIDATING = 'Validating...';
export const VALIDATION_FAILED = 'Error validating message. Please refresh and try again.';
export const SELECT = 'Select';
export const SELECT_FAILED = 'The approach could not be selected. Please try again.';
export const CLOSE = 'Close';
export const RECOMMENDED = 'Recommended';
/** The first tab is what stands in the conversation, the others are counted from two. */
export const tabName = (index: number) => (index === 0 ? 'Selected Approach' : `Approach ${index + 1}`);

/** What the methods did: never that an answer is right. */
export const VERDICTS: Readonly<Record<Verdict, string>> = {
  agree: 'All methods agree',
  mixed: 'Some methods disagree',
  disagree: 'Methods disagree',
};
