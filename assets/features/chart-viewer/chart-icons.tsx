import type { ChartType } from 'lib/chart-file';
import { ChartColumn, ChartLine, ChartPie, ChartRadar, ChartScatter, Donut } from 'lucide-react';

/** One icon a chart type, of the same set and stroke; the set has no polar area, so it is drawn here. */
export function ChartTypeIcon({ type }: { type: ChartType }) {
  const props = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;
  switch (type) {
    case 'line':
      return <ChartLine {...props} />;
    case 'scatter':
      return <ChartScatter {...props} />;
    case 'bar':
      return <ChartColumn {...props} />;
    case 'pie':
      return <ChartPie {...props} />;
    case 'doughnut':
      return <Donut {...props} />;
    case 'radar':
      return <ChartRadar {...props} />;
    case 'polarArea':
      return (
        <svg
          width={18}
          height={18}
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth={1.75}
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="M12 12V2.5A9.5 9.5 0 0 1 20.2 7.3Z" />
          <path d="M12 12l5.6 3.2A6.5 6.5 0 0 1 12 18.5Z" />
          <path d="M12 12l-7.8 4.5A9 9 0 0 1 3 12a9 9 0 0 1 .9-4Z" />
        </svg>
      );
  }
}
