import { api } from 'api/client';
import type { ThreadSummary } from 'api/types';

/** Each answers with the history as it is then. */
const THREADS = '/threads';

export const changeThread = (change: { thread_id: string; summary?: string; archived?: boolean }) =>
  api.put<ThreadSummary[]>(THREADS, change);
export const deleteThread = (thread_id: string) => api.remove<ThreadSummary[]>(THREADS, { thread_id });
export const restoreThread = (thread_id: string) =>
  api.post<ThreadSummary[]>(`${THREADS}/restore`, { thread_id });
