import { figureText, proseFigure } from 'lib/chart-format';
import styles from './inline-figures.module.css';

export interface Figure {
  readonly name: string;
  readonly unit: string | null;
  readonly value: number;
}

/** Figures of one row in a line, each under its name, where a table would be more frame than content. */
export function InlineFigures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, unit, value }) => {
        const text = proseFigure(value, unit);
        const exact = figureText(value, unit);
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-tip={exact === text ? undefined : exact}>
              {text}
              {exact !== text && <span className="visually-hidden"> (exactly {exact})</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
