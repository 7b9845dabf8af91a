import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { refusal } from 'api/errors';
import { IconButton } from 'design/components/icon-button';
import { Lock, LockOpen } from 'lucide-react';
import { toastShow } from 'stores/toast';
import styles from './private-column.module.css';

interface Privacy {
  may_edit: boolean;
  tables: readonly { name: string; columns: readonly string[] }[];
}

interface Place {
  fileName: string;
  table: string;
  column: string;
}

const key = (fileName: string) => ['privacy', fileName];
const path = (fileName: string) => `/files/dictionary/privacy?filename=${encodeURIComponent(fileName)}`;

function usePrivate({ fileName, table, column }: Place): boolean | null {
  const { data } = useQuery({
    queryKey: key(fileName),
    queryFn: async () =>
      (await api.get<Privacy>('/files/dictionary/privacy', { filename: fileName })) ?? null,
  });
  return data ? Boolean(data.tables.find(({ name }) => name === table)?.columns.includes(column)) : null;
}

/** Says of a private column that it is one. */
export function PrivateNote(place: Place) {
  if (!usePrivate(place)) return null;
  return (
    <p className={styles.note}>
      <Lock size={14} strokeWidth={1.75} aria-hidden="true" />
      Private: no language model is told its name or its values.
    </p>
  );
}

/** Makes a column private, or takes that back. */
export function PrivateButton(place: Place) {
  const { fileName, table, column } = place;
  const held = usePrivate(place);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: boolean) => api.put<Privacy>(path(fileName), { table, column, private: wanted }),
    onSuccess: (now) => client.setQueryData(key(fileName), now),
    onError: (error) => toastShow('error', refusal(error) ?? 'This could not be changed. Please try again.'),
  });
  if (held === null) return null;
  const Icon = held ? Lock : LockOpen;
  return (
    <IconButton
      name={`Keep ${column} from language models`}
      tip={held ? 'Private. Let models see it' : 'Make private'}
      pressed={held}
      disabled={change.isPending}
      icon={<Icon size={18} strokeWidth={1.75} />}
      onClick={() => change.mutate(!held)}
    />
  );
}
