import type { AxisFormatting, ChartFormatting } from 'api/types';
import { useWidth } from 'design/use-element-width';
import { edgeColor, hexOrBlack, spreadPalette, textColor } from 'lib/colors';
import { useMemo, useRef } from 'react';
import { useAppearance } from 'stores/appearance';
import styles from './company.module.css';

interface Props {
  formatting: ChartFormatting;
  colors: readonly string[];
}

const GROUPS = ['Q1', 'Q2', 'Q3', 'Q4'];
/** `width` is that of the name in letters of 12 px. */
const SERIES = [
  { name: 'Primary', width: 44, values: [42, 58, 51, 66] },
  { name: 'Secondary', width: 62, values: [30, 36, 47, 44] },
  { name: 'Tertiary', width: 44, values: [18, 25, 22, 34] },
];
const TOP = 80; // of the value axis
/** Until its place is measured. */
const USUAL_WIDTH = 320;
const PLOT = { left: 52, top: 48, bottom: 122 };
const BAR = 14;
const LEGEND = { y: 34, mark: 10, gap: 6, between: 16 };
const LEGEND_WIDTHS = SERIES.map(({ width }) => LEGEND.mark + LEGEND.gap + width + LEGEND.between);

const y = (value: number) => PLOT.bottom - (value / TOP) * (PLOT.bottom - PLOT.top);

/** A small chart with made-up figures, 160 px high, in the look that is being chosen. */
export function SampleChart({ formatting, colors }: Props) {
  const look = useTexts(formatting, colors);
  const fills = spreadPalette(SERIES.length, colors.map(hexOrBlack));
  const place = useRef<HTMLDivElement>(null);
  const whole = useWidth(place) || USUAL_WIDTH;
  const right = whole - 4;
  const middle = (PLOT.left + right) / 2;
  const width = (right - PLOT.left) / GROUPS.length;
  return (
    <div className={styles.sampleCard}>
      <div ref={place}>
        <svg
          viewBox={`0 0 ${whole} 160`}
          width="100%"
          height="160"
          role="img"
          aria-label="Sample chart in this formatting"
        >
          <text x={middle} y="15" textAnchor="middle" fontSize="15" {...look.title}>
            Won deals by quarter
          </text>
          <Legend middle={middle} fills={fills} surface={look.surface} />
          {[0, 20, 40, 60, 80].map((tick) => (
            <g key={tick}>
              {formatting.gridlines.enabled && (
                <line
                  data-gridline=""
                  x1={PLOT.left}
                  x2={right}
                  y1={y(tick)}
                  y2={y(tick)}
                  stroke="var(--grid)"
                />
              )}
              <text x={PLOT.left - 6} y={y(tick) + 4} textAnchor="end" fontSize="12" fill="var(--text-2)">
                {tick}
              </text>
            </g>
          ))}
          {GROUPS.map((group, at) => {
            const center = PLOT.left + width * (at + 0.5);
            return (
              <g key={group}>
                {SERIES.map(({ name, values }, series) => (
                  <rect
                    key={name}
                    x={center + (series - 1.5) * (BAR + 2)}
                    y={y(values[at] ?? 0)}
                    width={BAR}
                    height={PLOT.bottom - y(values[at] ?? 0)}
                    rx="2"
                    fill={fills[series]}
                    stroke={edgeColor(fills[series] ?? '#000000', look.surface)}
                  />
                ))}
                <text x={center} y={PLOT.bottom + 14} textAnchor="middle" fontSize="12" fill="var(--text-2)">
                  {group}
                </text>
              </g>
            );
          })}
          <line x1={PLOT.left} x2={right} y1={PLOT.bottom} y2={PLOT.bottom} stroke="var(--border-strong)" />
          <text x={middle} y="155" textAnchor="middle" fontSize="12" {...look.x}>
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
      </div>
    </div>
  );
}

/** Which colour is which. */
function Legend({ middle, fills, surface }: { middle: number; fills: readonly string[]; surface: string }) {
  const sum = (widths: readonly number[]) => widths.reduce((all, one) => all + one, 0);
  const left = middle - (sum(LEGEND_WIDTHS) - LEGEND.between) / 2;
  return SERIES.map(({ name }, series) => (
    <g key={name} transform={`translate(${left + sum(LEGEND_WIDTHS.slice(0, series))} ${LEGEND.y})`}>
      <rect
        y={-LEGEND.mark + 1}
        width={LEGEND.mark}
        height={LEGEND.mark}
        rx="2"
        fill={fills[series]}
        stroke={edgeColor(fills[series] ?? '#000000', surface)}
      />
      <text x={LEGEND.mark + LEGEND.gap} fontSize="12" fill="var(--text-2)">
        {name}
      </text>
    </g>
  ));
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
