"""Names as a model should write them in a query: in quotes only where they need them."""

from __future__ import annotations

import re
from functools import cache

import duckdb

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def quoted(name: str) -> str:
    """The name, in quotes where the engine would not read it otherwise."""
    if _PLAIN.fullmatch(name) and name.casefold() not in _reserved():
        return name
    return '"' + name.replace('"', '""') + '"'


@cache
def _reserved() -> frozenset[str]:
    """The engine's words that are no names."""
    connection = duckdb.connect(":memory:")
    try:
        rows = connection.execute("SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'")
        return frozenset(str(name) for (name,) in rows.fetchall())
    finally:
        connection.close()
