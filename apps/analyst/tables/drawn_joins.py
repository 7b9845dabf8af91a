"""A join of columns that a person names, one pair or several: whether their values bear it, and which side refers to
which.

What names say does not count here, a person has said it; one value in common is enough, and of several columns one
combination.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.errors import JoinRefused
from apps.analyst.tables.key_values import Fold, KeyValues
from apps.analyst.telling.formats import listed
from apps.analyst.types import Column, JoinPath, Table

KINDS = {
    "text": "texts",
    "integer": "whole numbers",
    "decimal": "decimal numbers",
    "float": "decimal numbers",
    "boolean": "yes or no",
    "date": "dates",
    "datetime": "dates with times",
}
_LOOSELY = ("text", "integer")
"""Types whose values meet as keys are compared loosely: "A-017" and "a017", "17" and 17."""
_BESIDE = (*_LOOSELY, "date", "boolean")
"""Types that are the same when they are compared loosely because another column of the key is."""

Columns = tuple[Column, ...]


def drawn_join(left: Table, left_names: Sequence[str], right: Table, right_names: Sequence[str]) -> JoinPath:
    """The join of two tables by columns, in pairs, from the side that refers to the side that is referred to.

    Raises JoinRefused where the columns are not there or can never meet.
    """
    mine = tuple(_column(left, name) for name in left_names)
    theirs = tuple(_column(right, name) for name in right_names)
    for a, b in zip(mine, theirs, strict=True):
        _refuse_unlike(left, a, right, b)
    with KeyValues() as values:
        found = [path for fold in _folds(left, mine, right, theirs, values)
                 for path in _both_ways(left, mine, right, theirs, fold, values)]  # fmt: skip
    found = [path for path in found if path.match_rate > 0]
    if not found:
        common = "value" if len(mine) == 1 else "combination"
        ends = f"{listed(list(left_names))} of {left.name} and {listed(list(right_names))} of {right.name}"
        raise JoinRefused(f"{ends} have no {common} in common.")
    return max(found, key=_rank)


def _column(table: Table, name: str) -> Column:
    column = table.column(name)
    if column is None:
        raise JoinRefused(f"{table.name} has no column named {name}.")
    return column


def _refuse_unlike(left: Table, mine: Column, right: Table, theirs: Column) -> None:
    if mine.type != theirs.type and not {mine.type, theirs.type} <= set(_LOOSELY):
        one, other = f"{mine.name} of {left.name}", f"{theirs.name} of {right.name}"
        raise JoinRefused(f"{one} holds {KINDS[mine.type]} and {other} holds {KINDS[theirs.type]}: they never match.")


def _folds(left: Table, mine: Columns, right: Table, theirs: Columns, values: KeyValues) -> list[Fold]:
    """How the keys may be compared: as they are, and loosely where that throws no two keys together."""
    pairs = list(zip(mine, theirs, strict=True))
    ways: list[Fold] = ["none"] if all(a.type == b.type for a, b in pairs) else []
    texts = any("text" in (a.type, b.type) for a, b in pairs)
    if texts and all({a.type, b.type} <= set(_LOOSELY) or a.type in _BESIDE for a, b in pairs):
        loosely: Fold = "core"
        if _keeps_distinct(left, mine, loosely, values) and _keeps_distinct(right, theirs, loosely, values):
            ways.append(loosely)
    return ways


def _keeps_distinct(table: Table, columns: Columns, fold: Fold, values: KeyValues) -> bool:
    if len(columns) == 1:
        return values.keeps_distinct(table, columns[0].name, fold)
    _, plain = values.filled(table, _names(columns), "none")
    _, folded = values.filled(table, _names(columns), fold)
    return plain > 0 and folded == plain


def _both_ways(
    left: Table, mine: Columns, right: Table, theirs: Columns, fold: Fold, values: KeyValues
) -> tuple[JoinPath, JoinPath]:
    return (_one_way(left, mine, right, theirs, fold, values), _one_way(right, theirs, left, mine, fold, values))


def _one_way(left: Table, mine: Columns, right: Table, theirs: Columns, fold: Fold, values: KeyValues) -> JoinPath:
    if len(mine) == 1:
        rate = values.match_rate(left, mine[0], right, theirs[0], fold)
        unique = theirs[0].unique
    else:
        rate = values.match_rate_of(left, right, list(zip(_names(mine), _names(theirs), strict=True)), fold)
        rows, different = values.filled(right, _names(theirs), fold)
        unique = rows == different
    return JoinPath(left.name, _names(mine), right.name, _names(theirs), round(rate, 4), unique, fold != "none")


def _names(columns: Columns) -> tuple[str, ...]:
    return tuple(column.name for column in columns)


def _rank(path: JoinPath) -> tuple[bool, float, bool]:
    """Many rows refer to one, more of them find it, and keys that meet as they are need no folding."""
    return (path.right_unique, path.match_rate, not path.fold)
