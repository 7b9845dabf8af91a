import { expect, test } from 'vitest';
import { unmarked } from './unmarked';

test('the words of a Markdown text stand without its commonest marks', () => {
  expect(unmarked('## Won\nKept rows where `stage` is *won*, **42** in all')).toBe(
    'Won\nKept rows where stage is won, 42 in all',
  );
});

test('a star that marks nothing stays', () => {
  expect(unmarked('3 * 4 and 5*6*7')).toBe('3 * 4 and 5*6*7');
});
