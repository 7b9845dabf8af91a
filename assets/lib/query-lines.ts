/** A query as people write it: a clause a line, a column a line, queries within queries indented. Pure. */

/** A quoted name or text, a bracket, a comma, a word, a run of spaces, anything else: together they are the query. */
const PARTS = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[(),]|[A-Za-z_]\w*|\s+|./gs;
const CLAUSES =
  /^(?:SELECT|FROM|WHERE|HAVING|QUALIFY|LIMIT|UNION|INTERSECT|EXCEPT|GROUP BY|ORDER BY|JOIN|(?:LEFT|RIGHT|INNER|FULL|CROSS|ASOF|SEMI|ANTI) (?:OUTER )?JOIN)\b/;
const INSIDE = /^(?:LEFT|RIGHT|INNER|FULL|CROSS|ASOF|SEMI|ANTI|OUTER|DISTINCT)$/; // what may stand before JOIN and FROM

/** What is open at a place: a query, or a bracket that holds none. */
interface Open {
  readonly query: boolean;
  clause: string;
  /** CASE without its END; BETWEEN without its AND. */
  cases: number;
  between: boolean;
}

const opened = (query: boolean): Open => ({ query, clause: '', cases: 0, between: false });

/** Only spaces change: what is shown is the query that ran. */
export function inLines(query: string): string {
  const parts = query.trim().match(PARTS) ?? [];
  const stack = [opened(true)];
  let text = '';
  let before = '';
  const line = (more = 0) => {
    const depth = stack.filter((open) => open.query).length - 1 + more;
    text = text && `${text.trimEnd()}\n${'  '.repeat(depth)}`;
  };
  parts.forEach((part, at) => {
    const place = stack.at(-1) ?? opened(false);
    if (/^\s/.test(part)) {
      if (!/\n *$/.test(text)) text += part;
      return;
    }
    if (part === ')' && stack.length > 1 && stack.pop()?.query) line();
    else if (place.query && breaksBefore(place, parts.slice(at, at + 5), before)) {
      line(part.toUpperCase() === 'AND' ? 1 : 0);
    }
    text += part;
    if (part === '(') {
      stack.push(opened(/^\(\s*(?:SELECT|WITH)\b/i.test(parts.slice(at, at + 3).join(''))));
      if (stack.at(-1)?.query) line();
    } else if (part === ',' && place.query && place.clause === 'SELECT') line(1);
    before = part.toUpperCase();
  });
  return text;
}

/** True where a clause or another condition begins; keeps in mind what the place is in. */
function breaksBefore(place: Open, next: readonly string[], before: string): boolean {
  const word = (next[0] ?? '').toUpperCase();
  if (word === 'CASE') place.cases += 1;
  if (word === 'END') place.cases -= 1;
  if (word === 'BETWEEN') place.between = true;
  if (word === 'AND') {
    const condition = !place.between && place.cases === 0;
    place.between = false;
    return condition;
  }
  if (!CLAUSES.test(next.join('').toUpperCase().replace(/\s+/g, ' ')) || INSIDE.test(before)) return false;
  place.clause = word;
  return true;
}
