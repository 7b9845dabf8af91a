import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { SaveBar } from 'design/components/save-bar';
import { Skeleton } from 'design/components/skeleton';
import { type ReactNode, useMemo, useState } from 'react';
import { type Keyword, keywordsEdit, useCompanyEdits } from 'stores/company';
import { refusal, useSavePreferences } from './api';
import styles from './company.module.css';
import { ADMINS_ONLY, KEYWORDS_FAILED, KEYWORDS_SAVED } from './copy';
import { KeywordForm } from './keyword-form';
import { isKnown, keywordMap, keywordRows, newKey, sameKeywords } from './keyword-list';
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

/** The organisation's own words. They are edited here and saved together on Submit (SPEC 4). */
export function KeywordsPanel(props: Props) {
  const { product, keywords, failed, readOnly = false, footer, onRetry, onBack, onClose } = props;
  const edited = useCompanyEdits((edits) => edits.keywords);
  const savedRows = useMemo(() => keywordRows(keywords ?? {}), [keywords]);
  const rows = readOnly ? savedRows : (edited ?? savedRows);
  const [open, setOpen] = useState<number | null>(null);
  const leave = () => {
    keywordsEdit(null);
    onBack();
  };
  const saving = useSavePreferences({ saved: KEYWORDS_SAVED, failed: KEYWORDS_FAILED }, leave);
  const unfinished = rows.find((row) => row.definition.trim() === '');
  const changed = edited !== null && !sameKeywords(keywordMap(edited), keywords ?? {});
  const change = (row: Keyword) => keywordsEdit(rows.map((one) => (one.key === row.key ? row : one)));

  function add(term: string, definition: string): boolean {
    if (isKnown(rows, term)) {
      setOpen(rows.find((row) => row.term.toLowerCase() === term.trim().toLowerCase())?.key ?? null);
      return false;
    }
    keywordsEdit([{ key: newKey(), term: term.trim(), definition: definition.trim() }, ...rows]);
    return true;
  }

  return (
    <Panel
      title="Keywords"
      footer={footer}
      onBack={onBack}
      onClose={onClose}
      actions={
        keywords &&
        !readOnly && (
          <SaveBar
            edited={changed}
            saving={saving.isPending}
            onCancel={leave}
            onSubmit={() => {
              if (!changed) leave();
              else if (unfinished) setOpen(unfinished.key);
              else saving.mutate({ keywords: keywordMap(rows) });
            }}
          />
        )
      }
    >
      <p className={styles.help}>
        Words that mean something of their own in your company. {product} reads them in questions as they are
        defined here, for everyone in your organisation.
      </p>
      {keywords ? (
        <>
          {readOnly ? <p className={styles.locked}>{ADMINS_ONLY}</p> : <KeywordForm onAdd={add} />}
          {refusal(saving.error) && (
            <p className={styles.refused} role="alert">
              {refusal(saving.error)}
            </p>
          )}
          {rows.length === 0 ? (
            <p className={styles.none}>
              No keyword yet.
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
