/** Where the axes of line, scatter and bar charts lie: pure arithmetic over the model, the width and a text measure. */
import type { ChartType } from 'lib/chart-file';
import { tickText } from 'lib/chart-format';
import {
  categoryTicks,
  isWhole,
  legendLayout,
  MARK,
  type Measure,
  shortenAll,
  wrap,
  wrapEvenly,
} from 'lib/chart-layout';
import type { ChartModel } from 'lib/chart-model';
import { numberScale, type Scale, timeScale, valueScale } from 'lib/chart-scale';
import { isRegular } from 'lib/chart-suits';
import { timeTickTexts } from 'lib/epochs';
import { LINE_MARK, PHONE } from './drawing';

export interface LabelTicks {
  /** Positions on the label axis that carry a text. */
  readonly at: readonly number[];
  /** Lines of text at a position. */
  readonly lines: ReadonlyMap<number, readonly string[]>;
  readonly turned: boolean;
  /** True where a name is shortened, so that it cannot be read to its end. */
  readonly cut?: boolean;
}

export interface CartesianLayout {
  readonly height: number;
  readonly margin: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  readonly leftAxis: number;
  readonly bottomAxis: number;
  readonly value: Scale & { readonly text: (value: number) => string };
  readonly label: { readonly domain: readonly [number, number] | null; readonly ticks: LabelTicks };
  readonly legend: ReturnType<typeof legendLayout>;
  /** Width kept right of the plot for series names at the lines' ends, 0 for none. */
  readonly direct: number;
  /** True for lying bars so many that the scale at their foot is out of view: it stands above them too. */
  readonly scaleAbove: boolean;
}

export const LEGEND_ROW = 20;
const TITLE = 24;
const SWATCH = 10;
const ROW = 18; // least height of a horizontal bar's row
const LINE = 15; // of text beside a row
const BETWEEN_NAMES = 12; // px more than between two lines of one name
const TALLEST = 980;
const TALL = 600; // px of height beyond which a window seldom shows a chart whole
const SCALE_ABOVE = 18; // px for the figures of a scale above the plot
const NAME_LINES = 5; // of a name beside a row
const ROOMY = 360; // px that a few rows may share so that their names are read whole

interface Wish {
  readonly model: ChartModel;
  readonly type: ChartType;
  readonly width: number;
  readonly measure: Measure;
}

export function cartesianLayout(wish: Wish): CartesianLayout {
  const { model, type, width, measure } = wish;
  const names = namedByAxis(model) ? [] : legendNames(model);
  const mark = type === 'line' ? LINE_MARK + MARK - SWATCH : MARK;
  const legend = legendLayout(names, width - 16, measure, { mark, mostRows: width < PHONE ? 4 : 3 });
  const top = legend.rows * LEGEND_ROW + (legend.rows > 0 ? 14 : 12);
  return model.horizontal ? lying(wish, legend, top) : standing(wish, legend, top);
}

/**
 * The model as bars are drawn best: lying where names below them would be left out or cut, on a phone also where they
 * would be turned, and each finds a row of its own beside them. What goes on regularly, such as months, stays upright.
 */
export function layDown({ model, width, measure }: Omit<Wish, 'type'>): ChartModel {
  if (model.horizontal || model.labelKind !== 'category' || model.rows.length < 2) return model;
  const upright = cartesianLayout({ model, type: 'bar', width, measure }).label.ticks;
  const named = upright.at.length === model.rows.length;
  const unread = upright.turned && (!named || upright.cut);
  const slanted = upright.turned && width < PHONE && !isRegular(model);
  if (!unread && !slanted && !upright.cut) return model;
  const lying = { ...model, horizontal: true, x: model.y, y: model.x };
  const beside = cartesianLayout({ model: lying, type: 'bar', width, measure }).label.ticks;
  return beside.at.length === model.rows.length && (unread || !beside.cut) ? lying : model;
}

/** Of how many names on the label axis one is written: 1 where all of them are, or where they go on regularly. */
export function writtenEvery(wish: Wish): number {
  const { model } = wish;
  if (model.labelKind !== 'category' || isRegular(model)) return 1;
  const { at } = cartesianLayout(wish).label.ticks;
  return at.length < 2 ? 1 : (at[1] ?? 1) - (at[0] ?? 0);
}

/** Names worth a legend: none where the file has switched it off or a single series repeats the axis title. */
export function legendNames(model: ChartModel): string[] {
  const names = model.series.map(({ name }) => name || 'Value');
  const valueTitle = (model.horizontal ? model.x : model.y).title;
  const only = model.series.length === 1 ? (model.series[0]?.name ?? '') : null;
  return !model.legend || only === '' || (only !== null && only === valueTitle) ? [] : names;
}

