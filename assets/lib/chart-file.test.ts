import { expect, test } from 'vitest';
import { parseChartFile, readChartFile } from './chart-file';

const bar = { type: 'bar', labels: ['A', 'B'], datasets: [{ label: 'Won', data: [1, 2] }] };

test('a chart file without a type is a line chart', () => {
  expect(readChartFile({ datasets: [{ data: [1, 2, 3] }] })?.type).toBe('line');
});

test('numbers, pairs, objects and gaps are points', () => {
  const data = [1, -2.5, null, [3, 5], { x: '2024-01-01', y: 4 }, { x: 1704067200000, y: null }];
  expect(readChartFile({ datasets: [{ data }] })?.datasets[0]?.data).toEqual(data);
});

test('colours of any CSS form become hex', () => {
  const file = readChartFile({
    ...bar,
    datasets: [{ data: [1, 2], backgroundColor: ['teal', 'rgba(255,0,0,.5)'] }],
  });
  expect(file?.datasets[0]?.backgroundColor).toEqual(['#008080', '#FF0000']);
});

test('all options of the specification are kept', () => {
  const options = {
    xAxisTitle: 'Month',
    yAxisTitle: 'USD',
    xAxisLabelColor: '#112233',
    yAxisLabelColor: '#445566',
    titleColor: '#778899',
    titleFontSize: 24,
    titleFontWeight: 'normal',
    legend: { display: false },
    tooltips: { enabled: true },
    indexAxis: 'y',
    scales: { x: { stacked: true }, y: { stacked: true }, r: { min: 0, max: 10, stepSize: 2 } },
  };
  expect(readChartFile({ ...bar, options })?.options).toEqual(options);
});

test('hostile and broken files are refused whole', () => {
  const refused: unknown[] = [
    null,
    [],
    'chart',
    7,
    {},
    { datasets: {} },
    { ...bar, type: 'bubble' },
    { ...bar, plugins: [] },
    { ...bar, options: { onClick: 'function(){alert(1)}' } },
    { ...bar, options: { tooltips: { callbacks: { label: 'function(){}' } } } },
    { ...bar, datasets: [{ data: [1], backgroundColor: 'url(https://evil.example/x)' }] },
    { ...bar, datasets: [{ data: ['1'] }] },
    { ...bar, datasets: [{ data: [[1, 2, 3]] }] },
    { ...bar, datasets: [{ data: [{ x: 1, y: 2, r: 3 }] }] },
    { ...bar, datasets: [{ data: [{ x: { toString: 1 }, y: 2 }] }] },
    { ...bar, datasets: [{ data: [() => 1] }] },
    { ...bar, datasets: [{ data: [Number.NaN] }] },
    { ...bar, title: { $$typeof: 'react.element' } },
    { ...bar, options: { scales: { r: { stepSize: 0 } } } },
  ];
  for (const json of refused) expect(readChartFile(json), JSON.stringify(json)).toBeNull();
});

test('text that is no JSON, infinite numbers and prototype keys are refused', () => {
  expect(parseChartFile('{')).toBeNull();
  expect(parseChartFile('{"datasets":[{"data":[1e999]}]}')).toBeNull();
  expect(parseChartFile('{"datasets":[{"data":[1]}],"__proto__":{"polluted":true}}')).toBeNull();
  expect(parseChartFile('{"datasets":[{"data":[1],"constructor":{}}]}')).toBeNull();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('files past the limits are refused', () => {
  expect(readChartFile({ datasets: Array.from({ length: 61 }, () => ({ data: [1] })) })).toBeNull();
  expect(readChartFile({ datasets: [{ data: Array.from({ length: 20_001 }, () => 1) }] })).toBeNull();
});
