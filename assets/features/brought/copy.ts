import { count } from 'lib/format';
import type { BroughtFile } from './api';

/** What follows a file's name: "12,400 orders, Jan 2024 to Dec 2025". */
export const holds = ({ rows, noun, period }: BroughtFile) =>
  [`${count(rows)} ${noun}`, period].filter(Boolean).join(', ');

/** `names` are those of files that are not told of yet. */
export const looking = (names: readonly string[]) =>
  `Looking through ${names.length === 1 ? names[0] : `${names.length} files`}...`;

export const moreFiles = (more: number) => `and ${count(more)} more`;
export const WHAT_YOU_BROUGHT = 'What you brought';
export const WORTH_ASKING = 'Questions worth asking';
