"""Tables with their months or quarters side by side, as people keep quotas, budgets and forecasts: turned into rows.

Each row names what the figures are of ("Rep", "Region"), and each month has a column of its own, or one for the plan
and one for the actual figure. Such a table has no date to choose or group by; as rows of a month each it has one. It is
known by the names of its columns, of which at least three say a period, and by its cells: besides figures of periods it
holds words, ids and sums of these figures alone, so that nothing is repeated that adds up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.tables import headers
from apps.analyst.tables.grid import Grid, as_decimal, leave_out_totals
from apps.analyst.tables.inference import infer
from apps.analyst.tables.period_names import Kind, Period, period_of, without_years, years_in
from apps.analyst.tables.plans import ColumnPlan
from apps.analyst.tables.roles import named_id
from apps.analyst.tables.wording import counted

FEWEST_PERIODS = 3
MOST_ROWS = 20_000
PERIOD_NAME, VALUE_NAME = "Period", "Value"
"""What the new columns are called. A date called "Month" would be one more thing that "by month" may mean."""
_NUMBERS = ("integer", "decimal", "float")
_SHEET = re.compile(r"(?:sheet|tabelle|feuil|hoja|foglio|page|data|export|table)[\s_]*\d*", re.IGNORECASE)
_ROUNDING = Decimal("0.02")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that is given for periods side by side: what it is called, and the column of each period."""

    title: str
    places: Mapping[Period, int]

    def columns(self) -> list[int]:
        """The columns of its periods from left to right."""
        return sorted(self.places.values())


@dataclass(frozen=True, slots=True)
class Across:
    """Where a table has its periods, what its rows are called by, and what adds periods up."""

    figures: tuple[Figure, ...]
    labels: tuple[int, ...]
    sums: tuple[int, ...]
    year: int
    """The year of periods whose names say none."""


def unfolded(grid: Grid, name: str) -> Grid:
    """The grid with a row for each period where it has these side by side, else as it is. `name` is the table's."""
    if len(grid.columns[0]) > MOST_ROWS:
        return grid
    named = {place: said for place, column in enumerate(grid.names) if (said := period_of(column)) is not None}
    if len(named) < FEWEST_PERIODS:
        return grid
    leave_out_totals(grid)
    across = _across(grid, name, _figures(named))
    return grid if across is None else _in_rows(grid, across, name)


def _figures(named: Mapping[int, tuple[Period, str]]) -> tuple[Figure, ...]:
    """The figures whose periods stand side by side; none where a period has two columns, or a figure few periods."""
    kind: Kind = "month" if any(period.kind == "month" for period, _ in named.values()) else "quarter"
    found: dict[str, Figure] = {}
    for place, (period, title) in named.items():
        if period.kind != kind:
            continue
        figure = found.setdefault(title.casefold(), Figure(title, {}))
        if period in figure.places:
            return ()
        found[title.casefold()] = Figure(figure.title, {**figure.places, period: place})
    return tuple(found.values()) if all(len(each.places) >= FEWEST_PERIODS for each in found.values()) else ()


def _across(grid: Grid, name: str, figures: tuple[Figure, ...]) -> Across | None:
    """Where the periods of a grid stand; None where it is no such table, or nothing says of which year they are."""
    plans = [infer(Counter(column), title, grid.hints) for column, title in zip(grid.columns, grid.names, strict=True)]
    numeric = {place for place, plan in enumerate(plans) if plan.type in _NUMBERS}
    taken = {place for figure in figures for place in figure.columns()}
    if not taken & numeric or any(any(grid.columns[place]) for place in taken - numeric):
        return None
    others = [place for place in range(len(plans)) if place not in taken and any(grid.columns[place])]
    keys = {place for place in others if place in numeric and _is_key(grid, place)}
    sums = tuple(place for place in others if place in numeric - keys)
    labels = tuple(place for place in others if place not in sums)
    year = _year_of(figures, [name, *grid.above, *(grid.names[place] for place in sums)])
    if year is None or not labels or not all(_is_sum(grid, plans, place, figures) for place in sums):
        return None
    return Across(figures, labels, sums, year)


def _is_key(grid: Grid, place: int) -> bool:
    """Whether a column numbers the rows: called so, and never the same."""
    cells = grid.columns[place]
    return named_id(grid.names[place]) and len(set(cells)) == len(cells)


