/** SVG parts that several chart types share: legend, axis titles, ticks. All attributes, no classes. */
import { type LegendEntry, MARK } from 'lib/chart-layout';
import { edgeColor } from 'lib/colors';
import { Symbols, usePlotArea, useXAxisScale } from 'recharts';
import { type CartesianLayout, type LabelTicks, LEGEND_ROW } from './cartesian-layout';
import { dashOf, LINE_MARK, type Look, type MarkShape, POINT_SIZE, pointOf, TICK_SIZE } from './drawing';

/** A filled box, a line without or with its points, or a point. */
type LegendKind = 'box' | 'line' | 'dotted' | MarkShape;

const isLine = (kind: LegendKind) => kind === 'line' || kind === 'dotted';

interface LegendProps {
  entries: readonly LegendEntry[];
  colors: readonly string[];
  look: Look;
  /** How a series is told apart in this chart. */
  mark: (series: number) => LegendKind;
  left?: number;
}

export function ChartLegend({ entries, colors, look, mark, left = 8 }: LegendProps) {
  return (
    <g>
      {entries.map(({ text, index, x, row }) => (
        <g key={`${index}:${text}`} transform={`translate(${left + x},${4 + row * LEGEND_ROW})`}>
          {index >= 0 && (
            <LegendMark
              kind={mark(index)}
              series={index}
              count={colors.length}
              color={colors[index] ?? look.tokens.text3}
              look={look}
            />
          )}
          <text
            x={index < 0 ? 0 : isLine(mark(index)) ? LINE_MARK + 6 : MARK}
            y={10}
            fontSize={TICK_SIZE}
            fill={look.tokens.text2}
          >
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

interface MarkProps {
  kind: LegendKind;
  series: number;
  /** How many series there are. */
  count: number;
  color: string;
  look: Look;
}

function LegendMark({ kind, series, count, color, look }: MarkProps) {
  const edge = edgeColor(color, look.tokens.surface);
  if (kind === 'box')
    return <rect x={0.5} y={0.5} width={10} height={10} rx={2} fill={color} stroke={edge} />;
  if (isLine(kind)) {
    return (
      <g>
        <line
          x1={0}
          x2={LINE_MARK}
          y1={6}
          y2={6}
          stroke={edge}
          strokeWidth={2}
          strokeDasharray={dashOf(series, count)}
        />
        {kind === 'dotted' && (
          <Symbols cx={LINE_MARK / 2} cy={6} size={POINT_SIZE} type={pointOf(series, count)} fill={edge} />
        )}
      </g>
    );
  }
  return <Symbols cx={6} cy={6} size={64} type={kind as MarkShape} fill={color} stroke={edge} />;
}

interface TitlesProps {
  x: string;
  y: string;
  width: number;
  height: number;
  look: Look;
}

/** Axis titles, centred on the plot: below it and, turned, left of it. */
export function AxisTitles({ x, y, width, height, look }: TitlesProps) {
  const plot = usePlotArea();
  if (plot === undefined) return null;
  const middle = plot.y + plot.height / 2;
  const short = (text: string, room: number) =>
    look.measure(text) * 1.1 <= room
      ? text
      : `${text.slice(0, Math.max(1, Math.floor((room / (look.measure(text) * 1.1)) * text.length) - 1))}…`;
  return (
    <g>
      {x !== '' && (
        <text x={Math.min(width - 8, plot.x + plot.width / 2)} y={height - 8} textAnchor="middle" {...look.x}>
          {short(x, width - 16)}
        </text>
      )}
      {y !== '' && (
        <text transform={`translate(15,${middle}) rotate(-90)`} textAnchor="middle" {...look.y}>
          {short(y, Math.max(plot.height, height - 40))}
        </text>
      )}
    </g>
  );
}

/** The figures of the value axis once more, above bars that lie. */
export function ScaleAbove({ scale, look }: { scale: CartesianLayout['value']; look: Look }) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  if (!plot || !x) return null;
  return (
    <g>
      {scale.ticks.map((tick) => (
        <text
          key={tick}
          x={x(tick)}
          y={plot.y - 8}
          textAnchor="middle"
          fontSize={TICK_SIZE}
          fill={look.tokens.text2}
        >
          {scale.text(tick)}
        </text>
      ))}
    </g>
  );
}

interface TickProps {
  x?: number | string;
  y?: number | string;
  payload?: { value: unknown };
}

const LINE_HEIGHT = 15;

/** A tick of the label axis when it lies below the plot. */
export function bottomTick(ticks: LabelTicks, look: Look) {
  return ({ x = 0, y = 0, payload }: TickProps) => {
    const lines = ticks.lines.get(Number(payload?.value));
    if (lines === undefined) return <g />;
    const style = { fontSize: TICK_SIZE, fill: look.tokens.text2 };
    if (ticks.turned) {
      return (
        <text
          transform={`translate(${Number(x) + 4},${Number(y) + 10}) rotate(-45)`}
          textAnchor="end"
          {...style}
        >
          {lines[0]}
        </text>
      );
    }
    return (
      <text x={x} y={Number(y) + 8} textAnchor="middle" {...style}>
        {lines.map((line, index) => (
          <tspan key={line} x={x} dy={index === 0 ? 4 : LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
      </text>
    );
  };
}

/** A tick of the label axis when it stands left of the plot. */
export function leftTick(ticks: LabelTicks, look: Look) {
  return ({ x = 0, y = 0, payload }: TickProps) => {
    const lines = ticks.lines.get(Number(payload?.value));
    if (lines === undefined) return <g />;
    return (
      <text x={x} textAnchor="end" fontSize={TICK_SIZE} fill={look.tokens.text2}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
          <tspan key={index} x={x} y={Number(y) + 4 + (index - (lines.length - 1) / 2) * LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
      </text>
    );
  };
}

/** A tick of the value axis. */
export function valueTick(text: (value: number) => string, anchor: 'end' | 'middle', look: Look) {
  return ({ x = 0, y = 0, payload }: TickProps) => (
    <text
      x={x}
      y={Number(y) + (anchor === 'end' ? 4 : 12)}
      textAnchor={anchor}
      fontSize={TICK_SIZE}
      fill={look.tokens.text2}
    >
      {text(Number(payload?.value))}
    </text>
  );
}
