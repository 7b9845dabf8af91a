import { api } from 'api/client';

export interface Feedback {
  kind: 'feedback' | 'source-request' | 'thumbs';
  text: string;
  /** Lines of "role: content". */
  chatHistory?: string;
  files?: readonly string[];
  isThumbsUp?: boolean;
  /** The answer that a thumb's words are about. */
  about?: { threadId: string; messageId: string };
}

const newYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** The fields of SPEC 7; the time is New York's. */
export function feedbackForm(feedback: Feedback, now = new Date()): FormData {
  const form = new FormData();
  form.set('kind', feedback.kind);
  form.set('Datetime', newYork.format(now));
  form.set('Feedback', feedback.text);
  if (feedback.chatHistory) form.set('ChatHistory', feedback.chatHistory);
  if (feedback.files?.length) form.set('UserSelectedFiles', feedback.files.join('\n'));
  if (feedback.isThumbsUp !== undefined) form.set('ThumbUp', String(feedback.isThumbsUp));
  if (feedback.about) {
    form.set('ThreadId', feedback.about.threadId);
    form.set('MessageId', feedback.about.messageId);
  }
  return form;
}

export function sendFeedback(feedback: Feedback): Promise<unknown> {
  return api.send('/feedback', feedbackForm(feedback));
}
