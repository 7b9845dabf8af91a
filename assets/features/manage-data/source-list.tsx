import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sourceArrived, sourceGone } from 'api/queries';
import type { Source } from 'api/types';
import { countOf } from 'lib/format';
import { type ReactNode, useId } from 'react';
import { toastShow } from 'stores/toast';
import { deleteFailed, deleteFile, retryFile } from './api';
import styles from './manage-data-panel.module.css';
import groups from './source-groups.module.css';
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
        groupsOf(sources).map(({ workbook, members }) => (
          <Group key={members[0]?.file_name} workbook={workbook} sheets={members.length}>
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
          </Group>
        ))
      )}
    </section>
  );
}

/** Sheets of one workbook under its name; files between workbooks have none over them. */
function Group({
  workbook,
  sheets,
  children,
}: {
  workbook: string | null;
  sheets: number;
  children: ReactNode;
}) {
  const id = useId();
  if (workbook === null) return <ul className={groups.rows}>{children}</ul>;
  return (
    <div className={groups.workbook} role="group" aria-labelledby={id}>
      <p id={id} className={groups.name}>
        <b>{workbook}</b> <span>{countOf(sheets, 'sheet')}</span>
      </p>
      <ul className={groups.rows}>{children}</ul>
    </div>
  );
}

interface SourceGroup {
  workbook: string | null;
  members: Source[];
}

/** The sources in their order, but the sheets of a workbook together where its first one stands. */
export function groupsOf(sources: readonly Source[]): SourceGroup[] {
  const found: SourceGroup[] = [];
  for (const source of sources) {
    const last = found.at(-1);
    const book = source.workbook ?? null;
    const same = book === null ? last?.workbook === null && last : found.find((one) => one.workbook === book);
    if (same) same.members.push(source);
    else found.push({ workbook: book, members: [source] });
  }
  return found;
}
