import { useThreads } from 'api/queries';
import type { Message } from 'api/types';
import { pageParams } from 'app/page-params';
import type { RunState } from 'features/conversation/run-machine';
import { useEffect } from 'react';

/** The thread's summary; before it has one what was asked, which a failure leaves standing. */
export function useTitle(
  threadId: string | null,
  messages: readonly Message[] | undefined,
  run: RunState,
): string {
  const threads = useThreads(threadId !== null);
  const summary = threads.data?.find((thread) => thread.thread_id === threadId)?.summary;
  const asked = 'asked' in run ? run.asked.prompt : undefined;
  const title =
    summary || messages?.[0]?.content || asked || (threadId === null ? 'New Chat' : 'Conversation');
  useEffect(() => {
    document.title = threadId === null ? pageParams.product : `${title} - ${pageParams.product}`;
  }, [title, threadId]);
  return title;
}
