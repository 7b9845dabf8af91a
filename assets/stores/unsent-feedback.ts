import { storeCreate } from './store';

export type FeedbackKind = 'feedback' | 'request-source' | 'thumbs-up' | 'thumbs-down';

/** What was typed into a feedback popup and not sent: it stands there again when the popup is opened next. */
export const useUnsentFeedback = storeCreate<Partial<Record<FeedbackKind, string>>>(() => ({}));

export const feedbackKeep = (kind: FeedbackKind, text: string): void =>
  useUnsentFeedback.setState({ [kind]: text });
