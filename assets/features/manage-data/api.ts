import { api, uploadForm } from 'api/client';
import type { Source, UploadReply } from 'api/types';

/** Sends files as file-0, file-1, ...; `onProgress` gets the share that has left this browser. */
export function uploadFiles(
  files: readonly File[],
  onProgress: (share: number) => void,
): Promise<UploadReply | undefined> {
  const form = new FormData();
  for (const [index, file] of files.entries()) form.append(`file-${index}`, file, file.name);
  return uploadForm<UploadReply>('/files', form, onProgress);
}

/** SPEC 7: only a message that says so means that the file is gone. */
export async function deleteFile(fileName: string): Promise<void> {
  const reply = await api.remove<{ message?: string }>('/files', { filename: fileName });
  if (!reply?.message?.includes('successfully deleted')) throw new Error(deleteFailed(fileName));
}

/** Another try for a file that could not be read; answers how it stands now. */
export const retryFile = (fileName: string) =>
  api.post<Source>(`/files/retry?filename=${encodeURIComponent(fileName)}`, {});

export const deleteFailed = (fileName: string) => `Error deleting ${fileName}. Please try again.`;
export const uploadFailed = (count: number) => `Failed to upload files: ${count}`;
