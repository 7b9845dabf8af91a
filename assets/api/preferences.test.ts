import { describe, expect, test } from 'vitest';
import { DEFAULT_PREFERENCES, parsePreferences } from './preferences';

describe('the preferences text', () => {
  test('may be missing, broken or of another shape: every field has a default', () => {
    for (const text of [
      null,
      undefined,
      '',
      '{',
      '[]',
      '7',
      '{"chart_formatting": 3, "keywords": [], "colors": "red"}',
    ]) {
      expect(parsePreferences(text)).toEqual(DEFAULT_PREFERENCES);
    }
  });

  test('keeps what it says, field by field', () => {
    const read = parsePreferences(
      JSON.stringify({
        chart_formatting: { title: { bold: false }, gridlines: { enabled: false } },
        keywords: { ARR: 'annual recurring revenue', bad: 3 },
        theme: 'dark',
        audio: false,
        response_preference: 'Concise',
      }),
    );
    expect(read.chart_formatting.title).toEqual({
      bold: false,
      underline: false,
      italicize: false,
      colors: false,
    });
    expect(read.chart_formatting.gridlines.enabled).toBe(false);
    expect(read.keywords).toEqual({ ARR: 'annual recurring revenue' });
    expect([read.theme, read.audio, read.response_preference]).toEqual(['dark', false, 'Concise']);
  });
});
