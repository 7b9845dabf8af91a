/** The first rows of CSV text: quoted cells may hold the separator, quotes (doubled) and line breaks. Pure. */

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** At most `limit` rows, the head among them. The separator is the one the first line has most of. */
export function csvRows(text: string, limit: number): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(content);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < content.length && rows.length < limit; at += 1) {
    const letter = content[at];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === separator) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  if (rows.length < limit && (cell !== '' || row.length > 0)) endRow();
  return rows;
}

function separatorOf(text: string): string {
  const line = (text.split('\n', 1)[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}
