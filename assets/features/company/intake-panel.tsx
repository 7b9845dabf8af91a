import { refusal } from 'api/errors';
import { ORGANIZATION_CONTEXT, useExplanation } from 'api/queries';
import type { ReactNode } from 'react';
import { contextEdit, useCompanyEdits } from 'stores/company';
import { useSaveExplanation } from './api';
import { COMPANY_FAILED, COMPANY_SAVED } from './copy';
import { TextPanel } from './text-panel';

interface Props {
  product: string;
  readOnly?: boolean;
  footer: ReactNode;
  onBack(): void;
  onClose(): void;
}

/** What every answer should know about the company. One text for all its members. */
export function IntakePanel({ product, readOnly = false, footer, onBack, onClose }: Props) {
  const saved = useExplanation(ORGANIZATION_CONTEXT);
  const edited = useCompanyEdits((edits) => edits.context);
  const leave = () => {
    contextEdit(null);
    onBack();
  };
  const saving = useSaveExplanation(
    ORGANIZATION_CONTEXT,
    { saved: COMPANY_SAVED, failed: COMPANY_FAILED },
    leave,
  );
  return (
    <TextPanel
      title="Company Intake"
      help={`Tell ${product} what a new colleague would need to know: what you sell, how your year and your regions are divided, which figures count. Everyone in your organization shares this text.`}
      label="General context"
      placeholder="Our fiscal year starts in April. A deal counts as won once its stage is Closed Won..."
      loading="Loading company information..."
      saved={saved.data}
      failed={saved.isError ? 'The company information could not be loaded.' : null}
      edited={edited}
      error={refusal(saving.error)}
      saving={saving.isPending}
      readOnly={readOnly}
      footer={footer}
      onEdit={contextEdit}
      onRetry={() => saved.refetch()}
      onCancel={leave}
      onSubmit={() => (edited === null || edited === saved.data ? leave() : saving.mutate(edited))}
      onBack={onBack}
      onClose={onClose}
    />
  );
}
