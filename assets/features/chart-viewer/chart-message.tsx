import { Button } from 'design/components/button';
import { CHART_TYPE_NAMES, type ChartType } from 'lib/chart-file';
import { filtersText } from 'lib/filters';
import styles from './chart-card.module.css';
import { ChartTypeIcon } from './chart-icons';

interface UnsupportedProps {
  product: string;
  type: ChartType;
  /** Ways to what can be shown; left out where there is nothing. */
  onTable?: () => void;
  onType?: (type: ChartType) => void;
}

/** In the drawing's place: that it cannot be drawn, and what can. */
export function Unsupported({ product, type, onTable, onType }: UnsupportedProps) {
  return (
    <div className={styles.message}>
      <ChartTypeIcon type={type} />
      <p>{product} doesn't support this chart type for this data set. Please try another one.</p>
      {onTable && onType && (
        <p className={styles.ways}>
          {type !== 'bar' && (
            <Button small onClick={() => onType('bar')}>
              Show as {CHART_TYPE_NAMES.bar.toLowerCase()}
            </Button>
          )}
          <Button small onClick={onTable}>
            Show as table
          </Button>
        </p>
      )}
    </div>
  );
}

interface EmptyProps {
  title: string;
  type: ChartType;
  rows: number;
  filters: readonly string[];
}

/** A chart without a value: its title stands, and what was left out, so that one knows what is missing. */
export function Empty({ title, type, rows, filters }: EmptyProps) {
  return (
    <>
      {title !== '' && <p className={styles.emptyTitle}>{title}</p>}
      <div className={styles.message} data-empty="">
        <ChartTypeIcon type={type} />
        <p>
          {rows === 0
            ? 'No rows match, so there is nothing to draw.'
            : 'These rows have no value that could be drawn.'}
        </p>
        {filters.length > 0 && <p className={styles.filters}>{filtersText(filters)}</p>}
      </div>
    </>
  );
}
