import { expect, test } from 'vitest';
import { pictureAddress, pictureBlob, pictureOf } from './image-data';

const DOT = 'iVBORw0KGgo=';

test('bare base64 is a PNG, a data address is what it says', () => {
  expect(pictureOf(DOT)).toEqual({ type: 'image/png', base64: DOT });
  expect(pictureOf(`data:image/jpeg;base64,${DOT}`)).toEqual({ type: 'image/jpeg', base64: DOT });
  expect(pictureAddress({ type: 'image/png', base64: DOT })).toBe(`data:image/png;base64,${DOT}`);
});

test.each([
  null,
  '',
  'https://elsewhere.example/x.png',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'data:text/html;base64,PGI+',
  'javascript:alert(1)',
])('what is no harmless picture is none: %s', (data) => {
  expect(pictureOf(data)).toBeNull();
});

test('its bytes are those of the text', async () => {
  const blob = pictureBlob({ type: 'image/png', base64: DOT });
  expect([...new Uint8Array(await blob.arrayBuffer())].slice(1, 4)).toEqual([80, 78, 71]);
});
