import { CHART_TYPE_NAMES, CHART_TYPES, type ChartType } from 'lib/chart-file';
import styles from './chart-card.module.css';
import { ChartTypeIcon } from './chart-icons';

interface Props {
  id: string;
  current: ChartType;
  onPick: (type: ChartType) => void;
}

export function TypePanel({ id, current, onPick }: Props) {
  return (
    <fieldset id={id} className={styles.panel}>
      <legend className={styles.panelTitle}>Chart type</legend>
      <div className={styles.types}>
        {CHART_TYPES.map((type) => (
          <button
            key={type}
            type="button"
            className={styles.type}
            aria-label={CHART_TYPE_NAMES[type]}
            aria-pressed={type === current}
            onClick={() => onPick(type)}
          >
            <ChartTypeIcon type={type} />
            {CHART_TYPE_NAMES[type].replace(/ Chart$/, '')}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
