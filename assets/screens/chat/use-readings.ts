import { useQueryClient } from '@tanstack/react-query';
import { keys, useMe } from 'api/queries';
import { allows, type LoadedThread } from 'api/types';
import { answerAnew, otherReadings, type Readings } from 'features/answer/api';
import { KEPT } from 'features/answer/copy';
import { useMemo } from 'react';
import { arrivalAwait } from 'stores/arrival';
import { toastShow } from 'stores/toast';

/** Other readings of an answer's parts; one that is taken brings the thread's messages with the new answer. */
export function useReadings(threadId: string | null, messageId: string): Readings | undefined {
  const client = useQueryClient();
  const me = useMe(true).data;
  const teaches = me !== undefined && me !== null && allows(me, 'edit_dictionary');
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
