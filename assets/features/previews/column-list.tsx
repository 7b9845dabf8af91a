import type { CellValue, ProfileColumn } from 'api/types';
import { timeText } from 'lib/epochs';
import { count } from 'lib/format';
import styles from './column-list.module.css';

/** One row a column: its name and kind, what its values look like, and how many are missing. */
export function ColumnList({ columns, rows }: { columns: readonly ProfileColumn[]; rows: number }) {
  return (
    <ul className={styles.list}>
      {columns.map((column) => (
        <li key={column.name} className={styles.column}>
          <div className={styles.head}>
            <span className={styles.name}>{column.name}</span>
            <span className={styles.type}>{kindOf(column)}</span>
          </div>
          <Shape column={column} />
          <p className={styles.gaps} data-some={column.missing ? '' : undefined}>
            {gaps(column, rows)}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** "decimal, USD, measure": its type, its unit, what it is for; a column without a repetition may be a key. */
function kindOf({ type, unit, role, unique }: ProfileColumn): string {
  const use = unique && role === 'id' ? 'key' : role === type ? '' : ROLES[role];
  return [type, unit, use].filter(Boolean).join(', ');
}

const ROLES: Readonly<Record<string, string>> = { measure: 'measure', time: 'time', id: 'id' };

function gaps(column: ProfileColumn, rows: number): string {
  if (!column.missing) return 'no gaps';
  const share = (100 * column.missing) / Math.max(1, rows);
  return `${count(column.missing)} missing (${share < 1 ? 'under 1' : Math.round(share)}%)`;
}

/** The value of a column: a number that names something, a year or an id, is not grouped. */
export function columnText(
  value: CellValue,
  column: Pick<ProfileColumn, 'role' | 'type'> | undefined,
): string {
  if (typeof value === 'number' && column?.role !== 'measure') return String(value);
  return cellText(value, column?.type);
}

export function cellText(value: CellValue, type?: string): string {
  if (value === null) return '–';
  if (typeof value === 'number')
    return value.toLocaleString('en-GB', { maximumFractionDigits: 2 }).replace('-', '−');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const date = type === 'date' || type === 'datetime' ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(date)) return timeText(date, type === 'date' ? 'day' : 'minute');
  return value.replace(/T00:00:00(\.0+)?(Z|\+00:00)?$/, '');
}

/** Numbers and dates by their spread, others by their most frequent values. */
function Shape({ column }: { column: ProfileColumn }) {
  const { histogram, minimum, maximum, values, distinct } = column;
  if (column.role === 'id') {
    return (
      <p className={styles.values}>
        {distinct === null ? 'identifies rows' : `${count(distinct)} distinct values`}
      </p>
    );
  }
  if (histogram && histogram.length > 1) {
    const top = Math.max(...histogram, 1);
    return (
      <div className={styles.shape}>
        <svg
          viewBox={`0 0 ${histogram.length * 6} 24`}
          preserveAspectRatio="none"
          className={styles.bars}
          aria-hidden="true"
        >
          {histogram.map((height, index) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars stand in order
              key={index}
              x={index * 6 + 0.5}
              width={5}
              y={24 - Math.max(height > 0 ? 1.5 : 0, (24 * height) / top)}
              height={Math.max(height > 0 ? 1.5 : 0, (24 * height) / top)}
            />
          ))}
        </svg>
        <span className={styles.range}>
          {columnText(minimum, column)} to {columnText(maximum, column)}
        </span>
      </div>
    );
  }
  if (values.length === 0 && minimum === null) {
    return <p className={styles.values}>{distinct === null ? '' : `${count(distinct)} distinct values`}</p>;
  }
  if (values.length === 0) {
    return (
      <p className={styles.values}>
        {columnText(minimum, column)} to {columnText(maximum, column)}
      </p>
    );
  }
  const rest = (distinct ?? values.length) - Math.min(values.length, 4);
  return (
    <p className={styles.values}>
      {values.slice(0, 4).map(({ value, count: times }) => (
        <span key={String(value)} className={styles.value}>
          {columnText(value, column)} <span>{count(times)}×</span>
        </span>
      ))}
      {rest > 0 && <span className={styles.rest}>and {count(rest)} more</span>}
    </p>
  );
}
