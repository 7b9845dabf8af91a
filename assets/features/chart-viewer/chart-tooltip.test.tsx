import { render, screen } from '@testing-library/react';
import { readChartFile } from 'lib/chart-file';
import { type ChartModel, chartModel } from 'lib/chart-model';
import { expect, test } from 'vitest';
import { rowLines, TooltipBox, valueText } from './chart-tooltip';

const NAMES = ['Won', 'Share', 'Age', 'Range', 'Count'];
const UNITS = ['EUR', '%', 'days', 'USD', undefined];
const VALUES = [[-1284.5], [12.4], [14], [[3, 9.25]], [null]];
const file = readChartFile({
  labels: ['West'],
  datasets: NAMES.map((label, at) => ({ label, unit: UNITS[at], data: VALUES[at] })),
});
const model = (file && chartModel(file)) as ChartModel;

test('each series has its exact figure with its unit, and what has none is left out', () => {
  const lines = rowLines(model, model.rows[0]?.values ?? [], ['#111111', '#222222']);
  expect(lines.map(({ name, figure }) => `${name}: ${figure}`)).toEqual([
    'Won: −€1,284.50',
    'Share: 12.4%',
    'Age: 14 days',
    'Range: $3 to $9.25',
  ]);
  expect(lines[1]?.color).toBe('#222222');
});

test('a gap is a dash', () => {
  expect(valueText(null, 'USD')).toBe('–');
});

test('of many series the first nine are told and the others counted', () => {
  const lines = Array.from({ length: 12 }, (_, at) => ({ name: `S${at}`, figure: `$${at}`, color: 'red' }));
  render(<TooltipBox head="West" lines={lines} />);
  expect(screen.getByText('West')).toBeDefined();
  expect(screen.getAllByText(/^S\d/)).toHaveLength(9);
  expect(screen.getByText('and 3 more')).toBeDefined();
});
