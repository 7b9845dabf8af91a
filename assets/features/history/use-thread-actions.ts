import { useQueryClient } from '@tanstack/react-query';
import { refusal } from 'api/errors';
import { keys } from 'api/queries';
import type { ThreadSummary } from 'api/types';
import { useMemo } from 'react';
import { toastShow } from 'stores/toast';
import { changeThread, deleteThread, restoreThread } from './api';

type Call = () => Promise<ThreadSummary[] | undefined>;

export interface ThreadActions {
  rename(thread: ThreadSummary, summary: string): void;
  archive(thread: ThreadSummary): void;
  unarchive(thread: ThreadSummary): void;
  remove(thread: ThreadSummary): void;
}

export const FAILED = 'This could not be changed. Please try again.';
/** A thread that came without a summary: it may be years old, so it is not called new. */
export const UNTITLED = 'Untitled conversation';

export const nameOf = ({ summary }: ThreadSummary): string => summary || UNTITLED;

/**
 * What is done with a thread of the history. Each is done at once, said, and can be undone for as long as a toast that
 * stays is there (10 s, SPEC 4). `onGone` is called where the `current` thread was deleted, `onBack` where it is back.
 */
export function useThreadActions(
  current: string | null,
  onGone: () => void,
  onBack: (threadId: string) => void,
): ThreadActions {
  const client = useQueryClient();
  return useMemo(() => {
    /** Whether it was done; the list is then as the server has it. */
    const done = async (call: Call): Promise<boolean> => {
      try {
        const rows = await call();
        if (rows) client.setQueryData(keys.threads, rows);
        return true;
      } catch (error) {
        toastShow('error', (error instanceof Error && refusal(error)) || FAILED);
        void client.invalidateQueries({ queryKey: keys.threads });
        return false;
      }
    };
    const undoable = async (
      call: Call,
      told: string,
      undo: Call,
      then: { done?(): void; undone?(): void } = {},
    ) => {
      if (!(await done(call))) return;
      then.done?.();
      toastShow('complete', told, true, {
        label: 'Undo',
        run: async () => {
          if (await done(undo)) then.undone?.();
        },
      });
    };
    const archived = ({ thread_id }: ThreadSummary, into: boolean): Call => {
      return () => changeThread({ thread_id, archived: into });
    };
    return {
      rename: (thread, summary) => {
        const { thread_id } = thread;
        // one without a name gets none back: the server keeps no empty names
        const former = nameOf(thread);
        void undoable(
          () => changeThread({ thread_id, summary }),
          `Renamed to “${summary}”.`,
          () => changeThread({ thread_id, summary: former }),
        );
      },
      archive: (thread) =>
        void undoable(archived(thread, true), `“${nameOf(thread)}” was archived.`, archived(thread, false)),
      unarchive: (thread) =>
        void undoable(archived(thread, false), `“${nameOf(thread)}” was restored.`, archived(thread, true)),
      remove: (thread) => {
        const { thread_id } = thread;
        const wasOpen = thread_id === current;
        void undoable(
          () => deleteThread(thread_id),
          `“${nameOf(thread)}” was deleted.`,
          () => restoreThread(thread_id),
          {
            done: () => {
              if (wasOpen) onGone();
              client.removeQueries({ queryKey: keys.thread(thread_id) });
            },
            undone: () => {
              if (wasOpen) onBack(thread_id);
            },
          },
        );
      },
    };
  }, [client, current, onGone, onBack]);
}
