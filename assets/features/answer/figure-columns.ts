/** Columns of a Markdown table that hold figures stand right, as in every other table. Over the parsed tree, before it is drawn. */
import type { Element, ElementContent, Root, RootContent } from 'hast';

const FIGURE = /^[+−–-]?\s?[$€£¥]?\d[\d.,\s]*(%|[kMBT]|[$€£¥])?$/u;
const GAP = /^[–—-]?$/;

export function figureColumns() {
  return (tree: Root) => tree.children.forEach(visit);
}

function visit(node: RootContent | ElementContent): void {
  if (node.type !== 'element') return;
  if (node.tagName === 'table') alignFigures(node);
  else node.children.forEach(visit);
}

function alignFigures(table: Element): void {
  const rows = elements(table, 'thead', 'tbody').flatMap((part) => elements(part, 'tr'));
  const [head, ...body] = rows.map((row) => elements(row, 'th', 'td'));
  for (const [column, cell] of (head ?? []).entries()) {
    const cells = body.flatMap((row) => row[column] ?? []);
    const texts = cells.map((one) => textOf(one).trim()).filter((text) => !GAP.test(text));
    const said = cell.properties.align !== undefined || cell.properties.style !== undefined;
    if (said || texts.length === 0 || !texts.every((text) => FIGURE.test(text))) continue;
    for (const one of [cell, ...cells]) one.properties.style = 'text-align: right';
  }
}

function elements(of: Element, ...names: string[]): Element[] {
  return of.children.flatMap((child) =>
    child.type === 'element' && names.includes(child.tagName) ? [child] : [],
  );
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}
