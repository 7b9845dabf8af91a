import type { AxisFormatting, ChartFormatting } from 'api/types';
import { edgeColor, hexOrBlack, spreadPalette, textColor } from 'lib/colors';
import { useMemo } from 'react';
import { useAppearance } from 'stores/appearance';

interface Props {
  formatting: ChartFormatting;
  colors: readonly string[];
}

const GROUPS = ['Q1', 'Q2', 'Q3', 'Q4'];
const SERIES = [
  [42, 58, 51, 66],
  [30, 36, 47, 44],
  [18, 25, 22, 34],
];
const TOP = 80; // of the value axis
const PLOT = { left: 52, right: 348, top: 32, bottom: 122 };
const BAR = 16;

const y = (value: number) => PLOT.bottom - (value / TOP) * (PLOT.bottom - PLOT.top);

/** A small chart with made-up figures, 160 px high, in the look that is being chosen. */
export function SampleChart({ formatting, colors }: Props) {
  const look = useTexts(formatting, colors);
  const fills = spreadPalette(SERIES.length, colors.map(hexOrBlack));
  const width = (PLOT.right - PLOT.left) / GROUPS.length;
  return (
    <svg
      viewBox="0 0 360 160"
      width="100%"
      height="160"
      role="img"
      aria-label="Sample chart in this formatting"
    >
      <text x="180" y="19" textAnchor="middle" fontSize="15" {...look.title}>
        Won deals by quarter
      </text>
      {[0, 20, 40, 60, 80].map((tick) => (
        <g key={tick}>
          {formatting.gridlines.enabled && (
            <line
              data-gridline=""
              x1={PLOT.left}
              x2={PLOT.right}
              y1={y(tick)}
              y2={y(tick)}
              stroke="var(--grid)"
            />
          )}
          {tick % 40 === 0 && (
            <text x={PLOT.left - 6} y={y(tick) + 4} textAnchor="end" fontSize="12" fill="var(--text-2)">
              {tick}
            </text>
          )}
        </g>
      ))}
      {GROUPS.map((group, at) => {
        const middle = PLOT.left + width * (at + 0.5);
        return (
          <g key={group}>
            {SERIES.map((values, series) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place
                key={series}
                x={middle + (series - 1.5) * (BAR + 2)}
                y={y(values[at] ?? 0)}
                width={BAR}
                height={PLOT.bottom - y(values[at] ?? 0)}
                rx="2"
                fill={fills[series]}
                stroke={edgeColor(fills[series] ?? '#000000', look.surface)}
              />
            ))}
            <text x={middle} y={PLOT.bottom + 14} textAnchor="middle" fontSize="12" fill="var(--text-2)">
              {group}
            </text>
          </g>
        );
      })}
      <line x1={PLOT.left} x2={PLOT.right} y1={PLOT.bottom} y2={PLOT.bottom} stroke="var(--border-strong)" />
      <text x={(PLOT.left + PLOT.right) / 2} y="155" textAnchor="middle" fontSize="12" {...look.x}>
        Quarter
      </text>
      <text
        transform={`translate(15 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
        fontSize="12"
        {...look.y}
      >
        Deals
      </text>
    </svg>
  );
}

/** The same rules as in an answer's chart: palette colours are moved until they can be read on the surface. */
function useTexts(formatting: ChartFormatting, colors: readonly string[]) {
  const theme = useAppearance((appearance) => appearance.theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other tokens
  return useMemo(() => {
    const tokens = getComputedStyle(document.documentElement);
    const surface = tokens.getPropertyValue('--surface').trim() || '#ffffff';
    const text = (format: AxisFormatting, palette: string | undefined, standard: string) => ({
      fill: format.colors ? textColor(hexOrBlack(palette ?? ''), surface) : `var(${standard})`,
      fontWeight: format.bold ? 700 : 400,
      fontStyle: format.italicize ? 'italic' : 'normal',
      textDecoration: format.underline ? 'underline' : 'none',
    });
    return {
      surface,
      title: text(formatting.title, colors[0], '--text'),
      x: text(formatting.x_axis, colors[1], '--text-2'),
      y: text(formatting.y_axis, colors[2], '--text-2'),
    };
  }, [formatting, colors, theme]);
}
