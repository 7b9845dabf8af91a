"""Which well-known product a file was exported from, by the names of its columns: people call files by it, too."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from apps.analyst.knowledge.loader import parsed
from apps.analyst.types import Table

LEAST = 3
"""Names of one product that a file has to have."""
_UNIT = re.compile(r"\s*\((?:utc|gmt|[a-z]{3})\)", re.IGNORECASE)
_MARK = re.compile(r"[^a-z0-9]+")


class _Product(NamedTuple):
    names: tuple[str, ...]
    marks: frozenset[str]


def product_names(table: Table) -> tuple[str, ...]:
    """What the product is called that a table was exported from, in lower case; empty where none is known."""
    columns = {_plain(column.name) for column in table.columns}
    found = max(_products(), key=lambda product: len(product.marks & columns))
    return found.names if len(found.marks & columns) >= LEAST else ()


@cache
def _products() -> tuple[_Product, ...]:
    read: list[dict[str, Any]] = parsed(Path(__file__).parent / "products.yaml")
    return tuple(_Product(tuple(one["names"]), frozenset(map(_plain, one["marks"]))) for one in read)


def _plain(name: str) -> str:
    """A column's name without its unit or time zone, in letters and digits alone."""
    return _MARK.sub(" ", _UNIT.sub("", name.casefold())).strip()