def _year_of(figures: Sequence[Figure], texts: Sequence[str]) -> int | None:
    """The year of periods whose names say none: the one that is said beside them, if they go up within one."""
    left_open = []
    for figure in figures:
        periods = sorted(figure.places, key=figure.places.__getitem__)
        left_open.append([period.number for period in periods if period.year is None])
    said = years_in(texts)
    if not any(left_open):
        return date.min.year
    return said[0] if len(said) == 1 and all(numbers == sorted(numbers) for numbers in left_open) else None


def _is_sum(grid: Grid, plans: Sequence[ColumnPlan], place: int, figures: Sequence[Figure]) -> bool:
    """Whether a column of figures adds up periods that follow each other, in every row."""
    wholes = _numbers(grid, plans, place)
    for figure in figures:
        columns = [_numbers(grid, plans, column) for column in figure.columns()]
        for first, last in combinations(range(len(columns) + 1), 2):
            if last - first > 1 and all(map(_adds_up, wholes, zip(*columns[first:last], strict=True))):
                return True
    return False


def _adds_up(whole: Decimal | None, parts: Sequence[Decimal | None]) -> bool:
    added = sum((part for part in parts if part is not None), Decimal(0))
    return abs((whole or Decimal(0)) - added) <= _ROUNDING * len(parts)


def _numbers(grid: Grid, plans: Sequence[ColumnPlan], place: int) -> list[Decimal | None]:
    plan = plans[place]
    return [None if plan.is_missing(cell) else as_decimal(plan.read(cell)) for cell in grid.columns[place]]


def _in_rows(grid: Grid, across: Across, name: str) -> Grid:
    """The grid turned into rows of a period each; periods of which a row tells nothing have none."""
    periods = sorted({period for figure in across.figures for period in figure.places}, key=_begins(across))
    lines: list[list[str]] = []
    for cells in zip(*grid.columns, strict=True):
        said = [cells[place] for place in across.labels]
        for period in periods:
            held = [cells[figure.places[period]] if period in figure.places else "" for figure in across.figures]
            if any(held):
                lines.append([*said, _begins(across)(period).isoformat(), *held])
    labels = [grid.names[place] for place in across.labels]
    titles, _ = headers.unique(
        [*labels, PERIOD_NAME, *(figure.title or _value_name(name) for figure in across.figures)]
    )
    report = [*grid.report, _note(grid, across, titles[len(labels) :])]
    described = {title: said for title, said in grid.descriptions.items() if title in labels}
    columns = [list(column) for column in zip(*lines, strict=True)]
    return Grid(titles, columns, report, grid.hints, _units(grid, across), described)


def _begins(across: Across) -> Callable[[Period], date]:
    return lambda period: period.first_day(across.year)


def _units(grid: Grid, across: Across) -> dict[int, str]:
    """The units of the new columns, by position: a figure has the one that all of its periods have."""
    found = [grid.units.get(place) for place in across.labels]
    found.append(None)
    for figure in across.figures:
        shown = {grid.units.get(place) for place in figure.columns()}
        found.append(shown.pop() if len(shown) == 1 else None)
    return {place: unit for place, unit in enumerate(found) if unit is not None}


def _value_name(name: str) -> str:
    """What a figure is called that its columns name by periods alone: as the sheet is, else as the file. Of "seller
    targets" it is the target: else the rows and their figure would have one name."""
    *files, sheet = name.split(" - ")
    for part in (sheet, *reversed(files)):
        words = without_years(part)
        if words and not _SHEET.fullmatch(words):
            last = words.split()[-1].casefold()
            one = singular(last)
            return one.capitalize() if one != last and one in english().planned else words
    return VALUE_NAME


def _note(grid: Grid, across: Across, titles: Sequence[str]) -> str:
    """What to tell people about it."""
    count = sum(len(figure.places) for figure in across.figures)
    sums = ", ".join(grid.names[place] for place in across.sums)
    left = f"; {sums}, which add{'s' if len(across.sums) == 1 else ''} them up, left out" if sums else ""
    return f"{counted(count, 'column')} of periods were turned into rows: {', '.join(titles)}{left}"
