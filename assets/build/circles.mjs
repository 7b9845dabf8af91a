// Fails where files of the screens import each other in a circle, loaded later or not, for types or not.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const ROOT = 'assets';
const ENDINGS = ['', '.ts', '.tsx', '/index.ts'];

/** What a file imports, as files of the screens. */
function importsOf(file) {
  return ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.flatMap(({ fileName }) => {
    const at = fileName.startsWith('.') ? join(dirname(file), fileName) : join(ROOT, fileName);
    const found = ENDINGS.map((ending) => normalize(at + ending)).find(
      (path) => /\.tsx?$/.test(path) && existsSync(path),
    );
    return found ? [found] : [];
  });
}

/** Every file that can be come to from this one, over one import or many. */
function reached(start, imports) {
  const found = new Set();
  const ahead = [...imports.get(start)];
  while (ahead.length > 0) {
    const file = ahead.pop();
    if (found.has(file)) continue;
    found.add(file);
    ahead.push(...(imports.get(file) ?? []));
  }
  return found;
}

const files = readdirSync(ROOT, { recursive: true })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map((file) => join(ROOT, file));
const imports = new Map(files.map((file) => [normalize(file), importsOf(file)]));
const within = files.map(normalize).filter((file) => reached(file, imports).has(file));
if (within.length > 0) {
  console.error(`These are in a circle of imports:\n  ${within.sort().join('\n  ')}`);
  process.exit(1);
}
