import { expect, test } from 'vitest';
import { readChartFile } from './chart-file';
import { folded, isLong } from './chart-fold';
import { type ChartModel, chartModel } from './chart-model';

function ranking(count: number, options: object = {}): ChartModel {
  const places = Array.from({ length: count }, (_, index) => index);
  const file = readChartFile({
    type: 'bar',
    labels: places.map((place) => `Shop ${place + 1}`),
    datasets: [{ label: 'Sales', data: places.map((place) => count - place), unit: 'USD' }],
    options: { indexAxis: 'y', ...options },
  });
  const model = file && chartModel(file);
  if (!model) throw new Error('no chart');
  return model;
}

test('a ranking of twelve stays whole, one of thirteen is long', () => {
  expect(isLong(ranking(12))).toBe(false);
  expect(isLong(ranking(13))).toBe(true);
});

test('figures that add up leave their rest in one bar, so that nothing is missing', () => {
  const model = ranking(45, { others: 'sum' });
  const short = folded(model);
  expect(short.rows.map(({ label }) => label).slice(-2)).toEqual(['Shop 10', 'Others (35)']);
  const sum = (one: ChartModel) => one.rows.reduce((all, { values }) => all + Number(values[0]), 0);
  expect(sum(short)).toBe(sum(model));
});

test('averages have no sum: only the first ten stand there', () => {
  expect(folded(ranking(45)).rows.map(({ label }) => label)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Shop ${index + 1}`),
  );
});
