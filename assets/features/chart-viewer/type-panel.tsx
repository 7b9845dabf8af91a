import { CHART_TYPE_NAMES, CHART_TYPES, type ChartType } from 'lib/chart-file';
import styles from './chart-card.module.css';
import { ChartTypeIcon } from './chart-icons';

interface Props {
  id: string;
  current: ChartType;
  /** Why a type does not suit this data; null where it does. */
  whyNot: (type: ChartType) => string | null;
  onPick: (type: ChartType) => void;
}

export function TypePanel({ id, current, whyNot, onPick }: Props) {
  return (
    <fieldset id={id} className={styles.panel}>
      <legend className={styles.panelTitle}>Chart type</legend>
      <div className={styles.types}>
        {CHART_TYPES.map((type) => {
          const reason = type === current ? null : whyNot(type);
          return (
            <button
              key={type}
              type="button"
              className={styles.type}
              aria-label={CHART_TYPE_NAMES[type]}
              aria-description={reason ?? undefined}
              aria-pressed={type === current}
              data-dimmed={reason === null ? undefined : ''}
              data-tip={reason ?? undefined}
              onClick={() => onPick(type)}
            >
              <ChartTypeIcon type={type} />
              {CHART_TYPE_NAMES[type].replace(/ Chart$/, '')}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
