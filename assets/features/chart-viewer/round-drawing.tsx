import type { ChartType } from 'lib/chart-file';
import type { DrawingProps } from './drawing';
import { PolarAreaDrawing } from './polar-area-drawing';
import { RadarDrawing } from './radar-drawing';
import { SlicesDrawing } from './slices-drawing';

export type RoundType = Extract<ChartType, 'pie' | 'doughnut' | 'radar' | 'polarArea'>;

/** The round charts: a part of their own, because most charts are not round. */
export default function RoundDrawing({ type, ...props }: DrawingProps & { type: RoundType }) {
  switch (type) {
    case 'pie':
      return <SlicesDrawing {...props} hole={false} />;
    case 'doughnut':
      return <SlicesDrawing {...props} hole />;
    case 'radar':
      return <RadarDrawing {...props} />;
    case 'polarArea':
      return <PolarAreaDrawing {...props} />;
  }
}