function standing(
  { model, type, width, measure }: Wish,
  legend: CartesianLayout['legend'],
  top: number,
): CartesianLayout {
  const phone = width < PHONE;
  const scale = valueScale(model, type, phone ? 4 : 5);
  const text = valueText(scale);
  const direct = directWidth(model, type, width, measure);
  const left = axisTitle(model, 'y') ? TITLE : 4;
  const bottom = axisTitle(model, 'x') ? TITLE : 4;
  const right = Math.max(16, direct, model.labelKind === 'category' || type === 'bar' ? 16 : 26);
  const leftAxis = Math.ceil(Math.max(0, ...scale.ticks.map((tick) => measure(text(tick))))) + 10;
  const plot = Math.max(40, width - left - leftAxis - right);
  const labels = bottomLabels({ model, type, width, measure }, plot);
  const more = Math.max(0, labels.overhang - labels.band / 2 + 4 - left - leftAxis);
  return {
    height: (phone ? 260 : 320) + Math.max(0, labels.height - 24) + Math.max(0, legend.rows - 1) * LEGEND_ROW,
    margin: { top, right, bottom, left: left + more },
    leftAxis,
    bottomAxis: labels.height,
    value: { ...scale, text },
    label: labels,
    legend,
    direct,
    scaleAbove: false,
  };
}

function bottomLabels({ model, type, measure }: Wish, plot: number) {
  if (model.labelKind === 'category' || type === 'bar') {
    const count = Math.max(1, model.rows.length);
    const band = type === 'line' ? (plot - 48) / Math.max(1, count - 1) : plot / count;
    const names = model.rows.map(({ label }) => label);
    const found = categoryTicks(names, count === 1 ? plot : band, measure, {
      thin: model.labelKind !== 'category',
    });
    const lines = new Map(
      found.lines.flatMap((one, row) => (one.length > 0 ? [[placeOf(model, type, row), one] as const] : [])),
    );
    const cut = found.lines.some((one, row) => one.length > 0 && !isWhole(one, names[row] ?? ''));
    const ticks = { at: [...lines.keys()], lines, turned: found.mode === 'turned', cut };
    const domain = type === 'scatter' ? ([-0.5, count - 0.5] as const) : null;
    return { domain, ticks, height: found.height, overhang: found.overhang, band };
  }
  const fits = [6, 5, 4, 3, 2]
    .map((most) => labelScale(model, most))
    .find((scale) => ticksFit(model, scale, plot, measure));
  const scale = fits ?? labelScale(model, 1);
  const ticks = numericTicks(model, scale);
  const overhang = measure(ticks.lines.get(scale.ticks[0] ?? 0)?.[0] ?? '') / 2;
  return { domain: scale.domain, ticks, height: 24, overhang, band: 0 };
}

function ticksFit(model: ChartModel, scale: Scale, plot: number, measure: Measure): boolean {
  const texts = [...numericTicks(model, scale).lines.values()];
  const widest = Math.max(0, ...texts.map(([text = '']) => measure(text)));
  return texts.length < 2 || widest + 10 <= plot / (texts.length - 1);
}

/** Bars stand on rows, whatever their labels are; points of a scatter chart on their own place. */
const placeOf = (model: ChartModel, type: ChartType, row: number): number =>
  type === 'bar' || model.labelKind === 'category' ? row : (model.rows[row]?.at ?? row);

function labelScale(model: ChartModel, most: number): Scale {
  const places = model.rows.map(({ at }) => at);
  return model.labelKind === 'time' ? timeScale(places, most) : numberScale(places, most);
}

function numericTicks(model: ChartModel, scale: Scale): LabelTicks {
  const texts = model.labelKind === 'time' ? timeTickTexts(scale.ticks) : scale.ticks.map(valueText(scale));
  return {
    at: scale.ticks,
    lines: new Map(scale.ticks.map((tick, index) => [tick, [texts[index] ?? '']])),
    turned: false,
  };
}

