import { IconButton } from 'design/components/icon-button';
import type { ChartType } from 'lib/chart-file';
import { Copy, Download, Palette, Table2 } from 'lucide-react';
import styles from './chart-card.module.css';
import { ChartTypeIcon } from './chart-icons';

/** The open picker; one at most, so opening one closes the other (SPEC §2). */
export type Panel = 'type' | 'colors' | null;

interface Props {
  id: string;
  type: ChartType;
  panel: Panel;
  table: boolean;
  onPanel: (panel: Panel) => void;
  /** Null where the table stands in a tab beside the chart. */
  onTable: ((table: boolean) => void) | null;
  /** Whether something is shown that has colours. */
  colored: boolean;
  /** Both null where there is no drawing to make a picture of. */
  onCopy: (() => void) | null;
  onDownload: (() => void) | null;
}

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

export function ChartTools(props: Props) {
  const { id, type, panel, table, colored, onPanel, onTable, onCopy, onDownload } = props;
  const opener = (wanted: Exclude<Panel, null>) => ({
    pressed: panel === wanted,
    'aria-expanded': panel === wanted,
    'aria-controls': panel === wanted ? `${id}-${wanted}` : undefined,
    onClick: () => onPanel(panel === wanted ? null : wanted),
  });
  return (
    <div className={styles.tools}>
      <IconButton name="Chart type" icon={<ChartTypeIcon type={type} />} {...opener('type')} />
      <IconButton name="Colors" icon={<Palette {...ICON} />} disabled={!colored} {...opener('colors')} />
      {onTable && (
        <IconButton
          name="Show as table"
          tip={table ? 'Show as chart' : undefined}
          icon={<Table2 {...ICON} />}
          pressed={table}
          onClick={() => onTable(!table)}
        />
      )}
      <IconButton
        name="Copy image"
        icon={<Copy {...ICON} />}
        disabled={onCopy === null}
        onClick={onCopy ?? undefined}
      />
      <IconButton
        name="Download as PNG"
        icon={<Download {...ICON} />}
        disabled={onDownload === null}
        onClick={onDownload ?? undefined}
      />
    </div>
  );
}
