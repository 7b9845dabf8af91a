"""Figures that look across the rows of a result, computed row by row in the order the window asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from apps.analyst.computing.compile.order import CALENDAR, STEADY, SortKey
from apps.analyst.plan import Window


def ordered(keys: Sequence[tuple[Sequence[Any], SortKey]], rows: Sequence[int]) -> list[int]:
    """The row numbers sorted by the keys, the first key weighing most; missing values last, equal rows as they were."""
    order = list(rows)
    for values, key in reversed(keys):
        present = [row for row in order if not pd.isna(values[row])]
        absent = [row for row in order if pd.isna(values[row])]
        order = sorted(present, key=lambda row: rank_of(values[row], key), reverse=key.descending) + absent
    return order


def rank_of(value: Any, key: SortKey) -> Any:
    """What a value is compared by: its place in the calendar, or the digits of a figure that count."""
    if key.calendar:
        return CALENDAR[key.calendar].index(str(value))
    return float(f"{value:{STEADY}}") if key.computed and isinstance(value, float) else value


def window(
    expr: Window, of: Sequence[Any], columns: Mapping[str, Sequence[Any]], keys: Sequence[SortKey], size: int
) -> list[Any]:
    """The window's figure for each row. `columns` are the result's columns by label."""
    parts: dict[tuple[str, ...], list[int]] = {}
    for row in range(size):
        parts.setdefault(tuple(repr(columns[label][row]) for label in expr.partition), []).append(row)
    made: list[Any] = [None] * size
    for rows in parts.values():
        sorting = [(of if key.label is None else columns[key.label], key) for key in keys]
        order = ordered(sorting, rows)
        if expr.fn == "rank":
            marks = [tuple(repr(mark_of(values[row], key)) for values, key in sorting) for row in order]
            figures: list[Any] = [marks.index(mark) + 1 for mark in marks]
        else:
            figures = _figures(expr, [_plain(of[row]) for row in order])
        for row, value in zip(order, figures, strict=True):
            made[row] = value
    return made


def mark_of(value: Any, key: SortKey) -> Any:
    """What tells whether two values tie under a key."""
    return None if pd.isna(value) else rank_of(value, key)


def _plain(value: Any) -> Any:
    return None if pd.isna(value) else value


def _figures(expr: Window, values: list[Any]) -> list[Any]:
    """The figures of one partition, in its order."""
    back = expr.span or 1
    before = [None] * min(back, len(values)) + values[: max(0, len(values) - back)]
    match expr.fn:
        case "share":
            total = sum(float(value) for value in values if value is not None)
            return [None if value is None or not total else 100 * float(value) / total for value in values]
        case "row_number":
            return list(range(1, len(values) + 1))
        case "running_total":
            return _running(values)
        case "moving_average":
            span = expr.span or 3
            return [_mean(values[max(0, i - span + 1) : i + 1]) for i in range(len(values))]
        case "previous":
            return before
        case "change":
            return [None if a is None or b is None else a - b for a, b in zip(values, before, strict=True)]
        case _:
            pairs = zip(values, before, strict=True)
            return [None if a is None or not b else 100 * (float(a) - float(b)) / abs(float(b)) for a, b in pairs]


def _running(values: list[Any]) -> list[Any]:
    total: Any = None
    made: list[Any] = []
    for value in values:
        total = value if total is None else total if value is None else total + value
        made.append(total)
    return made


def _mean(values: list[Any]) -> float | None:
    known = [float(value) for value in values if value is not None]
    return sum(known) / len(known) if known else None
