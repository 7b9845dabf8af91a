import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sourceArrived, sourceGone } from 'api/queries';
import type { Source } from 'api/types';
import { countOf } from 'lib/format';
import { toastShow } from 'stores/toast';
import { deleteFailed, deleteFile, retryFile } from './api';
import styles from './manage-data-panel.module.css';
import { groupsOf, SourceGroup } from './source-groups';
import { SourceRow } from './source-row';

export interface RowActions {
  onPreview(fileName: string): void;
  onEditContext(fileName: string): void;
  /** Whether this member may delete what others brought. */
  deletesAny?: boolean;
}

interface Props extends RowActions {
  title: string;
  sources: readonly Source[];
  /** Their service refreshes them no more. */
  resting?: boolean;
  /** What stands in the place of rows where there are none. */
  none: string;
}

/** Files of one kind, each to look into, to describe and to delete. */
export function SourceList(props: Props) {
  const { title, sources, resting = false, none, onPreview, onEditContext, deletesAny } = props;
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: deleteFile,
    onSuccess: (_reply, fileName) => {
      sourceGone(client, fileName);
      toastShow('complete', `${fileName} deleted`);
    },
    onError: (_error, fileName) => toastShow('error', deleteFailed(fileName)),
  });
  const retrial = useMutation({
    mutationFn: retryFile,
    onSuccess: (source) => source && sourceArrived(client, source),
    onError: (error) => toastShow('error', error.message),
  });
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      {sources.length === 0 ? (
        <p className={styles.none}>{none}</p>
      ) : (
        groupsOf(sources, workbookOf).map(({ whole, members }) => (
          <SourceGroup
            key={members[0]?.file_name}
            name={whole?.name}
            count={countOf(members.length, 'sheet')}
          >
            {members.map((source) => (
              <SourceRow
                key={source.file_name}
                source={source}
                resting={resting}
                deleting={removal.isPending && removal.variables === source.file_name}
                removable={source.mine || Boolean(deletesAny)}
                onPreview={onPreview}
                onEditContext={onEditContext}
                onDelete={removal.mutate}
                onRetry={retrial.mutate}
              />
            ))}
          </SourceGroup>
        ))
      )}
    </section>
  );
}

const workbookOf = ({ workbook }: Source) => (workbook ? { key: workbook, name: workbook } : null);
