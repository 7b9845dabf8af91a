"""Tables in which what is said of a whole thing is repeated on all of its lines, as in the invoices that bookkeeping
programs export.

Each line of an invoice bears its number, its customer, its date and its total, so that a sum over the lines has every
total several times. Such a table is known by its cells alone: a column repeats on rows that stand together, an amount
is the same on all of them, and others, which differ from row to row, add up to it, with or without a tax on top. That
sum is what tells an invoice's total from the price of a product on all rows of its sales. The amounts of whole things
are then kept on first rows alone, so that the table is one of `per_key`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from statistics import StatisticsError, correlation, linear_regression
from typing import Any

from apps.analyst.tables.grid import TypedColumn
from apps.analyst.tables.per_key import Cells, Lines, Runs, cells_of, described, first_rows, runs_of
from apps.analyst.tables.profile import profile
from apps.analyst.types import Column, PerKey

NUMBERS = ("integer", "decimal", "float")
FEWEST_SUMS = 5
"""Things of several rows whose amounts are sums of these that there have to be; more where a tax may be on top."""
_FEWEST_TAXED = 12
_REAL_SHARE = 0.05
_MOST_LINES = 100
"""How many rows a thing has at most, on average: months and countries have more."""
_AGREEING = 0.95
_MOST_TAX = 1.35
_LEAST_BESIDE, _MOST_BESIDE = 0.6, 2.5
"""What a whole is of its lines where delivery is charged, or something taken off, and how closely it follows them."""
_FOLLOWING, _LEAST_SLOPE = 0.97, 0.9
_ROUNDING = 0.02
"""How far amounts that were rounded line by line may add up beside the whole."""
_ACCIDENT = 0.01
"""How likely it may be that rows that stand together hold the same amount by accident."""
COMPARED = 2_000
"""Things of several rows whose sums are looked at, and how many columns may make them up."""
_PARTS = 8

Sums = Callable[[Sequence[int]], Sequence[float | None]]
"""What the product of these columns comes to in each of the compared things."""


def likely_keys(columns: Sequence[Column], rows: int) -> list[int]:
    """The places of the columns that may say which thing a row belongs to, those of the most values first."""
    amounts = [column.distinct for column in columns if is_amount(column)]
    if len(amounts) < 2:
        return []
    found = [
        place
        for place, column in enumerate(columns)
        if column.type in ("text", "integer")
        and column.role != "measure"
        and not column.missing
        and max(FEWEST_SUMS, rows / _MOST_LINES) <= column.distinct <= rows / (1 + _REAL_SHARE)
        and min(amounts) <= column.distinct
    ]
    return sorted(found, key=lambda place: -columns[place].distinct)


def is_amount(column: Column) -> bool:
    """Whether a column's figures may be added up."""
    return column.role == "measure" and column.type in NUMBERS and column.unit != "%" and column.distinct > 1


def lines_of(
    key: int, runs: Runs, cells: Mapping[int, Cells], columns: Sequence[Column], rows: int, sums: Sums
) -> Lines | None:
    """What the runs of a key make of a table; None where its rows are no lines of it. `cells` are those of all columns
    but the key."""
    if runs.several < max(FEWEST_SUMS, _REAL_SHARE * columns[key].distinct):
        return None
    still = [place for place, of in cells.items() if not of.changes]
    wholes = [place for place in still if is_amount(columns[place]) and not _by_chance(columns[place], rows, runs)]
    parts = [place for place, of in cells.items() if of.changes and is_amount(columns[place])][:_PARTS]
    told = [place for place in still if not is_amount(columns[place]) and columns[place].distinct > 1]
    made = (*((part,) for part in parts), *combinations(parts, 2)) if wholes and told else ()
    known = [sums([whole]) for whole in wholes] if made else []
    if not any(_add_up(whole, added) for added in map(sums, made) for whole in known):
        return None
    lies: dict[int, PerKey] = {place: "same" for place in still if not is_amount(columns[place])}
    lies |= dict.fromkeys(wholes, "once")
    return Lines({key: "key", **{place: lies.get(place, "") for place in cells}}, (), runs.others)


