import edges from 'design/components/edge.module.css';
import { NoValue } from 'design/components/no-value';
import { useEdges } from 'design/use-edges';
import { decimalsFor } from 'lib/chart-format';
import type { ChartModel } from 'lib/chart-model';
import { useRef } from 'react';
import styles from './chart-card.module.css';
import { valueText } from './chart-tooltip';

const MOST_DECIMALS = 4;

/** The chart's figures as a table: exact, for everyone, also where no drawing is possible. */
export function ChartTable({ model }: { model: ChartModel }) {
  const scroller = useRef<HTMLElement>(null);
  const edge = useEdges(scroller);
  const title =
    (model.horizontal ? model.y : model.x).title || (model.labelKind === 'time' ? 'Date' : 'Category');
  return (
    <div className={`${styles.tableBox} ${edges.edge}`} data-more={edge.right || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={scroller} tabIndex={0} aria-label={`${model.title || 'Chart'} as a table`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              {model.series.map(({ name, unit }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place in the file
                <th key={index} scope="col" className={styles.number}>
                  {name || (model.horizontal ? model.x : model.y).title || 'Value'}
                  {unit && !name.includes(unit) && <span className={styles.unit}> {unit}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <Rows model={model} />
        </table>
      </section>
    </div>
  );
}

function Rows({ model }: { model: ChartModel }) {
  const decimals = model.series.map(({ unit }, index) =>
    decimalsFor(
      model.rows.flatMap(({ values }) => values[index] ?? []),
      unit,
      MOST_DECIMALS,
    ),
  );
  return (
    <tbody>
      {model.rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows may share a label; their order is fixed
        <tr key={place}>
          <th scope="row">{row.label}</th>
          {model.series.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <td key={index} className={styles.number}>
              {row.values[index] === null ? <NoValue /> : valueText(row.values[index], null, decimals[index])}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
