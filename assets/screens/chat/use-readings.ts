import { useQueryClient } from '@tanstack/react-query';
import { refusal } from 'api/errors';
import { keys, useMe } from 'api/queries';
import { allows, type LoadedThread } from 'api/types';
import { answerAnew, otherReadings, type Readings, teachChoice } from 'features/answer/api';
import { KEPT, NOT_KEPT } from 'features/answer/copy';
import { useCallback, useMemo } from 'react';
import { arrivalAwait } from 'stores/arrival';
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
        client.setQueryData<LoadedThread | null>(
          keys.thread(threadId),
          (now) => now && { ...now, messages: made.messages },
        );
        if (always) toastShow('complete', KEPT);
      },
    };
  }, [client, threadId, messageId, teaches]);
}

/** Keeps a choice for the organisation; left out where this member may not. */
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

function useMayTeach(): boolean {
  const me = useMe(true).data;
  return me !== undefined && me !== null && allows(me, 'edit_dictionary');
}
