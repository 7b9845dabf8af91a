import { Tabs } from 'design/components/tabs';
import { type ReactNode, useId } from 'react';
import { answerViewSet, useAnswerView } from 'stores/answer-view';
import styles from './chart-or-table.module.css';

const VIEWS = [
  { id: 'chart', label: 'Chart' },
  { id: 'table', label: 'Table' },
] as const;

interface Props {
  chart: (onTable: () => void) => ReactNode;
  table: ReactNode;
}

/** A chart and the table of its rows in one card; what the reader looked at last is shown in the next answer too. */
export function ChartOrTable({ chart, table }: Props) {
  const id = useId();
  const view = useAnswerView();
  return (
    <div className={styles.card}>
      <Tabs label="Chart or table" tabs={VIEWS} current={view} onChange={answerViewSet} controls={id} />
      <div id={id} role="tabpanel" aria-labelledby={`${id}-${view}`} className={styles.panel}>
        {view === 'chart' ? chart(() => answerViewSet('table')) : table}
      </div>
    </div>
  );
}
