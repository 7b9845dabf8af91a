import { expect, test } from 'vitest';
import { readChartFile } from './chart-file';
import { chartModel } from './chart-model';
import { numberScale, radialScale, timeScale, valueScale } from './chart-scale';

function model(json: unknown) {
  const file = readChartFile(json);
  const made = file === null ? null : chartModel(file);
  if (made === null) throw new Error('no chart');
  return made;
}
const labels = ['A', 'B', 'C'];

test('bars start at nought and end on a round figure', () => {
  expect(valueScale(model({ labels, datasets: [{ data: [108, 86, 132] }] }), 'bar')).toEqual({
    domain: [0, 150],
    ticks: [0, 50, 100, 150],
  });
});

test('negative bars and ranges reach below nought', () => {
  expect(valueScale(model({ labels, datasets: [{ data: [-5, 10, 3] }] }), 'bar').domain).toEqual([-10, 10]);
  expect(
    valueScale(
      model({
        labels,
        datasets: [
          {
            data: [
              [-2, 6],
              [4, 12],
              [1, 2],
            ],
          },
        ],
      }),
      'bar',
    ).domain[0],
  ).toBeLessThan(-1.9);
});

test('stacked bars make room for their sums on both sides', () => {
  const stacked = model({
    labels,
    datasets: [{ data: [5, 5, -5] }, { data: [10, 1, -5] }],
    options: { scales: { y: { stacked: true } } },
  });
  expect(valueScale(stacked, 'bar').domain).toEqual([-10, 15]);
});

test('a line far from nought is not pressed flat', () => {
  expect(
    valueScale(model({ labels, datasets: [{ data: [980, 990, 1000] }] }), 'line').domain[0],
  ).toBeGreaterThan(900);
  expect(valueScale(model({ labels, datasets: [{ data: [10, 50, 60] }] }), 'line').domain[0]).toBe(0);
  expect(valueScale(model({ labels, datasets: [{ data: [57, 42, 35] }] }), 'line').domain[0]).toBe(0);
});

test('one value, equal values and no value still give an axis', () => {
  for (const data of [[7], [7, 7, 7], [0], [-4], []]) {
    for (const type of ['bar', 'line', 'scatter'] as const) {
      const { domain, ticks } = valueScale(model({ labels, datasets: [{ data }] }), type);
      expect(domain[1]).toBeGreaterThan(domain[0]);
      expect(ticks.length).toBeGreaterThan(1);
      for (const value of data) expect(value >= domain[0] && value <= domain[1]).toBe(true);
    }
  }
});

test('ends that the file asks for are kept', () => {
  const made = model({
    labels,
    datasets: [{ data: [1, 2, 3] }],
    options: { scales: { y: { min: -1, max: 17 } } },
  });
  expect(valueScale(made, 'bar').domain).toEqual([-1, 17]);
});

test('there are never more than six time ticks, over minutes or decades', () => {
  const start = Date.UTC(2024, 0, 1);
  for (const span of [
    60_000,
    3_600_000,
    86_400_000,
    7 * 86_400_000,
    90 * 86_400_000,
    400 * 86_400_000,
    9000 * 86_400_000,
  ]) {
    const { ticks } = timeScale([start, start + span]);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(6);
  }
  expect(timeScale([start, start + 90 * 86_400_000], 3).ticks.length).toBeLessThanOrEqual(3);
});

test('one point in time stands in the middle of its axis', () => {
  const { domain, ticks } = timeScale([86_400_000]);
  expect(domain).toEqual([0, 2 * 86_400_000]);
  expect(ticks).toEqual([86_400_000]);
});

test('no point at all gives an axis too', () => {
  expect(timeScale([]).ticks).toEqual([]);
  expect(numberScale([]).domain).toEqual([0, 1]);
});

test('the radial scale is round, or as the file says', () => {
  expect(radialScale(model({ labels, datasets: [{ data: [3, 7, 16] }] })).domain).toEqual([0, 20]);
  const said = model({
    labels,
    datasets: [{ data: [3, 7, 9] }],
    options: { scales: { r: { min: 0, max: 10, stepSize: 5 } } },
  });
  expect(radialScale(said)).toEqual({ domain: [0, 10], ticks: [0, 5, 10] });
  const step = model({
    labels,
    datasets: [{ data: [3, 7, 9] }],
    options: { scales: { r: { stepSize: 4 } } },
  });
  expect(radialScale(step)).toEqual({ domain: [0, 12], ticks: [0, 4, 8, 12] });
});

test('months are stepped as finely as they fit', () => {
  const ticksOf = (months: number, most = 6) =>
    timeScale([Date.UTC(2024, 0, 1), Date.UTC(2024, months, 1)], most).ticks.map(
      (tick) => new Date(tick).getUTCMonth() + 1,
    );
  expect(ticksOf(5)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(ticksOf(7)).toEqual([1, 3, 5, 7]);
  expect(ticksOf(13)).toEqual([1, 4, 7, 10, 1]);
  expect(ticksOf(24)).toEqual([1, 7, 1, 7, 1]);
  expect(ticksOf(5, 3)).toEqual([1, 3, 5]);
});

test('days are stepped evenly from the first on', () => {
  const ticksOf = (days: number) =>
    timeScale([Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 1 + days)]).ticks.map(
      (tick) => (tick - Date.UTC(2024, 0, 1)) / 86_400_000,
    );
  expect(ticksOf(5)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(ticksOf(11)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticksOf(49)).toEqual([0, 14, 28, 42]);
  expect(ticksOf(80)).toEqual([0, 14, 28, 42, 56, 70]);
});
