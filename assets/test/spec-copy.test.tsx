/** The checklist of the specification: every row of spec-list and spec-numbers, before the very parts that members meet. */
import { waitFor } from '@testing-library/react';
import { sessionEnd, sessionStart } from 'api/session';
import { companyEditsForget } from 'stores/company';
import { useToast } from 'stores/toast';
import { validationsForget } from 'stores/validations';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MADE, ROWS } from './spec-list';
import { NUMBERS } from './spec-numbers';

/** Everything that a person or a screen reader is told at this moment. */
function told(): string[] {
  const elements = [...document.body.querySelectorAll<HTMLElement>('*')];
  return [
    useToast.getState().toast?.content ?? '',
    ...elements.flatMap((element) => [
      element.textContent ?? '',
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('placeholder') ?? '',
      element instanceof HTMLInputElement ? element.value : '',
    ]),
  ].map((text) => text.trim());
}

// The drawing library is large: a busy machine may need more than a test's second to read it.
beforeAll(() => import('features/chart-viewer/chart-card'), 60_000);

describe('the specification quotes, and the product says', () => {
  beforeEach(() => {
    sessionStart('t', false);
    companyEditsForget();
    validationsForget();
    useToast.setState({ toast: null });
  });

  test.each(ROWS)('§%s %s', async (_section, text, shown) => {
    if (text === 'Not Logged In') sessionEnd();
    await shown();
    await waitFor(() => expect(told()).toContain(text));
  });

  test.each(MADE)('§%s %s, by its rule', (_section, text, made) => {
    expect(made).toBe(text);
  });

  test.each(NUMBERS)('§%s %s', (_section, _what, said, held) => {
    expect(held()).toEqual(said);
  });
});
