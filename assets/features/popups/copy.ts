/** The sentences of the popups (SPEC 2, 5, 8). */
export const EMPTY_FEEDBACK = 'Please provide feedback before submitting.';
export const EMPTY_FIELD = 'Please write something first.';
export const EMPTY_REQUEST = 'Please name at least one data source.';
export const FEEDBACK_FAILED = 'Feedback failed to send. Please try again later.';
export const FEEDBACK_SENT = 'Thank you for your feedback!';
export const chooseFiles = (product: string) =>
  `Which files would you like ${product} to analyze with your request?`;
export const didWell = (product: string) => `What did ${product} do well?`;
export const doBetter = (product: string) => `What can ${product} do better?`;
export const SHOULD_HAVE_USED = 'What should have been used to answer your question? (Optional)';
