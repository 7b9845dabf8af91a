import { IconButton } from 'design/components/icon-button';
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
          <IconButton
            key={type}
            name={CHART_TYPE_NAMES[type]}
            icon={<ChartTypeIcon type={type} />}
            size="large"
            pressed={type === current}
            onClick={() => onPick(type)}
          />
        ))}
      </div>
    </fieldset>
  );
}
