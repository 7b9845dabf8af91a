import type { ChartType } from 'lib/chart-file';
import { lazy, memo, Suspense } from 'react';
import { BarDrawing } from './bar-drawing';
import styles from './chart-card.module.css';
import type { DrawingProps } from './drawing';
import { LineDrawing } from './line-drawing';
import { ScatterDrawing } from './scatter-drawing';

const loadRound = () => import(/* webpackChunkName: "charts-round" */ './round-drawing');
const RoundDrawing = lazy(loadRound);

/** Fetches the drawings of round charts before the first of them is picked. */
export function prefetchRound(): void {
  loadRound().catch(() => undefined);
}

/** One component a family. Memoised: a thread that streams renders its parents many times a second. */
export const ChartDrawing = memo(function ChartDrawing({
  type,
  ...props
}: DrawingProps & { type: ChartType }) {
  switch (type) {
    case 'line':
      return <LineDrawing {...props} />;
    case 'scatter':
      return <ScatterDrawing {...props} />;
    case 'bar':
      return <BarDrawing {...props} />;
    default:
      return (
        <Suspense fallback={<div className={styles.waiting} />}>
          <RoundDrawing {...props} type={type} />
        </Suspense>
      );
  }
});
