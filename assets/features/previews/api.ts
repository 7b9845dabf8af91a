import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, fetchFile, uploadForm } from 'api/client';
import { ApiError } from 'api/errors';
import { sourceArrived } from 'api/queries';
import type { Source, SourceProfile } from 'api/types';
import { saveFile } from 'design/save-file';
import { toastShow } from 'stores/toast';
import { DOWNLOAD_FAILED, replaced } from './copy';
import type { FoundRows } from './rows-api';

export const profileKey = (fileName: string) => ['profile', fileName];

export function useProfile(fileName: string) {
  return useQuery({
    queryKey: profileKey(fileName),
    queryFn: async () => (await api.get<SourceProfile>('/files/profile', { filename: fileName })) ?? null,
    staleTime: 60_000,
  });
}

/** The file as it was uploaded. */
export function useDownload(fileName: string) {
  return useMutation({
    mutationFn: () => fetchFile('/files/download', { filename: fileName }, fileName),
    onSuccess: (file) => file && saveFile(file.name, [file.content], 'application/octet-stream'),
    onError: () => toastShow('error', DOWNLOAD_FAILED),
  });
}

export type ExportType = 'csv' | 'xlsx';

/** The table as it was read, for other programs; `found`: only the rows that are looked at. */
export function useExport(fileName: string, found: FoundRows | null) {
  return useMutation({
    mutationFn: (type: ExportType) =>
      fetchFile('/files/export', { filename: fileName, type, ...found }, `table.${type}`),
    onSuccess: (file) => file && saveFile(file.name, [file.content], 'application/octet-stream'),
    onError: (error) => toastShow('error', error instanceof ApiError ? error.message : DOWNLOAD_FAILED),
  });
}

/** A newer version takes the file's place once it is read: names, context and threads stay. */
export function useReplace(fileName: string, onProgress: (share: number) => void, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file-0', file, file.name);
      return uploadForm<Source[]>('/files', form, onProgress, {
        method: 'PUT',
        query: { filename: fileName },
      });
    },
    onSuccess: (sources) => {
      for (const source of sources ?? []) sourceArrived(client, source);
      client.removeQueries({ queryKey: profileKey(fileName) });
      toastShow('complete', replaced(fileName));
      onDone();
    },
  });
}
