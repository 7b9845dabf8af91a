/** A quarter or a month and its year stay on one line ("Q3 2026"). Over the parsed tree; the text itself is left as it is. */
import type { ElementContent, Root, RootContent } from 'hast';

const TIME = /\b(?:Q[1-4]|(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) \d{4}\b/g;

export function tiedTimes() {
  return (tree: Root) => tree.children.forEach(visit);
}

function visit(node: RootContent | ElementContent): void {
  if (node.type !== 'element' || node.tagName === 'pre' || node.tagName === 'code') return;
  node.children.forEach(visit);
  node.children = node.children.flatMap((child) => (child.type === 'text' ? tied(child.value) : [child]));
}

function tied(text: string): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const { 0: time, index } of text.matchAll(TIME)) {
    if (index > end) parts.push({ type: 'text', value: text.slice(end, index) });
    parts.push(inOneLine(time));
    end = index + time.length;
  }
  return end === 0 ? [{ type: 'text', value: text }] : [...parts, { type: 'text', value: text.slice(end) }];
}

function inOneLine(time: string): ElementContent {
  const properties = { style: 'white-space: nowrap' };
  return { type: 'element', tagName: 'span', properties, children: [{ type: 'text', value: time }] };
}
