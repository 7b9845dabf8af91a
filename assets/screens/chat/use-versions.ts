import { useQueryClient } from '@tanstack/react-query';
import { keys } from 'api/queries';
import type { LoadedThread, Message } from 'api/types';
import { crossFade } from 'design/cross-fade';
import { selectApproach } from 'features/validation/api';
import { SELECT_FAILED } from 'features/validation/copy';
import { withSelected } from 'features/validation/select';
import { useCallback } from 'react';
import { toastShow } from 'stores/toast';

/** Shows another answer to the same question; what follows goes on from it. */
export function useVersions(threadId: string | null): (answer: Message) => void {
  const client = useQueryClient();
  return useCallback(
    (answer: Message) => {
      if (threadId === null) return;
      const key = keys.thread(threadId);
      crossFade(() =>
        client.setQueryData<LoadedThread | null>(
          key,
          (now) => now && { ...now, messages: withSelected(now.messages, answer.message_id) },
        ),
      );
      selectApproach(threadId, answer.run_id ?? '', answer.message_id).catch(() => {
        toastShow('error', SELECT_FAILED);
        void client.invalidateQueries({ queryKey: key });
      });
    },
    [client, threadId],
  );
}
