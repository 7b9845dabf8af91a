import type { Evidence } from 'api/types';
import { expect, test } from 'vitest';
import { ago, evidenceText } from './evidence-text';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const source = (name: string, refreshed: number | string | null) => ({
  name,
  file_name: `${name}.csv`,
  rows: 10,
  refreshed_at: refreshed,
});
const evidence = (over: Partial<Evidence>): Evidence => ({
  sources: [],
  plan_sentence: '',
  filters: [],
  definitions: [],
  joins: [],
  query: '',
  row_count: 1284,
  notes: [],
  ...over,
});

test('the line says sources, rows and the age of the oldest source', () => {
  const sources = [
    source('deals', (NOW - 2.4 * HOUR) / 1000),
    source('owners', new Date(NOW - HOUR).toISOString()),
  ];
  expect(evidenceText(evidence({ sources }), NOW)).toBe(
    'Sources: deals, owners. 1,284 rows. Refreshed 2 h ago.',
  );
});

test('one source and one row are said in the singular, and what is unknown is left out', () => {
  expect(evidenceText(evidence({ sources: [source('deals', null)], row_count: 1 }), NOW)).toBe(
    'Source: deals. 1 row.',
  );
  expect(evidenceText(evidence({}), NOW)).toBe('');
});

test('ages grow coarser', () => {
  expect([0.2, 5, 59].map((minutes) => ago(NOW - minutes * 60_000, NOW))).toEqual([
    'just now',
    '5 min ago',
    '59 min ago',
  ]);
  expect([1, 23, 24, 72].map((hours) => ago(NOW - hours * HOUR, NOW))).toEqual([
    '1 h ago',
    '23 h ago',
    '1 day ago',
    '3 days ago',
  ]);
  expect(ago(NOW - 60 * 24 * HOUR, NOW)).toBe('22 Sep 2026');
});
