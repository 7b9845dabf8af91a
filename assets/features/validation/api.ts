import { api } from 'api/client';
import type { RunSnapshot } from 'api/types';

/** What is asked of the server for one check; a test hands in its own. */
export interface ValidationCalls {
  start(checked: Checked): Promise<RunSnapshot | undefined>;
  poll(threadId: string, runId: string): Promise<RunSnapshot | undefined>;
  cancel(runId: string): Promise<unknown>;
}

/** The answer that is checked: the run that gave it, and whose. */
export interface Checked {
  threadId: string;
  runId: string;
  questionId: string;
  organization: string | null;
}

export const validationCalls: ValidationCalls = {
  start: ({ threadId, runId, organization }) =>
    api.post('/ask', { thread_id: threadId, run_id: runId, organization, should_validate: true }),
  poll: (threadId, runId) =>
    api.post('/ask', { thread_id: threadId, run_id: runId, models: null, parent_message_id: null }),
  cancel: (runId) => api.post(`/runs/${encodeURIComponent(runId)}/cancel`, {}),
};

export function selectApproach(threadId: string, runId: string, messageId: string): Promise<unknown> {
  return api.post('/ask', {
    thread_id: threadId,
    run_id: runId,
    selected_assistant_message_id: messageId,
  });
}
