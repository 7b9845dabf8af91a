import { refusal } from 'api/errors';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { SaveBar } from 'design/components/save-bar';
import { Skeleton } from 'design/components/skeleton';
import { type ReactNode, useMemo, useState } from 'react';
import { type Keyword, keywordDraftEdit, keywordsEdit, NO_DRAFT, useCompanyEdits } from 'stores/company';
import { useSavePreferences } from './api';
import styles from './company.module.css';
import { ADMINS_ONLY, KEYWORDS_FAILED, KEYWORDS_SAVED } from './copy';
import { KeywordForm } from './keyword-form';
import {
  type DraftProblem,
  draftProblem,
  isBlank,
  keywordMap,
  keywordRows,
  newKey,
  sameKeywords,
} from './keyword-list';
import { KeywordRow } from './keyword-row';

interface Props {
  product: string;
  /** As saved; undefined while they are loaded. */
  keywords: Readonly<Record<string, string>> | undefined;
  failed: boolean;
  /** The member may read them and no more: an admin keeps them. */
  readOnly?: boolean;
  footer: ReactNode;
  onRetry(): void;
  onBack(): void;
  onClose(): void;
}

/** The organization's own words. They are edited here and saved together on Submit (SPEC 4). */
export function KeywordsPanel(props: Props) {
  const { product, keywords, failed, readOnly = false, footer, onRetry, onBack, onClose } = props;
  const edited = useCompanyEdits((edits) => edits.keywords);
  const draft = useCompanyEdits((edits) => edits.keywordDraft);
  const savedRows = useMemo(() => keywordRows(keywords ?? {}), [keywords]);
  const rows = readOnly ? savedRows : (edited ?? savedRows);
  const [open, setOpen] = useState<number | null>(null);
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const leave = () => {
    keywordsEdit(null);
    keywordDraftEdit(NO_DRAFT);
    onBack();
  };
  const saving = useSavePreferences({ saved: KEYWORDS_SAVED, failed: KEYWORDS_FAILED }, leave);
  const changed = !isBlank(draft) || (edited !== null && !sameKeywords(keywordMap(edited), keywords ?? {}));
  const change = (row: Keyword) => keywordsEdit(rows.map((one) => (one.key === row.key ? row : one)));

  /** The rows with the draft as the newest; null where it cannot be taken. */
  function add(): readonly Keyword[] | null {
    const term = draft.term.trim();
    const refused = draftProblem(rows, draft);
    setProblem(refused);
    if (refused) {
      setOpen(rows.find((row) => row.term.toLowerCase() === term.toLowerCase())?.key ?? open);
      return null;
    }
    const all = [{ key: newKey(), term, definition: draft.definition.trim() }, ...rows];
    keywordsEdit(all);
    keywordDraftEdit(NO_DRAFT);
    return all;
  }

  /** What was typed and not yet added counts as added: nobody's words are thrown away. */
  function submit() {
    const all = isBlank(draft) ? rows : add();
    if (all === null) return;
    const unfinished = all.find((row) => row.definition.trim() === '');
    if (unfinished) setOpen(unfinished.key);
    else if (sameKeywords(keywordMap(all), keywords ?? {})) leave();
    else saving.mutate({ keywords: keywordMap(all) });
  }

  return (
    <Panel
      title="Keywords"
      footer={footer}
      onBack={onBack}
      onClose={onClose}
      actions={
        keywords &&
        !readOnly && <SaveBar edited={changed} saving={saving.isPending} onCancel={leave} onSubmit={submit} />
      }
    >
      <p className={styles.help}>
        Words that mean something particular in your company. {product} reads them in questions as they are
        defined here, for everyone in your organization.
      </p>
      {keywords ? (
        <>
          {readOnly ? (
            <p className={styles.locked}>{ADMINS_ONLY}</p>
          ) : (
            <KeywordForm
              draft={draft}
              problem={problem}
              onEdit={(typed) => {
                keywordDraftEdit(typed);
                setProblem(null);
              }}
              onAdd={() => add() !== null}
            />
          )}
          {refusal(saving.error) && (
            <p className={styles.refused} role="alert">
              {refusal(saving.error)}
            </p>
          )}
          {rows.length === 0 ? (
            <p className={styles.none}>
              No keywords yet.
              {!readOnly && ' Add one above, such as “ARR” with “the yearly value of active subscriptions”.'}
            </p>
          ) : (
            <ul className={styles.keywords} aria-label="Keywords">
              {rows.map((row) => (
                <KeywordRow
                  key={row.key}
                  keyword={row}
                  readOnly={readOnly}
                  open={open === row.key}
                  onToggle={() => setOpen(open === row.key ? null : row.key)}
                  onChange={change}
                  onDelete={() => keywordsEdit(rows.filter((one) => one.key !== row.key))}
                />
              ))}
            </ul>
          )}
        </>
      ) : failed ? (
        <FailedLoad sentence="Your keywords could not be loaded." onRetry={onRetry} />
      ) : (
        <Skeleton rows={4} text="Loading keywords..." />
      )}
    </Panel>
  );
}
