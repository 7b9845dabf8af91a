import { FailedLoad } from 'design/components/failed-load';
import { TextArea } from 'design/components/field';
import { Panel } from 'design/components/panel';
import { SaveBar } from 'design/components/save-bar';
import { Skeleton } from 'design/components/skeleton';
import type { ReactNode } from 'react';
import styles from './company.module.css';
import { ADMINS_ONLY } from './copy';

interface Props {
  title: string;
  /** What the text is for, and what to write. */
  help: string;
  label: string;
  placeholder: string;
  loading: string;
  /** The text as saved; undefined while it is loaded. */
  saved: string | undefined;
  failed: string | null;
  /** The text as edited; null where nothing was typed. */
  edited: string | null;
  error: string | null;
  saving: boolean;
  /** The member may read it and no more: an admin keeps it. */
  readOnly: boolean;
  footer: ReactNode;
  onEdit(text: string): void;
  onRetry(): void;
  onCancel(): void;
  onSubmit(): void;
  onBack(): void;
  onClose(): void;
}

const MAX_CHARACTERS = 20_000;

/** One long text with Cancel and Submit. */
export function TextPanel(props: Props) {
  const { title, help, label, placeholder, loading, saved, failed, edited, error, saving, readOnly, footer } =
    props;
  return (
    <Panel
      title={title}
      footer={footer}
      onBack={props.onBack}
      onClose={props.onClose}
      actions={
        saved !== undefined &&
        !readOnly && (
          <SaveBar
            edited={edited !== null && edited !== saved}
            saving={saving}
            onCancel={props.onCancel}
            onSubmit={props.onSubmit}
          />
        )
      }
    >
      <div className={styles.page}>
        <p className={styles.help}>{help}</p>
        {readOnly && <p className={styles.locked}>{ADMINS_ONLY}</p>}
        {saved !== undefined ? (
          <div className={styles.text}>
            <TextArea
              label={label}
              placeholder={placeholder}
              value={readOnly ? saved : (edited ?? saved)}
              readOnly={readOnly}
              maxLength={MAX_CHARACTERS}
              rows={14}
              error={error}
              onChange={(event) => props.onEdit(event.target.value)}
            />
          </div>
        ) : failed ? (
          <FailedLoad sentence={failed} onRetry={props.onRetry} />
        ) : (
          <div className={styles.waiting}>
            <p className={styles.label}>{label}</p>
            <Skeleton rows={1} height="max(240px, 100dvh - 340px)" text={loading} />
          </div>
        )}
      </div>
    </Panel>
  );
}
