"""Months of a year that are written apart from the year: put together to stretches of time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from learning.lifting.days import next_period
from learning.lifting.sketches import Node, NotLifted, chained, conj, unroll

MONTHS = {"monthof": 1, "quarterof": 3}
"""How many months a part of a year has."""


def within_years(pred: Node, only_year: Callable[[Node], int | None]) -> Node:
    """The condition with its months put into the years beside them, or into the one year that the column has; months
    that stand alone are left."""
    parts = unroll(pred)
    for months in [part for part in parts if part[0] == "months"]:
        column = months[1]
        years = next((part for part in parts if _whole_years(part, column)), None)
        year = only_year(column) if years is None else None
        if years is None and year is None:
            continue
        spans = [("dates", column, date(year, 1, 1), date(year + 1, 1, 1))] if year is not None else _years_of(years)
        made = [_part_of(span, months) for span in spans]
        at = parts.index(months if years is None else years)
        parts[at] = chained("or", made)
        parts = [part for part in parts if part is not months]
    return conj(parts)


def pushed_down(figures: list[Node], pred: Node) -> tuple[list[Node], Node]:
    """Figures of whole years, and the condition of all rows: months in the condition are put into those years."""
    for months in [part for part in unroll(pred) if part[0] == "months"]:
        limited = [_limited(figure, months) for figure in figures]
        if limited == figures:
            raise NotLifted("part of a date")
        figures, pred = limited, conj([part for part in unroll(pred) if part is not months])
    return figures, pred


def parts_of_dates(node: Node) -> Node:
    """The sketch with months that no year was found for as a part of a date that is a month or a quarter."""
    if node[0] == "months":
        low, high = int(node[2]), int(node[3])
        if low == high:
            return ("partis", ("monthof",), node[1], ("X", str(low)))
        if high == low + 2 and low % 3 == 1:
            return ("partis", ("quarterof",), node[1], ("X", str(high // 3)))
        raise NotLifted("part of a date")
    return tuple(parts_of_dates(part) if isinstance(part, tuple) else part for part in node)


def _limited(node: Node, months: Node) -> Node:
    if _whole_years(node, months[1]) and node[0] == "dates":
        return _part_of(node, months)
    return tuple(_limited(part, months) if isinstance(part, tuple) else part for part in node)


def _whole_years(part: Node, column: Node) -> bool:
    """Whether the condition is years of the column, from a January on."""
    spans = _years_of(part)
    return bool(spans) and all(
        span[1] == column
        and None not in span[2:]
        and (span[2].month, span[2].day) == (1, 1)
        and span[3] == next_period(span[2], "year")
        for span in spans
    )


def _years_of(part: Node | None) -> list[Node]:
    """The stretches of time of a condition."""
    if part is None:
        return []
    if part[0] == "dates":
        return _single_years(part)
    return [("dates", part[1], day[1], day[2]) for day in part[2:]] if part[0] == "years" else []


def _single_years(part: Node) -> list[Node]:
    _, column, low, high = part
    if None in (low, high) or (low.month, low.day, high.month, high.day) != (1, 1, 1, 1):
        return [part]
    return [("dates", column, date(year, 1, 1), date(year + 1, 1, 1)) for year in range(low.year, high.year)]


def _part_of(span: Node, months: Node) -> Node:
    """The months of one year."""
    year, low, high = span[2].year, int(months[2]), int(months[3])
    return ("dates", span[1], date(year, low, 1), next_period(date(year, high, 1), "month"))
