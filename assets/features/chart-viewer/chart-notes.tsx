import type { ChartType } from 'lib/chart-file';
import type { ChartModel } from 'lib/chart-model';
import { type ReactNode, useMemo } from 'react';
import { layDown, writtenEvery } from './cartesian-layout';
import styles from './chart-card.module.css';
import type { Look } from './drawing';

interface Props {
  model: ChartModel;
  type: ChartType;
  width: number;
  look: Look;
  onTable: () => void;
  /** A way to what is folded away. */
  children?: ReactNode;
}

const MOST_NAMED = 6;

/** What a drawing cannot show: names that found no room, and labels that have no value. */
export function ChartNotes({ model, type, width, look, onTable, children }: Props) {
  const every = useMemo(() => {
    if (type !== 'bar' && type !== 'line') return 1;
    const { measure } = look;
    const drawn = type === 'bar' ? layDown({ model, width, measure }) : model;
    return writtenEvery({ model: drawn, type, width, measure });
  }, [model, type, width, look]);
  const gaps = useMemo(() => (type === 'bar' || type === 'line' ? gapsOf(model) : ''), [model, type]);
  if (every === 1 && gaps === '' && !children) return null;
  return (
    <p className={styles.notes}>
      {every > 1 && (
        <span>
          Every {ordinal(every)} name is shown.{' '}
          <button type="button" onClick={onTable}>
            Show as table
          </button>
        </span>
      )}
      {gaps !== '' && <span>{gaps}</span>}
      {children}
    </p>
  );
}

/** The labels without any value, by name where they are few. */
function gapsOf({ rows }: ChartModel): string {
  const gaps = rows.filter(({ values }) => values.every((value) => value === null));
  if (gaps.length === 0) return '';
  if (gaps.length > MOST_NAMED) return `No value for ${gaps.length} of ${rows.length}.`;
  return `No value for ${gaps.map(({ label }) => label).join(', ')}.`;
}

/** "2nd", "3rd", "12th". */
function ordinal(count: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' } as Readonly<Record<string, string>>;
  return `${count}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th'}`;
}