function lying(
  { model, type, width, measure }: Wish,
  legend: CartesianLayout['legend'],
  legendTop: number,
): CartesianLayout {
  const phone = width < PHONE;
  const scale = valueScale(model, type, phone ? 3 : 5);
  const text = valueText(scale);
  const left = axisTitle(model, 'y') ? TITLE : 4;
  const bottom = axisTitle(model, 'x') ? TITLE : 4;
  const widest = Math.min(280, Math.floor(width * (phone ? 0.36 : 0.32)));
  const count = Math.max(1, model.rows.length);
  const category = model.labelKind === 'category' || type === 'bar';
  const ends = legendTop + 28 + bottom;
  const rows = count * rowHeight({ model, type, width: widest, measure });
  const wanted = Math.max(phone ? 260 : 320, rows + ends);
  const above = type === 'bar' && wanted > TALL ? SCALE_ABOVE : 0;
  const height = Math.min(TALLEST, wanted + above);
  const row = Math.max(0.1, (height - above - ends) / count);
  const scaleOfLabels = labelScale(model, 6);
  const ticks: LabelTicks = category
    ? leftTicks({ model, type, width: widest, measure }, row)
    : numericTicks(model, scaleOfLabels);
  const written = [...ticks.lines.values()].flat().map(measure);
  return {
    height,
    margin: {
      top: legendTop + above,
      right: Math.max(16, Math.ceil(measure(text(scale.domain[1])) / 2) + 4),
      bottom,
      left,
    },
    leftAxis: Math.ceil(Math.max(0, ...written)) + 10,
    bottomAxis: 24,
    value: { ...scale, text },
    label: {
      domain: category ? (type === 'scatter' ? [-0.5, count - 0.5] : null) : scaleOfLabels.domain,
      ticks,
    },
    legend,
    direct: 0,
    scaleAbove: above > 0,
  };
}

/** The least height of a row: room for its bars, and for its whole name where rows are few. */
function rowHeight({ model, type, width, measure }: Wish): number {
  const bars = type === 'bar' && !model.stacked ? Math.max(ROW, model.series.length * 8 + 8) : ROW;
  if (model.rows.length * ROW > ROOMY) return bars;
  const lines = Math.max(0, ...model.rows.map(({ label }) => wrap(label, width, NAME_LINES, measure).length));
  const name = lines * LINE + BETWEEN_NAMES;
  return model.rows.length * name > ROOMY ? bars : Math.max(bars, name);
}

/** Names at the left: in as many lines as a row has room for, every n-th where it has none for one. */
function leftTicks({ model, type, width, measure }: Wish, height: number): LabelTicks {
  const every = Math.ceil(LINE / height);
  const written = model.rows.map((_, row) => row).filter((row) => row % every === 0);
  const names = written.map((row) => model.rows[row]?.label ?? '');
  const short = shortenAll(names, width, measure).map((text) => [text]);
  const most = Math.min(NAME_LINES, Math.floor((height - 4) / LINE));
  const texts = most < 2 ? short : names.map((name) => wrapEvenly(name, width, most, measure));
  const told = new Set(texts.map(String)).size === new Set(names).size;
  const shown = told ? texts : short;
  const lines = new Map(
    written.map((row, place) => [placeOf(model, type, row), shown[place] ?? []] as const),
  );
  return {
    at: [...lines.keys()],
    lines,
    turned: false,
    cut: names.some((name, at) => !isWhole(shown[at] ?? [], name)),
  };
}

/** True where the name of a single series stands at its axis, which has no title of its own, in place of a legend. */
function namedByAxis(model: ChartModel): boolean {
  const [only, other] = model.series;
  return model.legend && !other && Boolean(only?.name) && (model.horizontal ? model.x : model.y).title === '';
}

/** An axis title with the unit of its figures, once: "Amount (USD)". */
export function axisTitle(model: ChartModel, axis: 'x' | 'y'): string {
  const isValue = model.horizontal === (axis === 'x');
  const title = isValue && namedByAxis(model) ? (model.series[0]?.name ?? '') : model[axis].title;
  const units = new Set(model.series.map(({ unit }) => unit));
  const [unit] = units;
  if (!isValue || units.size !== 1 || !unit || title.toLowerCase().includes(unit.toLowerCase())) return title;
  return title === '' ? unit : `${title} (${unit})`;
}

/** Names stand at the ends of two to four lines where there is room; the legend stays for their order. */
function directWidth(model: ChartModel, type: ChartType, width: number, measure: Measure): number {
  const { length } = model.series;
  if (type !== 'line' || length < 2 || length > 4 || width < 620) return 0;
  return Math.min(140, Math.max(...model.series.map(({ name }) => Math.ceil(measure(name))))) + 18;
}

const stepOf = ({ ticks, domain }: Scale): number =>
  ticks.length > 1 ? (ticks[1] ?? 0) - (ticks[0] ?? 0) : domain[1] - domain[0];

function valueText(scale: Scale): (value: number) => string {
  const step = stepOf(scale);
  const largest = Math.max(...scale.ticks.map(Math.abs));
  return (value) => tickText(value, step, largest);
}

/** True where the file sets an end of the value axis, so that marks may lie beyond it. */
export const isCut = ({ valueEnds }: ChartModel): boolean =>
  valueEnds.min !== undefined || valueEnds.max !== undefined;
