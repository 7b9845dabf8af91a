/** The door to the charts: the drawing library comes in a part of its own when the first chart is seen. */
import { Button } from 'design/components/button';
import { type ComponentType, useEffect, useState } from 'react';
import type { ChartCardProps } from './chart-card';
import styles from './chart-viewer.module.css';

type Card = ComponentType<ChartCardProps>;

let loaded: Card | null = null;
let loading: Promise<typeof import('./chart-card')> | null = null;

function loadCharts(): Promise<typeof import('./chart-card')> {
  loading ??= import(/* webpackChunkName: "charts", webpackPrefetch: true */ './chart-card').then(
    (part) => {
      loaded = part.default;
      return part;
    },
    (reason: unknown) => {
      loading = null; // so that the next try asks the network again
      throw reason;
    },
  );
  return loading;
}

/** Makes the drawing library ready while an answer is worked on: its file was fetched when the page was idle. */
export function prefetchCharts(): void {
  loadCharts().then(
    (part) => part.prefetchRound(),
    () => undefined,
  );
}

type State = { step: 'loading' } | { step: 'ready'; card: Card } | { step: 'failed' };

/** One chart file as a card: drawn, recoloured, changed in type, saved as a picture, read as a table. */
export function ChartViewer(props: ChartCardProps) {
  const [state, setState] = useState<State>(loaded ? { step: 'ready', card: loaded } : { step: 'loading' });
  const { step } = state;
  useEffect(() => {
    if (step !== 'loading') return;
    let wanted = true;
    loadCharts().then(
      (part) => wanted && setState({ step: 'ready', card: part.default }),
      () => wanted && setState({ step: 'failed' }),
    );
    return () => {
      wanted = false;
    };
  }, [step]);
  if (state.step === 'ready') {
    const { card: ChartCard } = state;
    return (
      <div className={styles.frame}>
        <ChartCard {...props} />
      </div>
    );
  }
  if (state.step === 'failed') {
    return (
      <div className={styles.failed} role="alert">
        The chart could not be loaded.
        <Button small onClick={() => setState({ step: 'loading' })}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.loading}>
      <div className={styles.bone} />
      <p className="visually-hidden">Loading chart</p>
    </div>
  );
}
