import { describe, expect, test } from 'vitest';
import { readChartFile } from './chart-file';
import { type ChartModel, chartModel } from './chart-model';
import { joins, whyBad } from './chart-suits';

function model(labels: readonly string[], more: object = {}): ChartModel {
  const file = readChartFile({ type: 'bar', labels, datasets: [{ data: labels.map(() => 5) }], ...more });
  const made = file && chartModel(file);
  if (!made) throw new Error('no chart');
  return made;
}

describe('a line', () => {
  test.each([
    [['2025-01-01', '2025-02-01', '2025-03-01']],
    [['Q1', 'Q2', 'Q3']],
    [['H1 2024', 'H2 2024']],
    [['Monday', 'Tuesday']],
    [['Week 9', 'Week 10']],
    [['20–30', '30–40']],
    [['$1,000–$2,000', '$2,000–$3,000']],
  ])('joins %j, which follow one another', (labels) => {
    expect(joins(model(labels))).toBe(true);
    expect(whyBad(model(labels), 'line')).toBeNull();
  });

  test('joins no names, and its type says why', () => {
    const regions = model(['North', 'South', 'West']);
    expect(joins(regions)).toBe(false);
    expect(whyBad(regions, 'line')).toBe('A line joins periods, and these are names.');
  });

  test('joins figures that stand on nothing but their places', () => {
    const file = readChartFile({ datasets: [{ data: [3, 4, 5] }] });
    expect(joins((file && chartModel(file)) as ChartModel)).toBe(true);
  });
});

describe('slices', () => {
  const SLICED = ['pie', 'doughnut', 'polarArea'] as const;

  test.each(SLICED)('as a %s suit amounts by name', (type) => {
    expect(whyBad(model(['North', 'South']), type)).toBeNull();
  });

  test.each(SLICED)('as a %s do not suit averages, nor periods', (type) => {
    const averages = model(['North', 'South'], { options: { slices: false } });
    expect(whyBad(averages, type)).toBe('Slices are parts of a whole, and these figures are not.');
    const months = model(['2025-01-01', '2025-02-01']);
    expect(whyBad(months, type)).toBe('Slices are parts of a whole, and these are periods.');
  });

  test('that were asked for are not called unsuitable', () => {
    expect(whyBad(model(['2025-01-01', '2025-02-01'], { type: 'pie' }), 'doughnut')).toBeNull();
  });
});
