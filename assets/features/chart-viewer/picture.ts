/**
 * A chart as a PNG at twice its size. Web fonts and style sheets do not reach an SVG inside an image, so computed
 * presentation is written into a copy and the font's letters are embedded as data.
 */
import { fetchAsset } from 'api/client';

const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'letter-spacing',
  'text-anchor',
  'text-decoration-line',
  'font-variant-numeric',
];
const TRANSIENT = '.recharts-tooltip-cursor, .recharts-active-dot, .recharts-active-bar';
const PADDING = 16;
const SCALE = 2;

/** The parts of a chart, one below the other on the surface's colour. */
export async function pictureOf(parts: readonly SVGSVGElement[], surface: string): Promise<Blob> {
  const sizes = parts.map((part) => part.getBoundingClientRect());
  const width = Math.max(...sizes.map((size) => size.width)) + 2 * PADDING;
  const height = sizes.reduce((sum, size) => sum + size.height, 0) + 2 * PADDING;
  const root = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = await embeddedFonts(parts.map((part) => part.textContent ?? '').join(''));
  root.append(style);
  let top = PADDING;
  for (const [index, part] of parts.entries()) {
    const copy = frozenCopy(part);
    copy.setAttribute('x', String(PADDING));
    copy.setAttribute('y', String(top));
    root.append(copy);
    top += sizes[index]?.height ?? 0;
  }
  return draw(new XMLSerializer().serializeToString(root), width, height, surface);
}

/** A copy that looks the same without any style sheet. */
export function frozenCopy(source: SVGSVGElement): SVGSVGElement {
  const copy = source.cloneNode(true) as SVGSVGElement;
  const originals = [source, ...source.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [index, original] of originals.entries()) {
    const target = copies[index];
    const computed = getComputedStyle(original);
    for (const property of PROPERTIES) {
      const value = computed.getPropertyValue(property);
      if (value !== '')
        target?.setAttribute(property === 'text-decoration-line' ? 'text-decoration' : property, value);
    }
    target?.removeAttribute('class');
    target?.removeAttribute('style');
    target?.removeAttribute('tabindex');
  }
  for (const [index, original] of originals.entries()) {
    if (original.matches(TRANSIENT)) copies[index]?.remove();
  }
  return copy;
}

/** The page's font faces that hold letters of the text, with their files as data addresses. */
async function embeddedFonts(text: string): Promise<string> {
  const points = [...new Set(text)].map((letter) => letter.codePointAt(0) ?? 0);
  const faces = fontFaces().filter(({ covers }) => points.some(covers));
  const rules = await Promise.all(
    faces.map(async ({ rule, address }) => {
      const data = await fontData(address);
      return data === null ? '' : rule.replace(/src:[^;}]+/, `src:url(${data}) format("woff2")`);
    }),
  );
  return rules.join('\n');
}

interface Face {
  readonly rule: string;
  readonly address: string;
  readonly covers: (point: number) => boolean;
}

function fontFaces(): Face[] {
  const faces: Face[] = [];
  for (const sheet of document.styleSheets) {
    for (const rule of readable(sheet)) {
      if (!(rule instanceof CSSFontFaceRule) || !/Inter/.test(rule.style.getPropertyValue('font-family')))
        continue;
      const path = /url\(["']?([^"')]+)["']?\)/.exec(rule.style.getPropertyValue('src'))?.[1];
      if (path === undefined || rule.style.getPropertyValue('font-style') === 'italic') continue;
      const address = new URL(path, sheet.href ?? document.baseURI).href;
      faces.push({
        rule: rule.cssText,
        address,
        covers: coverage(rule.style.getPropertyValue('unicode-range')),
      });
    }
  }
  return faces;
}

/** A style sheet of another origin gives no rules; it holds no face of ours either. */
function readable(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

/** Whether a code point lies in a CSS unicode-range; without one, all do. */
export function coverage(range: string): (point: number) => boolean {
  const spans = range.split(',').flatMap((part) => {
    const match = /U\+([0-9a-f]+)(\?*)(?:-([0-9a-f]+))?/i.exec(part.trim());
    if (match === null) return [];
    const [, from = '', unknown = '', to] = match;
    return [
      [
        parseInt(from + '0'.repeat(unknown.length), 16),
        parseInt(to ?? from + 'F'.repeat(unknown.length), 16),
      ] as const,
    ];
  });
  return (point) => spans.length === 0 || spans.some(([from, to]) => point >= from && point <= to);
}

async function fontData(address: string): Promise<string | null> {
  const blob = await fetchAsset(address);
  if (blob === null) return null;
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(blob);
  });
}

async function draw(svg: string, width: number, height: number, surface: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * SCALE);
  canvas.height = Math.round(height * SCALE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no canvas.');
  context.fillStyle = surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))),
      'image/png',
    );
  });
}
