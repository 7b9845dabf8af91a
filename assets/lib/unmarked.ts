/** The words of a Markdown text without its commonest marks: what stands until, or instead of, its drawing. */
export function unmarked(text: string): string {
  return text
    .replace(/\*\*|`/g, '')
    .replace(/(?<![\w*])\*(\S[^*\n]*?)\*(?![\w*])/g, '$1')
    .replace(/^#{1,6} /gm, '');
}
