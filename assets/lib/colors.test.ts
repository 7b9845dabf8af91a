import { expect, test } from 'vitest';
import { contrast, DEFAULT_PALETTE, edgeColor, hexOrBlack, spreadPalette, textColor, toHex } from './colors';

test('one series takes the primary colour, two the first and the third, three all of them', () => {
  expect(spreadPalette(1)).toEqual(['#F75D2C']);
  expect(spreadPalette(2)).toEqual(['#F75D2C', '#EC8AB8']);
  expect(spreadPalette(3)).toEqual([...DEFAULT_PALETTE]);
});

test('more series are spread in Lab between the stops', () => {
  const five = spreadPalette(5);
  expect(five).toHaveLength(5);
  expect([five[0], five[2], five[4]]).toEqual([...DEFAULT_PALETTE]);
  expect(new Set(spreadPalette(12)).size).toBe(12);
});

test('no series needs no colour, and stops that are no colours fall back to the default palette', () => {
  expect(spreadPalette(0)).toEqual([]);
  expect(spreadPalette(1, ['javascript:alert(1)', 'url(#x)'])).toEqual(['#F75D2C']);
});

test('an edge reaches 3:1 on both surfaces, and a fill that has it already keeps its colour', () => {
  for (const surface of ['#FFFFFF', '#211A24']) {
    for (const fill of [...spreadPalette(9), '#FFFF00', '#000000', '#FFFFFF', '#0E7490']) {
      expect(contrast(edgeColor(fill, surface), surface)).toBeGreaterThanOrEqual(3);
    }
  }
  expect(edgeColor('#F75D2C', '#FFFFFF')).toBe('#F75D2C');
  expect(edgeColor('#EC8AB8', '#FFFFFF')).not.toBe('#EC8AB8');
});

test('a palette colour used as text reaches 4.5:1 on both surfaces', () => {
  for (const surface of ['#FFFFFF', '#211A24']) {
    for (const color of DEFAULT_PALETTE) {
      expect(contrast(textColor(color, surface), surface)).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('colours of any CSS form become hex, and what is no colour becomes null', () => {
  expect(toHex('#abc')).toBe('#AABBCC');
  expect(toHex('rgba(255, 0, 0, 0.4)')).toBe('#FF0000');
  expect(toHex(' teal ')).toBe('#008080');
  for (const bad of ['url(#a)', 'expression(1)', 'rgb(NaN,0,0)', '', 'var(--x)'])
    expect(toHex(bad)).toBeNull();
});

test('a hex field keeps three and six digits and resets everything else to black', () => {
  expect(hexOrBlack('#f0a')).toBe('#f0a');
  expect(hexOrBlack('#F75D2C')).toBe('#F75D2C');
  for (const bad of ['F75D2C', '#F75D2', '#GGGGGG', '', '#F75D2C0']) expect(hexOrBlack(bad)).toBe('#000000');
});
