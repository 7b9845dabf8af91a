/**
 * Where titles, legend entries and tick texts go at a given width. Text is never scaled: it is wrapped, turned,
 * shortened or left out, in that order. `measure` gives a text's width in px; nothing here draws.
 */
export type Measure = (text: string) => number;

/** The text itself, or as much of it as fits with an ellipsis. */
export function shorten(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (measure(`${text.slice(0, middle).trimEnd()}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return `${text.slice(0, Math.max(1, fits)).replace(/[\s.,;:&-]+$/, '')}…`;
}

/** The text with its middle left out, for names that differ at their ends. */
function shortenMiddle(text: string, width: number, measure: Measure): string {
  for (let kept = text.length - 1; kept > 2; kept -= 1) {
    const tail = Math.floor(kept / 2);
    const short = `${text.slice(0, kept - tail).trimEnd()}…${text.slice(text.length - tail).trimStart()}`;
    if (measure(short) <= width) return short;
  }
  return shorten(text, width, measure);
}

/** Each text shortened at its end, or in its middle where the ends tell texts apart. */
export function shortenAll(texts: readonly string[], width: number, measure: Measure): string[] {
  const cut = texts.map((text) => shorten(text, width, measure));
  const told = new Set(texts).size === new Set(cut).size;
  return told
    ? cut
    : texts.map((text) => (measure(text) <= width ? text : shortenMiddle(text, width, measure)));
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** The text broken at spaces into at most `most` lines, the last one shortened. */
export function wrap(text: string, width: number, most: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsOf(text)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || measure(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines.map((one) => shorten(one, width, measure));
  const kept = lines.slice(0, most - 1);
  return [...kept, lines.slice(most - 1).join(' ')].map((one) => shorten(one, width, measure));
}

/** True where these lines hold the text to its end, whatever blanks it has. */
export const isWhole = (lines: readonly string[], text: string): boolean =>
  wordsOf(lines.join(' ')).join(' ') === wordsOf(text).join(' ');

/** The text wrapped into lines of about the same length: as many as `wrap` makes, none of them shortened if it can be. */
export function wrapEvenly(text: string, width: number, most: number, measure: Measure): string[] {
  let lines = wrap(text, width, most, measure);
  const whole = lines.join(' ');
  for (let limit = width - 6; lines.length > 1 && limit > 0; limit -= 6) {
    const narrower = wrap(text, limit, most, measure);
    if (narrower.length > lines.length || narrower.join(' ') !== whole) break;
    lines = narrower;
  }
  return lines;
}

export interface LegendEntry {
  readonly text: string;
  /** The series it names, or -1 for "+4 more". */
  readonly index: number;
  readonly x: number;
  readonly row: number;
}

interface Named {
  readonly text: string;
  readonly index: number;
}

/** Width of a swatch and its gap. */
export const MARK = 16;

/** Rows of about the same length: the narrowest that are as many and leave nothing out. */
function evened(within: (limit: number) => Named[][], width: number): Named[][] {
  let rows = within(width);
  for (let limit = width - 8; rows.length > 1 && limit > 0; limit -= 8) {
    const narrower = within(limit);
    if (narrower.length > rows.length || narrower.flat().some(({ index }) => index < 0)) break;
    rows = narrower;
  }
  return rows;
}

const GAP = 16;
const WIDEST = 180;

/** Legend entries in series order, centred in rows; what does not fit in `mostRows` is counted ("+4 more"). */
export function legendLayout(
  names: readonly string[],
  width: number,
  measure: Measure,
  { mostRows = 3, mark = MARK }: { mostRows?: number; mark?: number } = {},
): { entries: LegendEntry[]; rows: number } {
  const widest = Math.min(WIDEST, width - mark);
  const items = names.map((name, index) => ({ text: shorten(name, widest, measure), index }));
  const size = (text: string, index: number) => (index < 0 ? 0 : mark) + measure(text);
  const used = (row: readonly Named[]) =>
    row.reduce((sum, item) => sum + size(item.text, item.index) + GAP, 0);
  const within = (limit: number) => {
    const rows: Named[][] = [[]];
    for (const [place, item] of items.entries()) {
      const row = rows.at(-1) ?? [];
      const left = items.length - place - 1;
      const more = `+${left + 1} more`;
      const room = rows.length === mostRows && left > 0 ? limit - size(more, -1) - GAP : limit;
      if (row.length === 0 || used(row) + size(item.text, item.index) <= room) row.push(item);
      else if (rows.length < mostRows) rows.push([item]);
      else {
        row.push({ text: more, index: -1 });
        break;
      }
    }
    return rows;
  };
  const rows = evened(within, width);
  const entries = rows.flatMap((row, rowIndex) => {
    let x = Math.max(0, (width - used(row) + GAP) / 2);
    return row.map((item): LegendEntry => {
      const entry = { ...item, x, row: rowIndex };
      x += size(item.text, item.index) + GAP;
      return entry;
    });
  });
  return { entries, rows: names.length === 0 ? 0 : rows.length };
}

export interface TickLayout {
  readonly mode: 'flat' | 'wrapped' | 'turned';
  /** Every n-th label is written. */
  readonly every: number;
  /** Lines of each label, shortened; an unwritten label has none. */
  readonly lines: readonly (readonly string[])[];
  /** Height that the labels take below the axis line. */
  readonly height: number;
  /** Room that a turned first label needs left of its tick. */
  readonly overhang: number;
}

const LINE = 15;
const TURN = Math.PI / 4;
const NARROW_BAND = 32; // px: below that no word finds room
const WIDE_BAND = 110; // px: more of a long name can be read on three such lines than on one turned one
const NAME_LINES = 3;
const MOST_TURNED = 16; // names where not all of them find room: more are a fringe that nobody reads

/**
 * How category labels are written below an axis whose bands are `band` px wide. `thin` prefers every n-th label to turned
 * ones: right for labels that go on regularly, such as months.
 */
export function categoryTicks(
  labels: readonly string[],
  band: number,
  measure: Measure,
  { longest = 120, thin = false }: { longest?: number; thin?: boolean } = {},
): TickLayout {
  const widths = labels.map(measure);
  const widest = Math.max(0, ...widths);
  const gap = 8;
  if (widest + gap <= band) return flat(labels, 1);
  const near = 4; // lines of a name stand closer to those of the next than names on one line
  const wrapped = band >= NARROW_BAND ? wholeNames(labels, band - near, measure) : null;
  if (wrapped) return { mode: 'wrapped', every: 1, lines: wrapped, height: 2 * LINE + 9, overhang: 0 };
  const long = band >= WIDE_BAND ? longNames(labels, band - near, measure) : null;
  if (long) return { mode: 'wrapped', every: 1, lines: long, height: NAME_LINES * LINE + 9, overhang: 0 };
  // Short labels that stand too close (years, numbers): write every n-th before turning any.
  const everyFlat = Math.ceil((widest + gap) / band);
  if ((thin || widest <= 44) && everyFlat <= Math.max(2, labels.length / 2)) return flat(labels, everyFlat);
  const close = Math.max(1, Math.ceil((LINE + 8) / band));
  const every = close === 1 ? 1 : Math.max(close, Math.ceil(labels.length / MOST_TURNED));
  const written = labels.filter((_, index) => index % every === 0);
  const short = shortenAll(written, longest, measure);
  const lines = labels.map((_, index) => (index % every === 0 ? [short[index / every] ?? ''] : []));
  const drawn = Math.min(longest, Math.max(0, ...widths.filter((_, index) => index % every === 0)));
  const reach = Math.ceil(drawn * Math.sin(TURN)) + 14;
  return { mode: 'turned', every, lines, height: reach + 6, overhang: Math.ceil(drawn * Math.cos(TURN)) };
}

/** Names on two lines, with all their words: null where one does not fit. */
function wholeNames(labels: readonly string[], width: number, measure: Measure): string[][] | null {
  const names = labels.map((label) => wrapEvenly(label, width, 2, measure));
  return names.every((lines, at) => isWhole(lines, labels[at] ?? '')) ? names : null;
}

/** Names on three lines, the last of them shortened: null where words would be cut or two names look the same. */
function longNames(labels: readonly string[], width: number, measure: Measure): string[][] | null {
  const names = labels.map((label) => wrapEvenly(label, width, NAME_LINES, measure));
  const cut = names.some((lines) => lines.slice(0, -1).some((line) => line.endsWith('…')));
  const told = new Set(names.map((lines) => lines.join(' '))).size === new Set(labels).size;
  return told && !cut ? names : null;
}

function flat(labels: readonly string[], every: number): TickLayout {
  const lines = labels.map((label, index) => (index % every === 0 ? [label] : []));
  return { mode: 'flat', every, lines, height: LINE + 9, overhang: 0 };
}

/** Moves texts on one side apart until they do not touch, keeping their order; positions are middles in px. */
export function spreadApart(
  positions: readonly number[],
  distance: number,
  low: number,
  high: number,
): number[] {
  const order = positions
    .map((position, index) => ({ position, index }))
    .sort((a, b) => a.position - b.position);
  let last = low - distance;
  for (const item of order) {
    item.position = Math.max(item.position, last + distance);
    last = item.position;
  }
  let next = high + distance;
  for (const item of order.toReversed()) {
    item.position = Math.min(item.position, next - distance);
    next = item.position;
  }
  const result = [...positions];
  for (const { position, index } of order) result[index] = position;
  return result;
}
