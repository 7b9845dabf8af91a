"""Finds rows of totals among the rows of data. A row goes only if it says so and its figures are sums of the rows
above it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from apps.analyst.tables import numbers
from apps.analyst.tables.plans import CellValue, ColumnPlan

_WORD = r"(?:sub)?totals?|sums?|gesamt(?:summe|ergebnis)?|summe|suma"
_LABEL = re.compile(
    rf"(?:(?:grand|sub|overall|net|running|report|all|gross)[\s-]*)?(?:{_WORD})(?:\s*[:.=])?"
    r"|.{1,60}\s(?:sub)?totals?\s*:?|(?:sub)?totals?(?:\s*:|\s(?:for|of|in)?)\s*.{1,60}",
    re.IGNORECASE,
)
MAX_CANDIDATES = 2_000
SURE_DIGITS = 3
"""Sums that agree in so many digits, over all columns, are no accident."""
_BEYOND_DOUBT = 7
"""Nor are those of several columns, whatever the others hold: rates, averages, numbers of different people."""
_FEWEST_SHARES = 2
_STYLES = (numbers.NumberStyle(), numbers.NumberStyle(decimal_comma=True))
PLAIN_LABELS = frozenset(
    write(f"{front}{word}{mark}")
    for front in ("", "grand ", "sub ", "sub-", "sub", "overall ")
    for word in ("total", "totals")
    for mark in ("", ":")
    for write in (str.lower, str.upper, str.title, str.capitalize)
)
"""What marks a row of totals in whatever column it stands; longer labels stand first in their row."""


def is_total_label(cell: str) -> bool:
    """Whether a cell is worded like the label of a row or column of totals."""
    return bool(_LABEL.fullmatch(cell.strip()))


def label_of(row: Sequence[str]) -> str:
    """The first filled cell of a row."""
    return next((cell for cell in row if cell), "")


def read_figure(plan: ColumnPlan, cell: str) -> CellValue:
    """A candidate's cell in a column of figures. It may be grouped ("1,234") where all above are too small for that."""
    if plan.is_missing(cell):
        return None
    value = plan.read(cell)
    return value if value is not None else (plan.number_style or _STYLES[0]).read(cell)


def total_rows(
    columns: Sequence[Sequence[Decimal | None]],
    candidates: Mapping[int, str],
    height: int,
    rates: Sequence[bool],
) -> list[int]:
    """Which of the candidate rows are sums: of all other rows above them, or of those since the total before.

    `columns`: the figures of every column that may be added up, row by row. `candidates`: their labels. `rates`: which
    columns hold percentages.
    """
    agreeing: dict[int, int] = {}
    after = -1
    for row in candidates:
        spans = (range(row), range(after + 1, row))
        parts = ([index for index in span if index not in candidates] for span in spans)
        digits = next(filter(None, (_summed(columns, rates, row, part) for part in parts)), 0)
        if digits:
            agreeing[row], after = digits, row
    return beyond_chance(agreeing, candidates, height)


def beyond_chance(agreeing: Mapping[int, int], candidates: Mapping[int, str], height: int) -> list[int]:
    """The rows that are sums and no accident, of those whose figures agree in so many digits.

    A row of few digits ("Total, 3" below 1 and 2) may be one of data that is only named so: it is where further data
    stand below the last of them, or where a row of the same label is no sum.
    """
    below = range(max(agreeing, default=height) + 1, height)
    names = {candidates[row].casefold() for row in candidates if row not in agreeing}
    doubtful = any(row not in candidates for row in below)
    return [
        row
        for row, digits in agreeing.items()
        if digits >= SURE_DIGITS or not (doubtful or candidates[row].casefold() in names)
    ]


def _summed(columns: Sequence[Sequence[Decimal | None]], rates: Sequence[bool], row: int, parts: Sequence[int]) -> int:
    """In how many digits a row's figures are the sums of `parts`; 0 where they are not."""
    if len(parts) < 2:
        return 0
    figures, sums, added, percent = [], [], [], []
    for column, rate in zip(columns, rates, strict=True):
        figure = column[row]
        if figure is not None:
            values = [value for index in parts if (value := column[index]) is not None]
            figures.append(figure)
            sums.append(sum(values, Decimal(0)) if values else None)
            added.append(sum(map(bool, values)) > 1)
            percent.append(rate)
    return agree(figures, sums, len(parts), added, percent)


def agree(
    figures: Sequence[Decimal],
    sums: Sequence[Decimal | None],
    count: int,
    added: Sequence[bool],
    rates: Sequence[bool],
) -> int:
    """In how many digits the figures are the sums (of `count` parts each) beside them; 0 where they are not. Half of
    them have to be, percentages (`rates`) aside, or several in so many digits that it cannot be an accident. `added`:
    whether more than one part is not zero; else a sum says nothing."""
    matching = asked = digits = 0
    telling: set[Decimal] = set()
    for place, (figure, total) in enumerate(zip(figures, sums, strict=True)):
        is_sum = total is not None and abs(total - figure) <= _tolerance(figure, count)
        matching += is_sum
        asked += is_sum or not rates[place]
        if is_sum and figure and added[place]:
            telling.add(figure)
            digits += _digits(figure)
    if matching * 2 >= asked:
        return digits
    return digits if len(telling) > 1 and sum(map(_digits, telling)) >= _BEYOND_DOUBT else 0


def share_rows(cells: Mapping[int, Sequence[str]], confirmed: Collection[int]) -> list[int]:
    """Which of the candidate rows, with their cells, hold the percentages that the figures of the total right above
    them are of the largest one ("Percentage of total")."""
    rows = [row for row in cells if row not in confirmed and row - 1 in confirmed]
    return [row for row in rows if any(_are_shares(cells[row], cells[row - 1], style) for style in _STYLES)]


def _are_shares(shares: Sequence[str], figures: Sequence[str], style: numbers.NumberStyle) -> bool:
    shown = [
        (style.read(share), style.read(figure))
        for share, figure in zip(shares, figures, strict=True)
        if (shape := numbers.take_apart(share)) is not None and shape.percent
    ]
    known = [(share, figure) for share, figure in shown if share is not None and figure is not None]
    largest = max((abs(figure) for _, figure in known), default=Decimal(0))
    if len(known) < len(shown) or not largest or len({share for share, _ in known if share}) < _FEWEST_SHARES:
        return False
    return all(abs(figure / largest * 100 - share) <= _rounding(share) for share, figure in known)


def _rounding(figure: Decimal) -> Decimal:
    exponent = figure.as_tuple().exponent
    return Decimal("0.51").scaleb(exponent if isinstance(exponent, int) else 0)


def _digits(figure: Decimal) -> int:
    """How many digits a figure has, noughts behind the point aside."""
    whole = figure.to_integral_value()
    return len(str(abs(int(whole)))) if whole == figure else len(figure.normalize().as_tuple().digits)


def _tolerance(figure: Decimal, count: int) -> Decimal:
    """How far rounded parts may add up beside a rounded sum; whole numbers must meet exactly."""
    exponent = figure.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= 0:
        return Decimal(0)
    rounding = Decimal(1).scaleb(exponent) / 2 * min(count, 20)
    return max(rounding, abs(figure) * Decimal("1e-9"))
