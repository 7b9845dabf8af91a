import { expect, test } from 'vitest';
import { readChartFile } from './chart-file';
import { type ChartModel, chartModel, chartSummary, isEmpty, supports } from './chart-model';
import { slicesOf } from './chart-slices';
import { thinnedRows } from './chart-thinning';

function model(json: unknown): ChartModel {
  const file = readChartFile(json);
  const made = file === null ? null : chartModel(file);
  if (made === null) throw new Error('no chart');
  return made;
}

const types = ['line', 'scatter', 'bar', 'pie', 'doughnut', 'radar', 'polarArea'] as const;
const supported = (json: unknown) => types.filter((type) => supports(model(json), type));

test('plain figures without labels stand on Category 1, Category 2', () => {
  expect(model({ datasets: [{ data: [5, 6] }] }).rows.map((row) => row.label)).toEqual([
    'Category 1',
    'Category 2',
  ]);
});

test('plain figures stand on the labels of their place, and labels without a figure keep their place', () => {
  const { rows, labelKind } = model({
    labels: ['West', 'East', 'North'],
    datasets: [{ data: [5] }, { data: [1, 2] }],
  });
  expect(labelKind).toBe('category');
  expect(rows).toEqual([
    { label: 'West', at: 0, values: [5, 1] },
    { label: 'East', at: 1, values: [null, 2] },
    { label: 'North', at: 2, values: [null, null] },
  ]);
});

test('equal labels stay two rows', () => {
  expect(model({ labels: ['A', 'A'], datasets: [{ data: [1, 2] }] }).rows).toHaveLength(2);
});

test('objects with x and y are joined on their label, in order of time', () => {
  const { rows, labelKind, bridged } = model({
    datasets: [
      {
        label: 'New',
        data: [
          { x: '2024-02-01', y: 2 },
          { x: '2024-01-01', y: 1 },
        ],
      },
      { label: 'Old', data: [{ x: '2024-01-15', y: 9 }] },
    ],
  });
  expect(labelKind).toBe('time');
  expect(bridged).toBe(true);
  expect(rows.map((row) => row.label)).toEqual(['1 Jan 2024', '15 Jan 2024', '1 Feb 2024']);
  expect(rows.map((row) => row.values)).toEqual([
    [1, null],
    [null, 9],
    [2, null],
  ]);
});

test('with axis choice y, y is the label and x the value', () => {
  const { rows, labelKind, horizontal } = model({
    datasets: [
      {
        data: [
          { x: 3, y: 1704067200000000 },
          { x: 4, y: 1704153600000000 },
        ],
      },
    ],
    options: { indexAxis: 'y' },
  });
  expect(horizontal).toBe(true);
  expect(labelKind).toBe('time');
  expect(rows.map((row) => row.values[0])).toEqual([3, 4]);
});

test('a thirteen-digit revenue is not a date', () => {
  const { labelKind, rows } = model({ datasets: [{ data: [{ x: 'West', y: 1704067200000 }] }] });
  expect(labelKind).toBe('category');
  expect(rows[0]?.values[0]).toBe(1704067200000);
});

test('number labels of objects make a number axis, of a label list they are categories', () => {
  expect(
    model({
      datasets: [
        {
          data: [
            { x: 2, y: 1 },
            { x: 1, y: 2 },
          ],
        },
      ],
    }).labelKind,
  ).toBe('number');
  expect(model({ labels: [2019, 2020], datasets: [{ data: [1, 2] }] }).labelKind).toBe('category');
});

test('labels of a number axis read as figures, and a year as a year', () => {
  const data = [-0.5, 2019, 6401.252857142857, 1250000].map((x) => ({ x, y: 1 }));
  expect(model({ datasets: [{ data }] }).rows.map(({ label }) => label)).toEqual([
    '−0.5',
    '2019',
    '6,401.2529',
    '1,250,000',
  ]);
});

test('text in the place of a value cannot be drawn', () => {
  const file = readChartFile({ datasets: [{ data: [{ x: 1, y: 'many' }] }] });
  expect(file && chartModel(file)).toBeNull();
});

