"""Queries that pass the gate and would never end, or would take all memory: what is left for limits to stop.

`{t}` is a table of some thousand rows, `{c}` one of its columns; both as they are written in SQL.
"""

from __future__ import annotations


def _chain(first: str, step: str, levels: int, last: str) -> str:
    """Common table expressions of which each doubles the one before."""
    parts = [f"x0 AS ({first})", *(f"x{n} AS ({step.format(n=n - 1)})" for n in range(1, levels))]
    return f"WITH {', '.join(parts)} {last.format(n=levels - 1)}"


_CROSS = "{t} a, {t} b, {t} c, {t} d, {t} e, {t} f"
_LONG = "replace(" * 9 + "'xxxxxxxxxx'" + ", 'x', 'xxxxxxxxxx')" * 9
_DOUBLED = "SELECT s || s AS s FROM x{n}"
_TWICE = "SELECT k FROM x{n} UNION ALL SELECT k FROM x{n}"

RUNAWAYS: dict[str, str] = {
    "cross join": f"SELECT count(*) FROM {_CROSS}",
    "cross join, distinct": f"SELECT count(DISTINCT concat(a.{{c}}, b.{{c}}, c.{{c}})) FROM {_CROSS}",
    "cross join, sorted": f"SELECT a.{{c}}, b.{{c}} FROM {_CROSS} ORDER BY concat(c.{{c}}, d.{{c}}) DESC",
    "cross join, grouped": f"SELECT a.{{c}}, b.{{c}}, c.{{c}}, count(*) FROM {_CROSS} GROUP BY ALL",
    "cross join, median": f"SELECT median(strlen(concat(a.{{c}}, f.{{c}}))) FROM {_CROSS}",
    "cross join, mode": f"SELECT mode(concat(a.{{c}}, b.{{c}}, c.{{c}})) FROM {_CROSS}",
    "cross join, ranked": f"SELECT rank() OVER (ORDER BY concat(a.{{c}}, b.{{c}})) FROM {_CROSS}",
    "cross join, running sum": f"SELECT sum(strlen(f.{{c}})) OVER (ORDER BY a.{{c}}) FROM {_CROSS}",
    "cross join, patterns": f"SELECT count(*) FROM {_CROSS} WHERE regexp_matches(concat(a.{{c}}, b.{{c}}), '(x+)+y')",
    "unequal join": "SELECT count(*) FROM {t} a JOIN {t} b ON a.{c} <> b.{c} JOIN {t} c ON b.{c} <> c.{c} "
    "JOIN {t} d ON c.{c} <> d.{c} JOIN {t} e ON d.{c} <> e.{c}",
    "rows for rows": "SELECT count(*) FROM {t} a, {t} b, {t} c WHERE EXISTS (SELECT 1 FROM {t} d, {t} e "
    "WHERE concat(d.{c}, e.{c}) = concat(a.{c}, b.{c}, c.{c}, 'never'))",
    "a query for each row": "SELECT sum((SELECT count(*) FROM {t} b, {t} c, {t} d WHERE b.{c} <> a.{c})) FROM {t} a",
    "doubling texts": _chain("SELECT 'xxxxxxxxxx' AS s", _DOUBLED, 32, "SELECT max(length(s)) FROM x{n}"),
    "doubling texts of rows": _chain(
        "SELECT concat({c}, 'xxxxxxxxxx') AS s FROM {t}", _DOUBLED, 24, "SELECT max(length(s)) FROM x{n}"
    ),
    "doubling rows": _chain("SELECT 1 AS k", _TWICE, 48, "SELECT count(*) FROM x{n}"),
    "doubling rows, sorted": _chain("SELECT {c} AS k FROM {t}", _TWICE, 30, "SELECT k FROM x{n} ORDER BY k"),
    "a text that grows": f"SELECT max(length({_LONG})) FROM {{t}}",
    "texts that grow, sorted": f"SELECT concat({{c}}, {_LONG}) AS s FROM {{t}} ORDER BY s",
    "all pairs kept": "SELECT concat(a.{c}, b.{c}, c.{c}) FROM {t} a, {t} b, {t} c",
    "union of cross joins": "SELECT count(*) FROM (SELECT a.{c} FROM {t} a, {t} b, {t} c, {t} d UNION "
    "SELECT b.{c} FROM {t} a, {t} b, {t} c, {t} d)",
    "windows over windows": "SELECT sum(n) OVER (ORDER BY n) FROM (SELECT sum(strlen(a.{c})) OVER "
    "(ORDER BY concat(a.{c}, b.{c})) AS n FROM {t} a, {t} b, {t} c)",
}


def runaway(name: str, table: str, column: str) -> str:
    """The query over a table; names are written in quotes."""
    return RUNAWAYS[name].replace("{t}", f'"{table}"').replace("{c}", f'"{column}"')
