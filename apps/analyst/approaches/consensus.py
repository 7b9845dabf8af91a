"""Do several answers to one question say the same? Groups, the best of them, the verdict: pure functions over results.

Compared are result tables, never prose. The order of rows and columns, what columns are called, rounding and units are
no differences; a figure, a name or a row more or less is one. Agreement is a reason to trust, not a proof, and nothing
here words it as one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from apps.analyst.types import POINTS, Result, ResultColumn, Scalar

Verdict = Literal["agree", "disagree", "mixed"]

EXACT = 1e-6
"""Relative distance within which two computed figures are one: the order of adding does not matter."""
TELLING_DIGITS = 3
"""A figure with fewer digits is no rounding of another: 12 is not 12.4, but 12.4 is 12.37."""
MOST_ROWS = 10_000
MOST_TRIES = 2_000
"""Ways to match columns that are tried before two results count as different."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one approach answered. `trust` ranks the approaches of one group: the highest is shown for it."""

    result: Result
    selected: bool = False
    trust: int = 0
    readings: int = 1
    """Readings of the question, made independently, that it speaks for; 0 for one that only computes anew what another
    read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an answer stands: its group ("A" is what most readings came to) and whether it is the best answer."""

    group: str
    best: bool


def standings(votes: Sequence[Vote]) -> list[Standing]:
    """The group of each vote, in their order, with exactly one best: of the first group the selected, else the most
    trusted one. The first group is the one that most readings came to, then the largest: a wrong reading stays wrong
    however often it is computed."""
    groups = _groups(votes)

    def place(members: list[int]) -> tuple[int, int, bool, int]:
        readings = sum(votes[i].readings for i in members)
        return (-readings, -len(members), not any(votes[i].selected for i in members), members[0])

    groups.sort(key=place)
    names = {member: chr(ord("A") + place) for place, members in enumerate(groups) for member in members}
    best = max(groups[0], key=lambda i: (votes[i].selected, votes[i].trust, -i)) if groups else -1
    return [Standing(names[i], i == best) for i in range(len(votes))]


def verdict(groups: Sequence[str], selected: int) -> Verdict:
    """What the groups of all answers say of the selected one (SPEC section 4)."""
    if all(group == groups[selected] for group in groups):
        return "agree"
    return "disagree" if groups.count(groups[selected]) == 1 else "mixed"


def _groups(votes: Sequence[Vote]) -> list[list[int]]:
    """Each vote joins the first group whose first member says the same; the selected one is asked first."""
    order = sorted(range(len(votes)), key=lambda i: not votes[i].selected)
    groups: list[list[int]] = []
    for i in order:
        home = next((members for members in groups if same(votes[members[0]].result, votes[i].result)), None)
        if home is None:
            groups.append([i])
        else:
            home.append(i)
    return groups


# ---------------------------------------------------------------- results
def same(one: Result, other: Result) -> bool:
    """True where two results say the same. The wider one may hold columns that support the figures of the other."""
    if one.total_rows != other.total_rows:
        return False
    if not one.rows or not other.rows:
        return not one.rows and not other.rows
    narrow, wide = (one, other) if len(one.columns) <= len(other.columns) else (other, one)
    count = min(len(narrow.rows), len(wide.rows), MOST_ROWS)
    mine, theirs = _columns(narrow, count), _columns(wide, count)
    if any(column.figure for column in theirs) and not any(column.figure for column in mine):
        return False
    return any(_rows_meet(mine, [theirs[i] for i in places]) for places in _matchings(mine, theirs))


@dataclass(frozen=True, slots=True)
class _Column:
    """A column made comparable: numbers where all of it is numbers, and the words for each cell in any case."""

    words: tuple[str, ...]
    numbers: tuple[float | None, ...] | None
    figure: bool
    per_cent: bool

    def sorted_numbers(self) -> list[float]:
        return sorted(number for number in self.numbers or () if number is not None)


def _columns(result: Result, count: int) -> list[_Column]:
    rows = result.rows if len(result.rows) <= count else result.rows[:count]
    return [_column(column, [row[i] for row in rows]) for i, column in enumerate(result.columns)]


def _column(column: ResultColumn, cells: Sequence[Scalar]) -> _Column:
    numbers: tuple[float | None, ...] | None = None
    if all(cell is None or _is_number(cell) for cell in cells):
        numbers = tuple(None if cell is None else float(cell) for cell in cells)  # type: ignore[arg-type]
    figure = column.kind == "measure" and numbers is not None
    return _Column(tuple(map(words_of, cells)), numbers, figure, column.unit in ("%", POINTS))


def _is_number(cell: Scalar) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _matchings(mine: Sequence[_Column], theirs: Sequence[_Column]) -> Iterator[list[int]]:
    """Ways to lay each of my columns on another of theirs, as far as single columns tell."""
    fits = [[j for j, other in enumerate(theirs) if _columns_meet(column, other)] for column in mine]
    tries = 0

    def extend(chosen: list[int]) -> Iterator[list[int]]:
        nonlocal tries
        tries += 1
        if tries > MOST_TRIES:
            return
        if len(chosen) == len(mine):
            yield chosen
            return
        for j in fits[len(chosen)]:
            if j not in chosen:
                yield from extend([*chosen, j])

    return extend([])


