import { expect, test } from 'vitest';
import { safeAddress } from './links';

const allowed: [string, string][] = [
  ['http://example.com/a?b=c#d', 'http://example.com/a?b=c#d'],
  ['https://example.com', 'https://example.com'],
  ['HTTPS://EXAMPLE.com', 'HTTPS://EXAMPLE.com'],
  ['irc://irc.example.com/room', 'irc://irc.example.com/room'],
  ['ircs://irc.example.com/room', 'ircs://irc.example.com/room'],
  ['mailto:mara@example.com', 'mailto:mara@example.com'],
  ['xmpp:mara@example.com', 'xmpp:mara@example.com'],
  [' \thttps://example.com\n', 'https://example.com'],
  ['ht\ntps://example.com', 'https://example.com'],
];

const refused = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript\u0000:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'ftp://example.com',
  'tel:+4912345',
  'blob:https://example.com/1',
  '//evil.example/x',
  '\\\\evil.example\\x',
  '/\\evil.example',
  '/api/v3/files',
  '#top',
  '?q=1',
  'evil.example',
  '',
  ' ',
];

test.each(allowed)('%j may be linked', (address, read) => {
  expect(safeAddress(address)).toBe(read);
});

test.each(refused)('%j may not be linked', (address) => {
  expect(safeAddress(address)).toBeNull();
});
