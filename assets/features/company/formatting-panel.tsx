import { refusal } from 'api/errors';
import type { AxisFormatting, Preferences } from 'api/types';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { SaveBar } from 'design/components/save-bar';
import { Skeleton } from 'design/components/skeleton';
import { ToggleRow } from 'design/components/toggle';
import type { ReactNode } from 'react';
import { type FormattingEdit, formattingEdit, useCompanyEdits } from 'stores/company';
import { useSavePreferences } from './api';
import { ColorField } from './color-field';
import styles from './company.module.css';
import { FORMATTING_FAILED, FORMATTING_SAVED } from './copy';
import { SampleChart } from './sample-chart';

interface Props {
  /** As saved; undefined while they are loaded. */
  preferences: Preferences | undefined;
  failed: boolean;
  footer: ReactNode;
  onRetry(): void;
  onBack(): void;
  onClose(): void;
}

type Part = 'title' | 'x_axis' | 'y_axis';

const COLOR_NAMES = ['Primary', 'Secondary', 'Tertiary'] as const;
const PARTS: readonly { id: Part; title: string }[] = [
  { id: 'title', title: 'Title' },
  { id: 'x_axis', title: 'X axis label' },
  { id: 'y_axis', title: 'Y axis label' },
];
const FLAGS: readonly { id: keyof AxisFormatting; label: string }[] = [
  { id: 'bold', label: 'Bold' },
  { id: 'underline', label: 'Underline' },
  { id: 'italicize', label: 'Italicize' },
  { id: 'colors', label: 'Colors' },
];

/** How charts look for this member: three colours, the texts, the gridlines. Saved on Submit (SPEC 4). */
export function FormattingPanel({ preferences, failed, footer, onRetry, onBack, onClose }: Props) {
  const edited = useCompanyEdits((edits) => edits.formatting);
  const leave = () => {
    formattingEdit(null);
    onBack();
  };
  const saving = useSavePreferences({ saved: FORMATTING_SAVED, failed: FORMATTING_FAILED }, leave);
  const shown: FormattingEdit | undefined = edited ?? preferences;
  const changed = edited !== null && preferences !== undefined && !same(edited, preferences);

  function submit() {
    if (!changed || edited === null) leave();
    else saving.mutate({ chart_formatting: edited.chart_formatting, colors: [...edited.colors] });
  }

  return (
    <Panel
      title="Chart Formatting"
      footer={footer}
      onBack={onBack}
      onClose={onClose}
      actions={
        shown && <SaveBar edited={changed} saving={saving.isPending} onCancel={leave} onSubmit={submit} />
      }
    >
      {shown ? (
        <>
          <div className={styles.sample}>
            <SampleChart formatting={shown.chart_formatting} colors={shown.colors} />
          </div>
          <p className={styles.help}>The sample follows every change. Your charts change once you submit.</p>
          {refusal(saving.error) && (
            <p className={styles.refused} role="alert">
              {refusal(saving.error)}
            </p>
          )}
          <Fields edit={shown} />
        </>
      ) : failed ? (
        <FailedLoad sentence="Your chart formatting could not be loaded." onRetry={onRetry} />
      ) : (
        <Skeleton rows={4} text="Loading chart formatting..." />
      )}
    </Panel>
  );
}

function Fields({ edit }: { edit: FormattingEdit }) {
  const { chart_formatting: formatting, colors } = edit;
  const set = (change: Partial<FormattingEdit>) =>
    formattingEdit({ chart_formatting: formatting, colors, ...change });
  const flag = (part: Part, name: keyof AxisFormatting, on: boolean) =>
    set({ chart_formatting: { ...formatting, [part]: { ...formatting[part], [name]: on } } });
  return (
    <>
      <h3 className={styles.section}>Colors</h3>
      <div className={styles.card}>
        {COLOR_NAMES.map((name, index) => (
          <ColorField
            key={name}
            name={name}
            color={colors[index] ?? '#000000'}
            onChange={(color) =>
              set({ colors: COLOR_NAMES.map((_, at) => (at === index ? color : (colors[at] ?? '#000000'))) })
            }
          />
        ))}
      </div>
      {PARTS.map(({ id, title }) => (
        <section key={id} aria-label={title}>
          <h3 className={styles.section}>{title}</h3>
          <div className={styles.card}>
            {FLAGS.map(({ id: name, label }) => (
              <ToggleRow
                key={name}
                label={label}
                name={`${title}: ${label.toLowerCase()}`}
                checked={formatting[id][name]}
                onChange={(on) => flag(id, name, on)}
              />
            ))}
          </div>
        </section>
      ))}
      <h3 className={styles.section}>Gridlines</h3>
      <div className={styles.card}>
        <ToggleRow
          label="Enabled"
          name="Gridlines: enabled"
          checked={formatting.gridlines.enabled}
          onChange={(enabled) => set({ chart_formatting: { ...formatting, gridlines: { enabled } } })}
        />
      </div>
    </>
  );
}

function same(one: FormattingEdit, other: FormattingEdit): boolean {
  const parts = (edit: FormattingEdit) =>
    JSON.stringify([
      PARTS.map(({ id }) => FLAGS.map((flag) => edit.chart_formatting[id][flag.id])),
      edit.chart_formatting.gridlines.enabled,
      edit.colors.map((color) => color.toUpperCase()),
    ]);
  return parts(one) === parts(other);
}
