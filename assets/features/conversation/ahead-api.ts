import { api } from 'api/client';

/** What may stand instead of `replaces`, the end of what is typed. */
export interface CompletedWord {
  text: string;
  where: string;
  replaces: string;
}

/** How a text would be read so far, the words of it without a place, and what its last word may become. */
export interface QuestionPreview {
  chips: readonly { part: string; label: string }[];
  unread: readonly string[];
  completions: readonly CompletedWord[];
}

/** A text as it is typed, `before` of it before the cursor. */
export interface Typed {
  text: string;
  before: string;
  threadId: string | null;
  files: readonly string[];
}

export function loadPreview(typed: Typed, signal: AbortSignal): Promise<QuestionPreview | undefined> {
  const { text, before, threadId, files } = typed;
  return api.post(
    '/question-previews',
    { text, before, thread_id: threadId, ...(files.length > 0 ? { user_specified_files: files } : {}) },
    signal,
  );
}
