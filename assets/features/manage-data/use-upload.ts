import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from 'api/errors';
import { keys, sourceArrived } from 'api/queries';
import type { Source, UploadError } from 'api/types';
import { uploadProblem } from 'lib/file-names';
import { useCallback, useState } from 'react';
import { broughtSet } from 'stores/brought';
import { toastShow } from 'stores/toast';
import { uploadFailed, uploadFiles } from './api';

/** A file on its way, and the share of it that has left this browser. */
export interface Sending {
  name: string;
  share: number;
}

export interface Upload {
  /** The files on their way; none while nothing is sent. */
  sending: readonly Sending[];
  /** What could not be taken, file by file, until dismissed or the next upload. */
  problems: readonly UploadError[];
  add(files: Iterable<File>): void;
  dismiss(): void;
}

const NOTHING: readonly Sending[] = [];

/** Files are checked by name first; what is refused does not keep the others from being sent. */
export function useUpload(sources: readonly Source[], product: string): Upload {
  const client = useQueryClient();
  const [problems, setProblems] = useState<readonly UploadError[]>([]);
  const [sending, setSending] = useState(NOTHING);

  const upload = useMutation({
    mutationFn: (files: readonly File[]) => {
      setSending(shares(files, 0));
      return uploadFiles(files, (share) => setSending(shares(files, share)));
    },
    onSuccess: (reply) => {
      for (const source of reply?.sources ?? []) sourceArrived(client, source);
      broughtSet((reply?.sources ?? []).map((source) => source.file_name));
      setProblems((before) => [...before, ...(reply?.errors ?? [])]);
      if (reply && reply.failed_uploads > 0) toastShow('error', uploadFailed(reply.failed_uploads));
    },
    onError: (error, files) => {
      const message = error instanceof ApiError ? error.message : 'The upload failed. Please try again.';
      setProblems((before) => [
        ...before,
        ...files.map((file) => ({ file: file.name, message, code: 'failed' })),
      ]);
      toastShow('error', uploadFailed(files.length));
    },
    onSettled: () => {
      setSending(NOTHING);
      void client.invalidateQueries({ queryKey: keys.sources });
    },
  });

  const { mutate, isPending } = upload;
  const add = useCallback(
    (files: Iterable<File>) => {
      if (isPending) return;
      const names = sources.map((source) => source.file_name);
      const { taken, refused } = sortOut([...files], names, product);
      setProblems(refused);
      if (refused[0])
        toastShow('error', refused.length === 1 ? refused[0].message : uploadFailed(refused.length));
      if (taken.length > 0) mutate(taken);
    },
    [isPending, mutate, product, sources],
  );

  return { sending, problems, add, dismiss: useCallback(() => setProblems([]), []) };
}

/** How far each file is when so much of all has left: they stand in one body, one behind the other. */
export function shares(files: readonly File[], share: number): Sending[] {
  let before = 0;
  const sent = share * files.reduce((sum, file) => sum + file.size, 0);
  return files.map(({ name, size }) => {
    const own = size === 0 ? share : Math.min(1, Math.max(0, (sent - before) / size));
    before += size;
    return { name, share: own };
  });
}

/** Splits files into those that may be sent and those refused by name; a name twice in one choice is refused too. */
export function sortOut(files: readonly File[], existing: readonly string[], product: string) {
  const taken: File[] = [];
  const refused: UploadError[] = [];
  for (const file of files) {
    const known = [...existing, ...taken.map((one) => one.name.replace(/\.xlsx$/i, '.csv'))];
    const message = uploadProblem(file.name, known, product);
    if (message) refused.push({ file: file.name, message, code: 'name' });
    else taken.push(file);
  }
  return { taken, refused };
}
