import { expect, test } from 'vitest';
import {
  categoryTicks,
  legendLayout,
  shorten,
  shortenAll,
  spreadApart,
  wrap,
  wrapEvenly,
} from './chart-layout';

const measure = (text: string) => text.length * 6;

test('a text that is too long is shortened with an ellipsis and always fits', () => {
  expect(shorten('West', 100, measure)).toBe('West');
  expect(shorten('A very long region name', 60, measure)).toBe('A very lo…');
  expect(measure(shorten('A very long region name', 60, measure))).toBeLessThanOrEqual(60);
});

test('a title breaks at spaces and shortens its last line', () => {
  expect(wrap('Won revenue by owner and quarter', 120, 2, measure)).toEqual([
    'Won revenue by owner',
    'and quarter',
  ]);
  expect(wrap('Won revenue by owner and quarter since 2024', 60, 2, measure)).toHaveLength(2);
  expect(wrap('', 60, 2, measure)).toEqual([]);
});

test('lines of a name are made about as long as each other', () => {
  expect(wrap('Bauer Handel für Armaturen KG', 156, 2, measure)).toEqual([
    'Bauer Handel für Armaturen',
    'KG',
  ]);
  expect(wrapEvenly('Bauer Handel für Armaturen KG', 156, 2, measure)).toEqual([
    'Bauer Handel für',
    'Armaturen KG',
  ]);
  expect(wrapEvenly('West', 156, 2, measure)).toEqual(['West']);
});

test('no full stop stands before an ellipsis', () => {
  expect(shorten('Armaturen mbH & Co. KG', 126, measure)).toBe('Armaturen mbH & Co…');
});

test('a legend keeps the series order and counts what finds no room', () => {
  const names = Array.from({ length: 40 }, (_, index) => `Series number ${index + 1}`);
  const { entries, rows } = legendLayout(names, 300, measure);
  expect(rows).toBe(3);
  expect(entries.map(({ index }) => index).slice(0, -1)).toEqual(
    entries.slice(0, -1).map((_, index) => index),
  );
  expect(entries.at(-1)).toMatchObject({ index: -1, text: `+${40 - (entries.length - 1)} more` });
  for (const entry of entries)
    expect(entry.x + (entry.index < 0 ? 0 : 16) + measure(entry.text)).toBeLessThanOrEqual(300.01);
});

test('a short legend is centred in one row', () => {
  const { entries, rows } = legendLayout(['Q2', 'Q3'], 400, measure);
  expect(rows).toBe(1);
  const last = entries[1];
  expect((entries[0]?.x ?? 0) + ((last?.x ?? 0) + 16 + 12)).toBeCloseTo(400);
});

test('a legend of several rows has rows of about the same length', () => {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];
  const { entries } = legendLayout(months, 260, measure);
  expect(entries.map(({ row }) => row)).toEqual([0, 0, 0, 1, 1, 1]);
});

test('category labels stay flat while they fit, then wrap, then turn, then thin out', () => {
  expect(categoryTicks(['Jan', 'Feb'], 60, measure).mode).toBe('flat');
  expect(categoryTicks(['Closed won', 'Closed lost'], 50, measure)).toMatchObject({
    mode: 'wrapped',
    lines: [
      ['Closed', 'won'],
      ['Closed', 'lost'],
    ],
  });
  expect(categoryTicks(['Rhineland-Palatinate', 'Mecklenburg-Vorpommern'], 60, measure)).toMatchObject({
    mode: 'turned',
    every: 1,
  });
  const many = categoryTicks(
    Array.from({ length: 400 }, (_, index) => `Customer name ${index}`),
    0.8,
    measure,
  );
  expect(many.mode).toBe('turned');
  expect(many.lines.filter((lines) => lines.length > 0).length * 18).toBeLessThanOrEqual(400 * 0.8 + 18);
  const wide = categoryTicks(
    Array.from({ length: 400 }, (_, index) => `Customer name ${index}`),
    2,
    measure,
  );
  expect(wide.lines.filter((lines) => lines.length > 0).length).toBeLessThanOrEqual(16);
});

test('long names take three lines where there is room for their words', () => {
  const firm = 'Handelsgesellschaft für industrielle Armaturen mbH und Kompanie';
  const wide = categoryTicks([`Bauer ${firm}`, `Hansen ${firm}`], 140, measure);
  expect(wide.mode).toBe('wrapped');
  expect(wide.lines[0]).toHaveLength(3);
  expect(wide.lines[0]?.[2]?.endsWith('…')).toBe(true);
  expect(categoryTicks([`Bauer ${firm}`, `Hansen ${firm}`], 112, measure).mode).toBe('turned');
  expect(categoryTicks([`${firm} ${firm} A`, `${firm} ${firm} B`], 160, measure).mode).toBe('turned');
});

test('years that stand too close are thinned, not turned', () => {
  const years = Array.from({ length: 30 }, (_, index) => String(1995 + index));
  expect(categoryTicks(years, 12, measure)).toMatchObject({ mode: 'flat', every: 3 });
});

test('direct labels move apart, keep their order and stay inside', () => {
  expect(spreadApart([10, 12, 100], 14, 0, 200)).toEqual([10, 24, 100]);
  const spread = spreadApart([195, 198, 199], 14, 0, 200);
  expect(Math.max(...spread)).toBeLessThanOrEqual(200);
  expect(spread).toEqual([172, 186, 200]);
});

test('names that only differ at their ends are shortened in the middle', () => {
  const names = ['Customer with a long name 1', 'Customer with a long name 22'];
  expect(new Set(shortenAll(names, 90, measure)).size).toBe(2);
  for (const name of shortenAll(names, 90, measure)) expect(measure(name)).toBeLessThanOrEqual(90);
  expect(shortenAll(['West of everything', 'East'], 60, measure)).toEqual(['West of e…', 'East']);
});