def _by_chance(column: Column, rows: int, runs: Runs) -> bool:
    """Whether nearly all rows hold one amount, or none, so that those of one thing hardly could differ."""
    commonest = max([column.missing, *(value.count for value in column.values)])
    return (commonest / rows) ** runs.others >= _ACCIDENT


def _add_up(wholes: Sequence[float | None], added: Sequence[float | None]) -> bool:
    """Whether amounts are the sums beside them, or these with a tax, with delivery or less a discount."""
    beside = [(whole, parts) for whole, parts in zip(wholes, added, strict=True) if whole and parts]
    if len(beside) < FEWEST_SUMS or len({whole for whole, _ in beside}) < FEWEST_SUMS or 2 * len(beside) < len(wholes):
        return False
    enough = _AGREEING * len(beside)
    if sum(abs(whole - parts) <= _ROUNDING for whole, parts in beside) >= enough:
        return True
    if len(beside) < _FEWEST_TAXED:
        return False
    taxed = sum(1 - _ROUNDING / abs(parts) <= whole / parts <= _MOST_TAX for whole, parts in beside)
    near = sum(_LEAST_BESIDE <= whole / parts <= _MOST_BESIDE for whole, parts in beside)
    return taxed >= enough or (near >= enough and _follow(beside))


def _follow(beside: Sequence[tuple[float, float]]) -> bool:
    """Whether amounts grow as the sums beside them do, and by as much."""
    wholes, parts = zip(*beside, strict=True)
    try:
        slope = linear_regression(parts, wholes).slope
        return _LEAST_SLOPE <= slope <= _MOST_TAX and correlation(parts, wholes) >= _FOLLOWING
    except StatisticsError:
        return False  # all of them are the same


# ---------------------------------------------------------------- in memory
def keep_once(columns: list[TypedColumn], profiled: Sequence[Column]) -> tuple[tuple[Column, ...], list[str]]:
    """Keeps amounts of whole things on their first rows alone, in place. The columns' profiles, and what to tell."""
    rows = len(columns[0].values) if columns else 0
    for key in likely_keys(profiled, rows):
        first = first_rows(columns[key].values)
        if sum(first) != profiled[key].distinct:
            continue  # its rows do not stand together
        cells = {place: cells_of(of.values, first) for place, of in enumerate(columns) if place != key}
        spans = list(islice(_spans(first), COMPARED))
        lines = lines_of(key, runs_of(first), cells, profiled, rows, _sums([c.values for c in columns], spans, cells))
        if lines is not None:
            for place, how in lines.lies.items():
                if how == "once":
                    columns[place] = _first_alone(columns[place], first)
            return described(profile(columns), profiled, lines), [lines.note(profiled)]
    return tuple(profiled), []


def _spans(first: Sequence[bool]) -> Iterator[range]:
    """The rows of each thing of several."""
    begins = [row for row, begun in enumerate(first) if begun]
    return (range(begin, end) for begin, end in zip(begins, [*begins[1:], len(first)], strict=True) if end - begin > 1)


def _sums(columns: Sequence[Sequence[Any]], spans: Sequence[range], cells: Mapping[int, Cells]) -> Sums:
    def sums(places: Sequence[int]) -> list[float | None]:
        held = [columns[place] for place in places]
        whole = not cells[places[0]].changes
        return [_sum([column[row] for column in held] for row in (span[:1] if whole else span)) for span in spans]

    return sums


def _sum(rows: Iterable[Sequence[Any]]) -> float | None:
    """The sum of the products of these values; None where there are none."""
    products = []
    for values in rows:
        if None not in values:
            product = 1.0
            for value in values:
                product *= float(value)
            products.append(product)
    return sum(products) if products else None


def _first_alone(column: TypedColumn, first: Sequence[bool]) -> TypedColumn:
    values = [value if begins else None for value, begins in zip(column.values, first, strict=True)]
    return replace(column, values=values, counts=Counter(value for value in values if value is not None))
