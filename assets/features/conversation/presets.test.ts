import { describe, expect, test } from 'vitest';
import { exampleQuestions, PRESETS } from './presets';

describe('the example questions', () => {
  test('are four presets where the server has none', () => {
    const four = exampleQuestions([], 4);
    expect(new Set(four).size).toBe(4);
    expect(four.every((question) => PRESETS.includes(question))).toBe(true);
  });

  test('are the suggestions, padded from the presets without repeating one', () => {
    const suggestions = ['How many cats?', PRESETS[0] ?? ''];
    const four = exampleQuestions(suggestions, 4);
    expect(four.slice(0, 2).sort()).toEqual([...suggestions].sort());
    expect(new Set(four).size).toBe(4);
  });

  test('are drawn from many suggestions', () => {
    const many = Array.from({ length: 30 }, (_, index) => `Question ${index}`);
    expect(exampleQuestions(many, 4).every((question) => many.includes(question))).toBe(true);
  });

  test('there are 16 presets', () => {
    expect(new Set(PRESETS).size).toBe(16);
  });
});
