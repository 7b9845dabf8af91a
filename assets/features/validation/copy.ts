/** The sentences of the check by several approaches (SPEC 2, 4, 8; UI.md 7). */
import type { Finding } from './approaches';

export const VALIDATE = 'Validate';
export const VALIDATING = 'Validating...';
/** What stands in the panel's place meanwhile. */
export const CHECKING = 'Checking by other methods';
export const STOP_CHECKING = 'Stop checking';
export const VALIDATION_FAILED = 'Error validating message. Please refresh and try again.';
export const SELECT = 'Select';
export const SELECT_FAILED = 'The approach could not be selected. Please try again.';
export const CLOSE = 'Close';
export const RECOMMENDED = 'Recommended';
/** The first tab is what stands in the conversation, the others are counted from two. */
export const tabName = (index: number) => (index === 0 ? 'Selected Approach' : `Approach ${index + 1}`);

/** Where a method parted from the selected one, by its step; the sentence that follows says how. */
export const PARTINGS: Readonly<Record<string, string>> = {
  tables: 'Differs in its tables.',
  join: 'Differs in how it joins tables.',
  filter: 'Differs in its filter.',
  'date field': 'Differs in its date.',
  grouping: 'Differs in its groups.',
  measure: 'Differs in what it computes.',
  order: 'Differs in how many it takes.',
  rows: 'Differs in the rows it counts.',
};

/** What a list of how figures and reading stand is called. */
export const GROUNDS = 'What was checked';

/** What the methods did: never that an answer is right. Computing one reading again and again confirms no reading. */
export const VERDICTS: Readonly<Record<Finding, string>> = {
  agree: 'All methods agree',
  unconfirmed: 'Reading not confirmed',
  doubted: 'Reading uncertain',
  mixed: 'Some methods disagree',
  disagree: 'Methods disagree',
};
