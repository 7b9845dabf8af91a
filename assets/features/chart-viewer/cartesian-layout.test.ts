import { readChartFile } from 'lib/chart-file';
import { chartModel } from 'lib/chart-model';
import { expect, test } from 'vitest';
import { axisTitle, cartesianLayout, layDown, legendNames, writtenEvery } from './cartesian-layout';

const measure = (text: string) => text.length * 6;

function model(json: unknown) {
  const file = readChartFile(json);
  const made = file === null ? null : chartModel(file);
  if (made === null) throw new Error('no chart');
  return made;
}

const months = Array.from(
  { length: 24 },
  (_, index) => `${2023 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
);
const line = model({
  type: 'line',
  labels: months,
  datasets: [{ label: 'Won', data: months.map((_, index) => index) }],
});

test('a time axis has at most six ticks and they fit at phone width', () => {
  for (const width of [300, 342, 700, 900]) {
    const { label } = cartesianLayout({ model: line, type: 'line', width, measure });
    expect(label.ticks.at.length).toBeGreaterThan(1);
    expect(label.ticks.at.length).toBeLessThanOrEqual(6);
  }
});

test('bars of months write every n-th month instead of turning them', () => {
  const { label } = cartesianLayout({ model: line, type: 'bar', width: 700, measure });
  expect(label.ticks.turned).toBe(false);
  expect(label.ticks.at.length).toBeLessThan(24);
});

test('the plot keeps most of the width, whatever the labels are', () => {
  const labels = ['A name of a region that is really very long indeed', 'B', 'C'];
  for (const horizontal of [false, true]) {
    const made = model({
      type: 'bar',
      labels,
      datasets: [{ label: 'Sum', data: [1e9, 2, 3] }],
      options: { indexAxis: horizontal ? 'y' : 'x', yAxisTitle: 'Y', xAxisTitle: 'X' },
    });
    const { margin, leftAxis } = cartesianLayout({ model: made, type: 'bar', width: 342, measure });
    expect(342 - margin.left - margin.right - leftAxis).toBeGreaterThan(342 * 0.45);
  }
});

test('names beside lying bars take two lines where a row has room, and one where it has not', () => {
  const names = (count: number) => {
    const made = model({
      type: 'bar',
      labels: Array.from({ length: count }, (_, index) => `Decision Maker Bought-In ${index}`),
      datasets: [{ data: Array.from({ length: count }, () => 1) }],
      options: { indexAxis: 'y' },
    });
    return cartesianLayout({ model: made, type: 'bar', width: 342, measure }).label.ticks.lines.get(0);
  };
  expect(names(5)).toEqual(['Decision Maker', 'Bought-In 0']);
  expect(names(40)).toHaveLength(1);
});

test('lying bars grow with their number until they are too many, then names are left out', () => {
  const bars = (count: number) =>
    cartesianLayout({
      model: model({
        type: 'bar',
        labels: Array.from({ length: count }, (_, index) => `C${index}`),
        datasets: [{ data: Array.from({ length: count }, () => 1) }],
        options: { indexAxis: 'y' },
      }),
      type: 'bar',
      width: 700,
      measure,
    });
  expect(bars(5).height).toBe(320);
  expect(bars(40).height).toBeGreaterThan(700);
  expect(bars(400).height).toBeLessThanOrEqual(980);
  expect(bars(400).label.ticks.at.length * 15).toBeLessThanOrEqual(980);
});

test('a few names beside lying bars are read whole: their rows grow for them', () => {
  const firm = 'Handelsgesellschaft für industrielle Armaturen mbH und Kompanie';
  const lying = (count: number) => {
    const made = model({
      type: 'bar',
      labels: Array.from({ length: count }, (_, index) => `${firm} ${index}`),
      datasets: [{ data: Array.from({ length: count }, () => 1) }],
      options: { indexAxis: 'y' },
    });
    return cartesianLayout({ model: made, type: 'bar', width: 342, measure });
  };
  expect(lying(4).label.ticks.lines.get(0)?.join(' ')).toBe(`${firm} 0`);
  expect(lying(4).label.ticks.cut).toBe(false);
  expect(lying(4).height).toBeGreaterThan(lying(1).height);
  expect(lying(12).label.ticks.cut).toBe(true);
});

const people = (count: number, options: unknown = {}) =>
  model({
    type: 'bar',
    labels: Array.from({ length: count }, (_, index) => `Customer ${index}`),
    datasets: [{ label: 'Amount', data: Array.from({ length: count }, (_, index) => index) }],
    options,
  });

test('the scale stands above lying bars too where there are so many that its foot is out of view', () => {
  const lying = (count: number) =>
    cartesianLayout({ model: people(count, { indexAxis: 'y' }), type: 'bar', width: 700, measure });
  expect([lying(10).scaleAbove, lying(50).scaleAbove]).toEqual([false, true]);
  expect(lying(50).margin.top).toBeGreaterThan(lying(10).margin.top);
});

test('bars lie down where names would be left out and each finds a row of its own', () => {
  const titles = { xAxisTitle: 'Customer', yAxisTitle: 'Amount' };
  const lying = layDown({ model: people(40, titles), width: 800, measure });
  expect([lying.horizontal, lying.x.title, lying.y.title]).toEqual([true, 'Amount', 'Customer']);
  expect(layDown({ model: people(6), width: 800, measure }).horizontal).toBe(false);
  expect(layDown({ model: people(400), width: 800, measure }).horizontal).toBe(false);
  expect(layDown({ model: line, width: 342, measure }).horizontal).toBe(false);
});

test('bars lie down where a name would be cut below them and is whole beside them', () => {
  const firm = 'Handelsgesellschaft für industrielle Armaturen mbH und Kompanie';
  const labels = ['Bauer', 'Hansen', 'Nowak', 'Rossi'].map((name) => `${name} ${firm}`);
  const firms = model({ type: 'bar', labels, datasets: [{ data: [1, 2, 3, 4] }] });
  const { ticks } = cartesianLayout({ model: firms, type: 'bar', width: 600, measure }).label;
  expect([ticks.turned, ticks.cut]).toEqual([false, true]);
  expect(layDown({ model: firms, width: 600, measure }).horizontal).toBe(true);
});

test('on a phone bars lie down rather than have their names turned, but for what goes on regularly', () => {
  const amounts = (labels: string[]) =>
    model({ type: 'bar', labels, datasets: [{ data: labels.map(() => 1) }] });
  expect(layDown({ model: people(7), width: 342, measure }).horizontal).toBe(true);
  const quarters = ['Q1 2024', 'Q2 2024', 'Q3 2024', 'Q4 2024', 'Q1 2025', 'Q2 2025', 'Q3 2025', 'Q4 2025'];
  expect(layDown({ model: amounts(quarters), width: 342, measure }).horizontal).toBe(false);
});

test('it is known which share of the names found room', () => {
  const every = (count: number) => writtenEvery({ model: people(count), type: 'bar', width: 800, measure });
  expect(every(6)).toBe(1);
  expect(every(400)).toBeGreaterThan(5);
  expect(writtenEvery({ model: line, type: 'bar', width: 342, measure })).toBe(1);
  const labels = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'];
  const named = model({ type: 'line', labels, datasets: [{ data: labels.map(() => 1) }] });
  expect(writtenEvery({ model: named, type: 'line', width: 200, measure })).toBe(1);
});

test('two to four lines are named at their ends where there is room', () => {
  const lines = (count: number, width: number) =>
    cartesianLayout({
      model: model({
        labels: ['A', 'B'],
        datasets: Array.from({ length: count }, (_, index) => ({ label: `S${index}`, data: [1, 2] })),
      }),
      type: 'line',
      width,
      measure,
    }).direct;
  expect([lines(1, 800), lines(5, 800), lines(3, 400)]).toEqual([0, 0, 0]);
  expect(lines(3, 800)).toBeGreaterThan(0);
});

test('the unit stands in the value axis title once', () => {
  const of = (options: unknown, unit?: string) =>
    model({ labels: ['A'], datasets: [{ label: 'Won', data: [1], unit }], options });
  expect(axisTitle(of({ yAxisTitle: 'Amount' }, 'USD'), 'y')).toBe('Amount (USD)');
  expect(axisTitle(of({ yAxisTitle: 'Amount (USD)' }, 'USD'), 'y')).toBe('Amount (USD)');
  expect(axisTitle(of({ legend: false }, 'USD'), 'y')).toBe('USD');
  expect(axisTitle(of({ xAxisTitle: 'Region', yAxisTitle: 'Amount' }, 'USD'), 'x')).toBe('Region');
  expect(axisTitle(of({ xAxisTitle: 'Amount', indexAxis: 'y' }, 'USD'), 'x')).toBe('Amount (USD)');
});

test('a single series names an axis without a title, in place of a legend', () => {
  const amounts = people(3);
  expect([axisTitle(amounts, 'y'), axisTitle(amounts, 'x')]).toEqual(['Amount', '']);
  expect(cartesianLayout({ model: amounts, type: 'bar', width: 800, measure }).legend.rows).toBe(0);
});

test('a single series is not named twice', () => {
  expect(
    legendNames(
      model({ labels: ['A'], datasets: [{ label: 'Won', data: [1] }], options: { yAxisTitle: 'Won' } }),
    ),
  ).toEqual([]);
  expect(legendNames(model({ labels: ['A'], datasets: [{ data: [1] }] }))).toEqual([]);
  expect(legendNames(model({ labels: ['A'], datasets: [{ label: 'Won', data: [1] }] }))).toEqual(['Won']);
  expect(
    legendNames(
      model({ labels: ['A'], datasets: [{ label: 'Won', data: [1] }], options: { legend: false } }),
    ),
  ).toEqual([]);
});
