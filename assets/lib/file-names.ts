/** How files are named and which names are refused (SPEC 3, 5). Pure. */

export const CRM_PREFIX = 'hubspot_';
export const SHEETS_PREFIX = 'googlesheets_';

/** The name a reader sees: without prefix and ending; of a spreadsheet's file with its tab behind a dash. */
export function displayName(fileName: string): string {
  const sheets = new RegExp(`^${SHEETS_PREFIX}`, 'i').test(fileName);
  const bare = fileName
    .replace(new RegExp(`^(${CRM_PREFIX}|${SHEETS_PREFIX})`, 'i'), '')
    .replace(/\.csv$/i, '');
  return sheets ? bare.replace('__tab__', ' - ') : bare;
}

/** The name a file gets when it is stored. */
export function cleanName(fileName: string): string {
  return fileName.replace(/[^\p{L}\p{N}_. :-]/gu, '').replace(/\.xlsx$/i, '.csv');
}

/** Why a file cannot be uploaded, in the order of SPEC 5, or null. */
export function uploadProblem(fileName: string, existing: readonly string[], product: string): string | null {
  if (/[()]/.test(fileName)) return `Please remove parentheses from: ${fileName}`;
  const taken = cleanName(fileName).toLowerCase();
  if (existing.some((name) => name.toLowerCase() === taken)) {
    return `A file with the name: ${fileName} already exists. Please delete it and try again.`;
  }
  if (!/\.(csv|xlsx)$/i.test(fileName))
    return `We apologize. ${product} does not support this file type yet.`;
  for (const prefix of [CRM_PREFIX, SHEETS_PREFIX]) {
    if (fileName.toLowerCase().startsWith(prefix))
      return `Please remove the prefix: ${prefix} from ${fileName}`;
  }
  return null;
}

const TAIL = { least: 6, usual: 10, most: 14 };

/** A name cut in two for a middle ellipsis: the head may shrink, the tail always shows; between words where one is near. */
export function nameParts(name: string): [head: string, tail: string] {
  const half = Math.ceil(name.length / 2);
  const space = name.indexOf(' ', Math.max(half, name.length - TAIL.most));
  const near = space >= 0 && name.length - space >= TAIL.least;
  const cut = near ? space : Math.max(half, name.length - TAIL.usual);
  return [name.slice(0, cut), name.slice(cut)];
}