def _columns_meet(one: _Column, other: _Column) -> bool:
    """Whether two columns hold the same values, whatever their order."""
    if one.numbers is not None and other.numbers is not None and (one.figure or other.figure):
        mine, theirs = one.sorted_numbers(), other.sorted_numbers()
        equal = _number_test(one, other)
        return len(mine) == len(theirs) and all(map(equal, mine, theirs))
    return sorted(one.words) == sorted(other.words)


def _number_test(one: _Column, other: _Column) -> Callable[[float, float], bool]:
    """How figures of two columns are compared: per cent with ratios times a hundred, where only one has the unit."""
    if one.per_cent == other.per_cent:
        return equal_numbers
    first, second = (100.0, 1.0) if other.per_cent else (1.0, 100.0)
    return lambda a, b: equal_numbers(a, b) or equal_numbers(a * first, b * second)


def equal_numbers(one: float, other: float) -> bool:
    """Two figures that are one: equal as computed, or the shorter one is the longer one rounded."""
    if math.isclose(one, other, rel_tol=EXACT, abs_tol=1e-9):
        return True
    places = [_decimals(one), _decimals(other)]
    if places[0] == places[1]:
        return False
    short, long = (one, other) if places[0] < places[1] else (other, one)
    digits = len(str(abs(int(short))).lstrip("0")) + min(places)
    half = 0.5 * 10 ** -min(places)
    return digits >= TELLING_DIGITS and abs(short - long) <= half * (1 + EXACT)


def _decimals(number: float) -> int:
    exponent = Decimal(repr(number)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _rows_meet(mine: Sequence[_Column], theirs: Sequence[_Column]) -> bool:
    """Whether the rows of matched columns are the same, whatever their order."""
    pairs = list(zip(mine, theirs, strict=True))
    numeric = [a.numbers is not None and b.numbers is not None and (a.figure or b.figure) for a, b in pairs]
    tests = [_number_test(a, b) for a, b in pairs]

    def rows(columns: Sequence[_Column]) -> list[tuple[tuple[str, ...], tuple[float, ...]]]:
        count = len(columns[0].words)
        made = []
        for row in range(count):
            words = tuple(c.words[row] for c, number in zip(columns, numeric, strict=True) if not number)
            numbers = tuple(_sortable(c, row) for c, number in zip(columns, numeric, strict=True) if number)
            made.append((words, numbers))
        return sorted(made)

    compare = [test for test, number in zip(tests, numeric, strict=True) if number]
    for (words, numbers), (other_words, other_numbers) in zip(rows(mine), rows(theirs), strict=True):
        if words != other_words:
            return False
        for test, a, b in zip(compare, numbers, other_numbers, strict=True):
            if (a == -math.inf) != (b == -math.inf) or (a != -math.inf and not test(a, b)):
                return False
    return True


def _sortable(column: _Column, row: int) -> float:
    assert column.numbers is not None
    number = column.numbers[row]
    return -math.inf if number is None else number


# ---------------------------------------------------------------- cells
_QUARTER = re.compile(r"(?:q([1-4])[ /-]*((?:19|20)\d\d)|((?:19|20)\d\d)[ /-]*q([1-4]))")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"({'|'.join(_MONTHS)})[a-z]*\.?,? ((?:19|20)\d\d)")
_YEAR_MONTH = re.compile(r"((?:19|20)\d\d)[-/](0[1-9]|1[0-2])")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def words_of(cell: Scalar) -> str:
    """A cell as it is compared: text without case and doubled blanks, periods by their first day, numbers without
    ends."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        bare = (cell.hour, cell.minute, cell.second, cell.microsecond) == (0, 0, 0, 0)
        return cell.date().isoformat() if bare else cell.isoformat(timespec="seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, int | float | Decimal):
        return _number_words(float(cell))
    return _text_words(" ".join(cell.casefold().split()))


def _number_words(number: float) -> str:
    if number.is_integer() and 1900 <= number <= 2100:
        return f"{int(number)}-01-01"  # a year, which others say as its first day
    return f"{number:.9g}"


def _text_words(text: str) -> str:
    quarter = _QUARTER.fullmatch(text)
    if quarter:
        number, year = (quarter[1], quarter[2]) if quarter[1] else (quarter[4], quarter[3])
        return f"{year}-{3 * int(number) - 2:02d}-01"
    month = _MONTH.fullmatch(text)
    if month:
        return f"{month[2]}-{_MONTHS.index(month[1]) + 1:02d}-01"
    if _YEAR_MONTH.fullmatch(text):
        return f"{text[:4]}-{text[5:7]}-01"
    if text in ("true", "false"):
        return "yes" if text == "true" else "no"
    return _number_words(float(text)) if _NUMBER.fullmatch(text) and len(text) < 16 else text
