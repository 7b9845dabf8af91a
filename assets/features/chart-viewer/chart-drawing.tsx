import type { ChartType } from 'lib/chart-file';
import { memo } from 'react';
import { BarDrawing } from './bar-drawing';
import type { DrawingProps } from './drawing';
import { LineDrawing } from './line-drawing';
import { PolarAreaDrawing } from './polar-area-drawing';
import { RadarDrawing } from './radar-drawing';
import { ScatterDrawing } from './scatter-drawing';
import { SlicesDrawing } from './slices-drawing';

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
    case 'pie':
      return <SlicesDrawing {...props} hole={false} />;
    case 'doughnut':
      return <SlicesDrawing {...props} hole />;
    case 'radar':
      return <RadarDrawing {...props} />;
    case 'polarArea':
      return <PolarAreaDrawing {...props} />;
  }
});
