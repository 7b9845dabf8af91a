import { describe, expect, test } from 'vitest';
import { inLines } from './query-lines';

const NESTED =
  `SELECT coalesce(_c."Won, in all", 0) AS "Now", _c.n FROM (SELECT sum("Amount") AS "Won, in all", count(*) AS n FROM deals ` +
  `AS d LEFT OUTER JOIN owners AS o ON d."Owner" = o."Id" WHERE lower(trim("Stage")) = 'closed (won), from' AND ` +
  `"Close" BETWEEN '2026-01-01' AND '2026-03-31' GROUP BY extract(year FROM "Close")) AS _c ORDER BY 1 LIMIT 5`;

describe('a query', () => {
  test('has a line for each clause, column and condition; what stands in brackets is indented', () => {
    expect(inLines(NESTED)).toBe(
      [
        'SELECT coalesce(_c."Won, in all", 0) AS "Now",',
        '  _c.n',
        'FROM (',
        '  SELECT sum("Amount") AS "Won, in all",',
        '    count(*) AS n',
        '  FROM deals AS d',
        '  LEFT OUTER JOIN owners AS o ON d."Owner" = o."Id"',
        `  WHERE lower(trim("Stage")) = 'closed (won), from'`,
        `    AND "Close" BETWEEN '2026-01-01' AND '2026-03-31'`,
        '  GROUP BY extract(year FROM "Close")',
        ') AS _c',
        'ORDER BY 1',
        'LIMIT 5',
      ].join('\n'),
    );
  });

  test('of several steps has a line for each', () => {
    expect(inLines('WITH a AS (SELECT 1 AS x), b AS (SELECT 2) SELECT x FROM a UNION ALL SELECT 3')).toBe(
      'WITH a AS (\n  SELECT 1 AS x\n), b AS (\n  SELECT 2\n)\nSELECT x\nFROM a\nUNION ALL\nSELECT 3',
    );
  });

  test.each([
    'SELECT CASE WHEN a AND b THEN 1 END FROM t WHERE x IS DISTINCT FROM y',
    'SELECT 1) FROM ((',
    "SELECT 'it''s open",
    '',
    NESTED,
  ])('is the same but for its spaces: %s', (query) => {
    expect(inLines(query).replace(/\s+/g, '')).toBe(query.replace(/\s+/g, ''));
  });

  test('keeps conditions within a value, and a comparison, in one line', () => {
    expect(inLines('SELECT CASE WHEN a AND b THEN 1 END FROM t WHERE x IS DISTINCT FROM y')).toBe(
      'SELECT CASE WHEN a AND b THEN 1 END\nFROM t\nWHERE x IS DISTINCT FROM y',
    );
  });
});
