import { api } from 'api/client';
import type { RunSnapshot, SendReply } from 'api/types';
import { modelsToAsk } from 'stores/models';
import type { Asked } from './run-machine';

/** What is asked of the server for one run; a test hands in its own. */
export interface RunCalls {
  send(asked: Asked): Promise<SendReply | undefined>;
  poll(ids: { threadId: string; runId: string; parentId: string | null }): Promise<RunSnapshot | undefined>;
  cancel(runId: string): Promise<RunSnapshot | undefined>;
}

export const runCalls: RunCalls = {
  send: (asked) =>
    api.post('/ask', {
      prompt: asked.prompt,
      thread_id: asked.threadId,
      ...modelsToAsk(),
      parent_message_id: asked.parentId,
      ...(asked.files.length > 0 ? { user_specified_files: asked.files } : {}),
    }),
  poll: ({ threadId, runId, parentId }) =>
    api.post('/ask', {
      thread_id: threadId,
      run_id: runId,
      models: modelsToAsk().models,
      parent_message_id: parentId,
    }),
  cancel: (runId) => api.post(`/runs/${encodeURIComponent(runId)}/cancel`, {}),
};

interface Suggestion {
  suggested_question: string;
}

/** The key they are kept under. */
export const SUGGESTIONS = ['suggestions'] as const;

export async function loadSuggestions(): Promise<string[]> {
  const suggestions = (await api.get<Suggestion[]>('/question-suggestions')) ?? [];
  return suggestions.map((one) => one.suggested_question).filter(Boolean);
}

export function rateAnswer(threadId: string, messageId: string, up: boolean): Promise<unknown> {
  return api.post('/rate-answer', { thread_id: threadId, message_id: messageId, is_thumbs_up: up });
}
