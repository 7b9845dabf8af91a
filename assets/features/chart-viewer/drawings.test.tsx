import { render, waitFor } from '@testing-library/react';
import { type ChartType, readChartFile } from 'lib/chart-file';
import { type ChartModel, chartModel } from 'lib/chart-model';
import { expect, test } from 'vitest';
import { BarDrawing } from './bar-drawing';
import type { Look } from './drawing';
import { LineDrawing } from './line-drawing';
import RoundDrawing, { type RoundType } from './round-drawing';

const SURFACE = '#fffffe'; // no mark has it, but for what parts two of them
const text = {
  fill: '#211622',
  fontSize: 12,
  fontWeight: 400,
  fontStyle: 'normal',
  textDecoration: 'none',
} as const;
const tokens = {
  surface: SURFACE,
  text: '#211622',
  text2: '#5c4f5e',
  text3: '#6f6271',
  axis: '#8c7e8e',
  grid: '#e9e2e8',
  hover: '#ebe3ea',
  font: 'sans-serif',
};
const look: Look = { tokens, gridlines: true, x: text, y: text, measure: (words) => words.length * 6 };

function drawing(type: ChartType, labels: readonly string[], options = {}) {
  const data = labels.map((_, at) => 10 + at);
  const file = readChartFile({ type, labels, datasets: [{ data }], options });
  const model = (file && chartModel(file)) as ChartModel;
  const colors = labels.map(() => '#8426b8');
  return { model, look, colors, rowColors: colors, animate: false, onDrawn: () => {}, summary: 'Won' };
}

const CITIES = ['Rome', 'Oslo', 'Bern', 'Lyon', 'Kyiv', 'Riga', 'Nice'];
const round = (type: RoundType, labels: readonly string[], width: number) =>
  render(<RoundDrawing type={type} width={width} {...drawing(type, labels)} />);

/** What is written in the picture itself, as [text, weight]. */
const written = () =>
  [...document.querySelectorAll('svg text')].map((one) => [one.textContent, one.getAttribute('font-weight')]);

test.each(['pie', 'polarArea'] as const)(
  'on a phone the many sectors of a %s bear their names',
  async (type) => {
    round(type, CITIES, 342);
    await waitFor(() =>
      expect(written()).toEqual(expect.arrayContaining(CITIES.map((city) => [city, '600']))),
    );
  },
);

test('a slice has a line to each of its neighbours, and one without neighbours has none', () => {
  const lines = () => document.querySelectorAll(`line[stroke="${SURFACE}"]`).length;
  const { unmount } = round('pie', CITIES.slice(0, 3), 342);
  expect(lines()).toBe(6);
  unmount();
  round('pie', ['Rome'], 342);
  expect(lines()).toBe(0);
});

test('the scale of many lying bars stands above them as well as below', async () => {
  const noughts = () => written().filter(([text]) => text === '0').length;
  const bars = (count: number) => {
    const labels = Array.from({ length: count }, (_, at) => `Customer ${at}`);
    return render(<BarDrawing width={700} {...drawing('bar', labels, { indexAxis: 'y' })} />);
  };
  const { unmount } = bars(10);
  await waitFor(() => expect(noughts()).toBe(1));
  unmount();
  bars(50);
  await waitFor(() => expect(noughts()).toBe(2));
});

test('hundreds of bars are an area without stripes', () => {
  const labels = Array.from({ length: 300 }, (_, at) => `Customer ${at}`);
  render(<BarDrawing width={700} {...drawing('bar', labels)} />);
  const bars = [...document.querySelectorAll('rect[shape-rendering="crispEdges"]')].map((one) => ({
    from: Number(one.getAttribute('x')),
    to: Number(one.getAttribute('x')) + Number(one.getAttribute('width')),
  }));
  expect(bars).toHaveLength(300);
  expect(bars.filter(({ to }, at) => to < (bars[at + 1]?.from ?? to))).toEqual([]);
});

const line = (labels: readonly string[]) => {
  render(<LineDrawing width={700} {...drawing('line', labels)} />);
  return document.querySelector('.recharts-line-curve');
};

test('between periods a line runs straight', () => {
  const path = line(['Jan', 'Feb', 'Mar', 'Apr'])?.getAttribute('d') ?? '';
  expect(path).toMatch(/L/);
  expect(path).not.toMatch(/C/);
});

test('between names there is no line, and each has its point', () => {
  expect(line(CITIES)?.getAttribute('stroke-width')).toBe('0');
  expect(document.querySelectorAll('.recharts-line-dot')).toHaveLength(CITIES.length);
});
