"""Pieces of Spark SQL as trees: templates whose names are filled with other trees."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp


class NotOnSpark(Exception):
    """A statement that cannot be said on Spark with the same meaning; the text tells why."""


@lru_cache(maxsize=256)
def _template(text: str) -> Any:
    return sqlglot.parse_one(text, read="spark")


def piece(text: str, **parts: Any) -> Any:
    """The tree of a Spark expression; each name in `text` that `parts` holds is replaced by a copy of that tree."""
    tree = exp.Paren(this=_template(text).copy())
    for column in list(tree.find_all(exp.Column)):
        if not column.table and column.name in parts:
            column.replace(parts[column.name].copy())
    inner = tree.this
    return inner.pop() if not isinstance(inner, exp.Binary) else tree


def call(name: str, *arguments: Any) -> Any:
    """A function by its very name, which no dialect of sqlglot rewrites."""
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])
