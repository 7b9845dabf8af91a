import { expect, test } from 'vitest';
import { isChartFile, pictureName } from './chart-files';

test('a picture is named after the source file with its extension removed', () => {
  expect(pictureName('reports/revenue.by month.json')).toBe('revenue.by month.png');
  expect(pictureName('won-by-rep.json')).toBe('won-by-rep.png');
  expect(pictureName('plain')).toBe('plain.png');
  expect(pictureName('.json')).toBe('chart.png');
});

test('a chart is known by its type and not by its name', () => {
  expect(isChartFile({ mime_type: 'application/vnd.chart+json' })).toBe(true);
  expect(isChartFile({ mime_type: 'application/json' })).toBe(false);
});
