import { refusal } from 'api/errors';
import { useExplanation } from 'api/queries';
import { displayName } from 'lib/file-names';
import { type ReactNode, useEffect } from 'react';
import { fileContextEdit, useCompanyEdits } from 'stores/company';
import { toastShow } from 'stores/toast';
import { useSaveExplanation } from './api';
import { fileLoadFailed, fileSaved, fileSaveFailed, fileTitle } from './copy';
import { TextPanel } from './text-panel';

interface Props {
  fileName: string;
  product: string;
  readOnly?: boolean;
  footer: ReactNode;
  /** Back to Manage Data: by the arrow, after Submit or Cancel, and where the text cannot be loaded (SPEC 8). */
  onBack(): void;
  onClose(): void;
}

/** What an answer should know about one file. */
export function FileContextPanel({ fileName, product, readOnly = false, footer, onBack, onClose }: Props) {
  const name = displayName(fileName);
  const saved = useExplanation(fileName);
  const edited = useCompanyEdits((edits) => edits.files[fileName] ?? null);
  const leave = () => {
    fileContextEdit(fileName, null);
    onBack();
  };
  const saving = useSaveExplanation(
    fileName,
    { saved: fileSaved(name), failed: fileSaveFailed(name) },
    leave,
  );
  const { isError } = saved;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the load has failed
  useEffect(() => {
    if (!isError) return;
    toastShow('error', fileLoadFailed(name));
    onBack();
  }, [isError]);
  return (
    <TextPanel
      title={fileTitle(name)}
      help={`Say what the file holds and how to read it: what one row stands for, what short column names mean, which rows to leave out. ${product} takes it into account whenever it uses this file.`}
      label="Context"
      placeholder="One row is one invoice line. Amounts are in euro without tax..."
      loading="Loading context..."
      saved={saved.data}
      failed={isError ? fileLoadFailed(name) : null}
      edited={edited}
      error={refusal(saving.error)}
      saving={saving.isPending}
      readOnly={readOnly}
      footer={footer}
      onEdit={(text) => fileContextEdit(fileName, text)}
      onRetry={() => saved.refetch()}
      onCancel={leave}
      onSubmit={() => (edited === null || edited === saved.data ? leave() : saving.mutate(edited))}
      onBack={onBack}
      onClose={onClose}
    />
  );
}
