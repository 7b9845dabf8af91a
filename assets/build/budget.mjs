/**
 * Fails when a page or a lazy part is heavier than its budget. Sizes are gzip -9 in kB (1000 bytes).
 * Reads the bundle tracker's stats: run it after a production build.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const root = path.join(import.meta.dirname, '..', '..');
const stats = JSON.parse(readFileSync(path.join(root, 'webpack-stats.json'), 'utf8'));

const INITIAL_JS = { login: 85, chat: 130 };
const OTHER_INITIAL_JS = 85;
const INITIAL_CSS = 15;
const LAZY_JS = { charts: 140, markdown: 50 };
const OTHER_LAZY_JS = 30;
const FONTS_AT_START = 50;

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) {
    sizes.set(
      file,
      gzipSync(readFileSync(path.join(root, 'static', 'bundles', file)), { level: 9 }).length / 1000,
    );
  }
  return sizes.get(file);
}
const sum = (files) => files.reduce((total, file) => total + size(file), 0);

const rows = [];
const initial = new Set();
for (const [entry, files] of Object.entries(stats.chunks)) {
  const js = files.filter((file) => file.endsWith('.js'));
  const css = files.filter((file) => file.endsWith('.css'));
  for (const file of files) initial.add(file);
  rows.push([`${entry} js`, sum(js), INITIAL_JS[entry] ?? OTHER_INITIAL_JS]);
  rows.push([`${entry} css`, sum(css), INITIAL_CSS]);
}
for (const file of Object.keys(stats.assets).sort()) {
  if (!file.endsWith('.js') || initial.has(file)) continue;
  const name = file.split('.')[0];
  rows.push([`lazy ${name}`, size(file), LAZY_JS[name] ?? OTHER_LAZY_JS]);
}
const latin = Object.keys(stats.assets).filter((file) => /^inter-latin-wght-normal\.woff2$/.test(file));
rows.push(['font at start', sum(latin), FONTS_AT_START]);

let over = 0;
for (const [name, kb, limit] of rows) {
  const bad = kb > limit;
  over += bad ? 1 : 0;
  console.log(
    `${bad ? 'OVER' : 'ok  '}  ${kb.toFixed(1).padStart(6)} of ${String(limit).padStart(3)} kB  ${name}`,
  );
}
if (over > 0) {
  console.error(`${over} over budget`);
  process.exit(1);
}
