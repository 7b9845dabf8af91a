import { expect, test } from 'vitest';
import { coverage, frozenCopy } from './picture';

test('a font face covers the letters of its unicode range', () => {
  const latin = coverage('U+0000-00FF, U+0131, U+02BB-02BC');
  expect(['A', 'ü', 'ı'].map((letter) => latin(letter.codePointAt(0) ?? 0))).toEqual([true, true, true]);
  expect(latin('Я'.codePointAt(0) ?? 0)).toBe(false);
  expect(coverage('U+4??')('Я'.codePointAt(0) ?? 0)).toBe(true);
  expect(coverage('')(0x1f600)).toBe(true);
});

test('the copy of a drawing carries its looks as attributes and leaves out what only the pointer shows', () => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.innerHTML =
    '<text style="font-size: 20px" class="x">Title</text><g class="recharts-tooltip-cursor"><path/></g>';
  document.body.append(svg);
  const copy = frozenCopy(svg);
  svg.remove();
  expect(copy.querySelector('text')?.getAttribute('font-size')).toBe('20px');
  expect(copy.querySelector('text')?.hasAttribute('class')).toBe(false);
  expect(copy.querySelector('g')).toBeNull();
});