test('every type draws labelled figures of one series', () => {
  expect(supported({ labels: ['A', 'B', 'C'], datasets: [{ data: [1, 2, 3] }] })).toEqual(types);
});

test('ranges are drawn as bars only', () => {
  expect(supported({ labels: ['A'], datasets: [{ data: [[-2, 3]] }] })).toEqual(['bar']);
});

test('slices refuse missing labels, negatives, several series and nothing to share', () => {
  const noSlices = ['line', 'scatter', 'bar', 'radar'];
  expect(supported({ datasets: [{ data: [1, 2, 3] }] })).toEqual(noSlices);
  expect(supported({ labels: ['A', 'B', 'C'], datasets: [{ data: [1, -2, 3] }] })).toEqual(noSlices);
  expect(
    supported({ labels: ['A', 'B', 'C'], datasets: [{ data: [1, 2, 3] }, { data: [1, 2, 3] }] }),
  ).toEqual(noSlices);
  expect(supported({ labels: ['A', 'B', 'C'], datasets: [{ data: [0, 0, 0] }] })).toEqual(noSlices);
});

test('a radar needs three directions', () => {
  expect(supported({ labels: ['A', 'B'], datasets: [{ data: [1, 2] }] })).not.toContain('radar');
});

test('a pie of many keeps the largest and gathers the rest without losing any of the sum', () => {
  const data = Array.from({ length: 50 }, (_, index) => index + 1);
  const slices = slicesOf(model({ type: 'pie', labels: data.map((n) => `C${n}`), datasets: [{ data }] }));
  expect(slices).toHaveLength(12);
  expect(slices[0]).toMatchObject({ label: 'C50', value: 50 });
  expect(slices.at(-1)).toMatchObject({ label: '39 others', row: -1 });
  expect(slices.reduce((sum, slice) => sum + slice.value, 0)).toBe(1275);
});

test('options of the file are normalised', () => {
  const made = model({
    type: 'bar',
    title: ' Won ',
    labels: ['A'],
    datasets: [{ data: [1], unit: 'USD' }],
    options: {
      legend: false,
      titleFontWeight: 'normal',
      scales: { x: { stacked: true }, r: { max: 10 } },
      tooltips: { enabled: false },
    },
  });
  expect(made).toMatchObject({
    title: 'Won',
    legend: false,
    stacked: true,
    tooltips: false,
    radial: { max: 10 },
  });
  expect(made.titleStyle).toEqual({ color: null, size: 20, weight: 400 });
  expect(made.series[0]).toMatchObject({ name: '', unit: 'USD' });
});

test('a chart without any figure is empty', () => {
  expect(isEmpty(model({ datasets: [] }))).toBe(true);
  expect(isEmpty(model({ labels: ['A'], datasets: [{ data: [null] }] }))).toBe(true);
  expect(isEmpty(model({ labels: ['A'], datasets: [{ data: [0] }] }))).toBe(false);
});

test('the summary says type, title, series and span in one sentence', () => {
  const made = model({
    title: 'Revenue',
    labels: ['2024-01', '2024-02', '2024-03'],
    datasets: [{ label: 'Won', data: [1, 2, 3] }],
  });
  expect(chartSummary(made, 'Line Chart')).toBe(
    'Line Chart, Revenue: Won; 3 values, from Jan 2024 to Mar 2024.',
  );
});

test('a long line is thinned to what a screen can show, and keeps its ends and extremes', () => {
  const data = Array.from({ length: 20_000 }, (_, index) => ({
    x: index,
    y: index === 7_777 ? 999 : index === 9_999 ? -999 : index % 50,
  }));
  const { rows } = model({ datasets: [{ data }] });
  const thin = thinnedRows(rows, 1);
  expect(thin.length).toBeLessThanOrEqual(3_001);
  expect([thin[0]?.at, thin.at(-1)?.at]).toEqual([0, 19_999]);
  const values = thin.map((row) => row.values[0]);
  expect(values).toContain(999);
  expect(values).toContain(-999);
  expect(thin.every((row, index) => index === 0 || row.at > (thin[index - 1]?.at ?? 0))).toBe(true);
  expect(thinnedRows(rows.slice(0, 400), 1)).toHaveLength(400);
});
