/** The checklist of the specification: every row of spec-list, before the very parts that members meet. */
import { readFileSync } from 'node:fs';
import { waitFor } from '@testing-library/react';
import { sessionStart } from 'api/session';
import { useToast } from 'stores/toast';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ELSEWHERE, NUMBERS, type Place, ROWS } from './spec-list';
import { MEASURES } from './spec-numbers';
import { PLACES } from './spec-places';

/** The toasts of a test, with those that gave way to another. */
let toasts: string[] = [];

/** Everything that a person or a screen reader has been told. */
function told(): string[] {
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
  const texts = elements.flatMap((element) => [
    element.textContent ?? '',
    element.getAttribute('aria-label') ?? '',
    element.getAttribute('placeholder') ?? '',
    element instanceof HTMLInputElement ? element.value : '',
  ]);
  return [...toasts, ...texts].map((text) => text.replace(/\s+/g, ' ').trim());
}

function isTold(text: string, among: readonly string[]): boolean {
  const part = /^… (.*) …$/.exec(text)?.[1];
  return part === undefined ? among.includes(text) : among.some((one) => one.includes(part));
}

// The drawing library is large: a busy machine may need more than a test's second to read it.
beforeAll(() => import('features/chart-viewer/chart-card'), 60_000);

describe('the specification quotes, and the product says', () => {
  let leave = () => {};
  beforeEach(() => {
    sessionStart('t', false);
    toasts = [];
    leave = useToast.subscribe(({ toast }) => toast && toasts.push(toast.content));
  });
  afterEach(() => leave());

  test.each(Object.entries(PLACES))('%s', async (place, show) => {
    const rows = ROWS.filter((row) => row[1] === place);
    expect(rows.length).toBeGreaterThan(0);
    await show();
    await waitFor(() => {
      const among = told();
      expect(rows.filter(([, , text]) => !isTold(text, among))).toEqual([]);
    });
  });

  test('in places that are all put on the screen', () => {
    expect(ROWS.map((row): Place => row[1]).filter((place) => !(place in PLACES))).toEqual([]);
  });

  test.each(NUMBERS)('§%s %s', async (_section, what, said) => {
    expect(await MEASURES[what](said as number)).toEqual(said);
  });

  test.each(ELSEWHERE)('§%s %s (%s)', (_section, _what, file, name) => {
    expect(readFileSync(`tests/${file}`, 'utf8').includes(`\ndef ${name}(`)).toBe(true);
  });
});
