import { expect, test } from 'vitest';
import { unmarked } from './unmarked';

test('words stand without the marks around them, and products and hashes stay', () => {
  expect(unmarked('## Won\n\n**Maria** kept `stage` at 3 * 4, #2')).toBe(
    'Won\n\nMaria kept stage at 3 * 4, #2',
  );
});
