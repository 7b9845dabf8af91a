import { useQueryClient } from '@tanstack/react-query';
import { refusal } from 'api/errors';
import { keys, useMe } from 'api/queries';
import { allows, type LoadedThread, type Message } from 'api/types';
import { crossFade } from 'design/cross-fade';
import { answerAnew, otherReadings, type Readings, teachChoice } from 'features/answer/api';
import { KEPT, NOT_KEPT } from 'features/answer/copy';
import { findMessage } from 'lib/flatten-tree';
import { useCallback, useMemo } from 'react';
import { arrivalAwait } from 'stores/arrival';
import { draftFill } from 'stores/draft';
import { toastShow } from 'stores/toast';

/** Other readings of an answer's parts; one that is taken brings the thread's messages with the new answer. */
export function useReadings(threadId: string | null, messageId: string): Readings | undefined {
  const client = useQueryClient();
  const teaches = useMayTeach();
  return useMemo(() => {
    if (threadId === null) return undefined;
    const answered = { threadId, messageId };
    return {
      teaches,
      find: (key, signal) => otherReadings(answered, key, signal),
      take: async (key, other, always) => {
        const made = await answerAnew(answered, key, other, always);
        if (!made) return;
        arrivalAwait(made.message_id, 'readings');
        crossFade(() =>
          client.setQueryData<LoadedThread | null>(
            keys.thread(threadId),
            (now) => now && { ...now, messages: made.messages },
          ),
        );
        if (always) toastShow('complete', KEPT);
      },
    };
  }, [client, threadId, messageId, teaches]);
}

/** Keeps a choice for the organization; left out where this member may not. */
export function useTeaching(
  threadId: string | null,
  messageId: string,
): ((place: number) => void) | undefined {
  const teach = useCallback(
    (place: number) => {
      teachChoice({ threadId: threadId ?? '', messageId }, place).then(
        () => toastShow('complete', KEPT),
        (error: Error) => toastShow('error', refusal(error) ?? NOT_KEPT),
      );
    },
    [threadId, messageId],
  );
  return useMayTeach() && threadId !== null ? teach : undefined;
}

/** Puts an answer's question back into the composer, the word that was asked for selected, and says that word. */
export function useRewording(threadId: string | null, answer: Message): (() => string | null) | undefined {
  const client = useQueryClient();
  const reword = useCallback(() => {
    const { parent_message_id: asked, answer: parts } = answer;
    const messages = client.getQueryData<LoadedThread | null>(keys.thread(threadId ?? ''))?.messages ?? [];
    const question = findMessage(messages, asked ?? '')?.content ?? '';
    const span = parts?.read_as?.asked ?? parts?.read_as?.unread[0] ?? null;
    draftFill(threadId ?? '', question, span);
    return span && question.slice(span.start, span.end);
  }, [client, threadId, answer]);
  return threadId === null ? undefined : reword;
}

function useMayTeach(): boolean {
  const me = useMe(true).data;
  return me !== undefined && me !== null && allows(me, 'edit_dictionary');
}
