"""A join of two columns that a person names: whether their values bear it, and which side refers to which.

What names say does not count here, a person has said it; one value in common is enough.
"""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.errors import JoinRefused
from apps.analyst.tables.key_values import Fold, KeyValues
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


def drawn_join(left: Table, left_name: str, right: Table, right_name: str) -> JoinPath:
    """The join of two columns by name, from the side that refers to the side that is referred to.

    Raises JoinRefused where the columns are not there or can never meet.
    """
    mine, theirs = _column(left, left_name), _column(right, right_name)
    one, other = f"{left_name} of {left.name}", f"{right_name} of {right.name}"
    if mine.type != theirs.type and not {mine.type, theirs.type} <= set(_LOOSELY):
        raise JoinRefused(f"{one} holds {KINDS[mine.type]} and {other} holds {KINDS[theirs.type]}: they never match.")
    with KeyValues() as values:
        found = [path for fold in _folds(left, mine, right, theirs, values)
                 for path in _both_ways(left, mine, right, theirs, fold, values)]  # fmt: skip
    found = [path for path in found if path.match_rate > 0]
    if not found:
        raise JoinRefused(f"{one} and {other} have no value in common.")
    return max(found, key=_rank)


def _column(table: Table, name: str) -> Column:
    column = table.column(name)
    if column is None:
        raise JoinRefused(f"{table.name} has no column named {name}.")
    return column


def _folds(left: Table, mine: Column, right: Table, theirs: Column, values: KeyValues) -> list[Fold]:
    """How the keys may be compared: as they are, and loosely where that throws no two keys together."""
    ways: list[Fold] = ["none"] if mine.type == theirs.type else []
    if "text" in (mine.type, theirs.type):
        loosely: Fold = "core"
        if values.keeps_distinct(left, mine.name, loosely) and values.keeps_distinct(right, theirs.name, loosely):
            ways.append(loosely)
    return ways


def _both_ways(
    left: Table, mine: Column, right: Table, theirs: Column, fold: Fold, values: KeyValues
) -> tuple[JoinPath, JoinPath]:
    there = values.match_rate(left, mine, right, theirs, fold)
    back = values.match_rate(right, theirs, left, mine, fold)
    loose = fold != "none"
    path = JoinPath(left.name, (mine.name,), right.name, (theirs.name,), round(there, 4), theirs.unique, loose)
    turned = replace(path, match_rate=round(back, 4), right_unique=mine.unique)
    turned = replace(
        turned,
        left_table=right.name,
        left_columns=path.right_columns,
        right_table=left.name,
        right_columns=path.left_columns,
    )
    return path, turned


def _rank(path: JoinPath) -> tuple[bool, float, bool]:
    """Many rows refer to one, more of them find it, and keys that meet as they are need no folding."""
    return (path.right_unique, path.match_rate, not path.fold)
