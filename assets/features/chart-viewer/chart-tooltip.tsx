import { figureText } from 'lib/chart-format';
import type { ChartModel, Value } from 'lib/chart-model';
import styles from './chart-tooltip.module.css';

export interface TooltipLine {
  readonly name: string;
  readonly figure: string;
  readonly color: string;
}

const MOST = 10;

/** The exact figures at the pointer: name left, figure right. */
export function TooltipBox({ head, lines }: { head: string; lines: readonly TooltipLine[] }) {
  const shown = lines.length > MOST ? lines.slice(0, MOST - 1) : lines;
  return (
    <div className={styles.box}>
      {head !== '' && <p className={styles.head}>{head}</p>}
      {shown.map(({ name, figure, color }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: series may share a name; their order is fixed
        <p key={index} className={styles.line}>
          <span className={styles.mark} style={{ background: color }} />
          <span className={styles.name}>{name}</span>
          <span className={styles.figure}>{figure}</span>
        </p>
      ))}
      {shown.length < lines.length && <p className={styles.more}>and {lines.length - shown.length} more</p>}
    </div>
  );
}

/** A value as text: a figure with its unit, a range as "3 to 9", a gap as an en dash. */
export function valueText(value: Value | undefined, unit: string | null, decimals?: number): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return figureText(value, unit, decimals);
  return `${figureText(value[0], unit, decimals)} to ${figureText(value[1], unit, decimals)}`;
}

/** The lines of one row: every series that has a value there. */
export function rowLines(
  model: ChartModel,
  values: readonly Value[],
  colors: readonly string[],
): TooltipLine[] {
  return model.series.flatMap(({ name, unit }, index) => {
    const value = values[index] ?? null;
    if (value === null) return [];
    return [
      { name: name || 'Value', figure: valueText(value, unit), color: colors[index] ?? 'currentColor' },
    ];
  });
}
