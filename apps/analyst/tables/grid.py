"""A table as columns of trimmed text, and its conversion to typed values: the path of tables that fit in memory
easily."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Protocol

from apps.analyst.tables import totals
from apps.analyst.tables.inference import infer
from apps.analyst.tables.plans import CellValue, ColumnPlan, FileHints
from apps.analyst.tables.wording import counted, shortened, was

_MARKERS = frozenset({"NA", "--", "---", "—"})
"""What means "no value" in a file's texts where its figures or dates write it for that."""


@dataclass(slots=True)
class Grid:
    """Columns of text with their names; every column has the same length."""

    names: list[str]
    columns: list[list[str]]
    report: list[str] = field(default_factory=list)
    hints: FileHints = field(default_factory=FileHints)
    units: dict[int, str] = field(default_factory=dict)
    """Units that the file shows beside the figures of a column (number formats of a workbook), by position."""
    descriptions: dict[str, str] = field(default_factory=dict)
    """What the file says that columns hold (notes on the header of a workbook), by name."""
    above: tuple[str, ...] = ()
    """The lines above the header, and before these the name of a workbook's sheet."""


@dataclass(slots=True)
class TypedColumn:
    """A column's plan, its values in row order and its distinct values with counts (missing left out)."""

    name: str
    plan: ColumnPlan
    values: list[CellValue]
    counts: Counter[CellValue]


def plan_columns(names: Sequence[str], cells: Sequence[Counter[str]], hints: FileHints) -> list[ColumnPlan]:
    """The plans of all columns; what one column settles (decimal comma, order of day and month) helps the others."""
    plans = [infer(counts, name, hints) for name, counts in zip(names, cells, strict=True)]
    said = {plan.evidence for plan in plans}
    comma = True if "eu" in said and "us" not in said else hints.decimal_comma
    day_first = hints.day_first
    if day_first is None and ("dmy" in said) != ("mdy" in said):
        day_first = "dmy" in said
    learnt = replace(hints, decimal_comma=comma, day_first=day_first)
    if learnt != hints:
        plans = [
            plan if plan.evidence else infer(counts, name, learnt)
            for plan, counts, name in zip(plans, cells, names, strict=True)
        ]
    return _with_markers(plans, cells)


def _with_markers(plans: list[ColumnPlan], cells: Sequence[Counter[str]]) -> list[ColumnPlan]:
    """Where columns of figures or dates write NA or dashes for "no value", they mean so in the file's texts, too.

    Elsewhere NA may well be Namibia, North America or sodium.
    """
    both = list(zip(plans, cells, strict=True))
    written = {mark for mark in _MARKERS if any(plan.type != "text" and mark in counts for plan, counts in both)}
    return [
        replace(plan, missing_words=plan.missing_words | {mark.casefold() for mark in written & counts.keys()})
        if plan.type == "text" and written & counts.keys()
        else plan
        for plan, counts in both
    ]


def convert(grid: Grid) -> list[TypedColumn]:
    """The grid's columns typed; what could not be read is told in `grid.report`."""
    leave_out_totals(grid)
    leave_out_empty_columns(grid)
    cells = [Counter(column) for column in grid.columns]
    plans = plan_columns(grid.names, cells, grid.hints)
    plans = [with_unit(plan, grid.units.get(index)) for index, plan in enumerate(plans)]
    typed = []
    for name, column, counts, plan in zip(grid.names, grid.columns, cells, plans, strict=True):
        typed.append(_convert_column(name, column, counts, plan, grid.report))
    return typed


def with_unit(plan: ColumnPlan, unit: str | None) -> ColumnPlan:
    """A plan for figures with the unit that the file shows beside them; money is kept exactly."""
    if unit is None or plan.unit or plan.type not in ("integer", "decimal", "float"):
        return plan
    return replace(plan, unit=unit)


class Columns(Protocol):
    """Columns of any form with their names."""

    names: list[str]
    columns: list[Any]
    report: list[str]
    units: dict[int, str]


def leave_out_empty_columns(table: Columns, holds_something: Callable[[Any], bool] = any) -> None:
    """Drops columns that have neither a name nor a single value."""
    kept = [
        index
        for index, (name, column) in enumerate(zip(table.names, table.columns, strict=True))
        if name != f"Column {index + 1}" or holds_something(column)
    ]
    gone = len(table.names) - len(kept)
    if gone and kept:
        table.units = {new: table.units[old] for new, old in enumerate(kept) if old in table.units}
        table.names = [table.names[index] for index in kept]
        table.columns = [table.columns[index] for index in kept]
        table.report.append(f"{counted(gone, 'empty column')} left out")


def leave_out_totals(grid: Grid) -> None:
    """Drops rows that are labelled as totals and are sums of the rows above them."""
    candidates = _total_candidates(grid.columns)
    if not candidates:
        return
    excluded = set(candidates)
    cells = [Counter(cell for row, cell in enumerate(column) if row not in excluded) for column in grid.columns]
    plans = plan_columns(grid.names, cells, grid.hints)
    figures, rates = [], []
    for column, plan in zip(grid.columns, plans, strict=True):
        if plan.type in ("integer", "decimal", "float"):
            figures.append([as_decimal(_figure(plan, cell, row in excluded)) for row, cell in enumerate(column)])
            rates.append(plan.unit == "%")
    named = {row: _total_label(grid.columns, row) for row in candidates}
    rows = set(totals.total_rows(figures, named, len(grid.columns[0]), rates))
    rows.update(totals.share_rows({row: [column[row] for column in grid.columns] for row in candidates}, rows))
    if not rows:
        return
    labels = ", ".join(dict.fromkeys(f'"{named[row]}"' for row in sorted(rows)[:3]))
    grid.columns = [[cell for row, cell in enumerate(column) if row not in rows] for column in grid.columns]
    grid.report.append(f"{counted(len(rows), 'totals row')} left out ({labels})")


def _figure(plan: ColumnPlan, cell: str, may_be_total: bool) -> CellValue:
    if may_be_total:
        return totals.read_figure(plan, cell)
    return None if plan.is_missing(cell) else plan.read(cell)


def _total_candidates(columns: Sequence[Sequence[str]]) -> list[int]:
    """Rows whose first filled cell is worded like the label of a total, and those in which a cell is just that word."""
    found = set()
    for row, first in enumerate(columns[0]):
        label = first or totals.label_of([column[row] for column in columns])
        lowered = label.casefold()
        if ("total" in lowered or "sum" in lowered or "gesamt" in lowered) and totals.is_total_label(label):
            found.add(row)
    for column in columns[1:]:
        if not totals.PLAIN_LABELS.isdisjoint(column):
            found.update(row for row, cell in enumerate(column) if cell in totals.PLAIN_LABELS)
    return sorted(found) if len(found) <= totals.MAX_CANDIDATES else []


def _total_label(columns: Sequence[Sequence[str]], row: int) -> str:
    cells = [column[row] for column in columns]
    return next((cell for cell in cells if cell in totals.PLAIN_LABELS), totals.label_of(cells))


def as_decimal(value: CellValue) -> Decimal | None:
    """A number as an exact decimal, or None."""
    if isinstance(value, Decimal):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _convert_column(
    name: str, column: list[str], counts: Counter[str], plan: ColumnPlan, report: list[str]
) -> TypedColumn:
    mapping: dict[str, CellValue] = {}
    unreadable: list[str] = []
    value_counts: Counter[CellValue] = Counter()
    for text, count in counts.items():
        if text.casefold() in plan.missing_words:
            mapping[text] = None
            continue
        value = plan.read(text)
        mapping[text] = value
        if value is None:
            unreadable.append(text)
        else:
            value_counts[value] += count
    report.extend(f"{name}: {note}" for note in plan.notes)
    report.extend(missing_notes(name, plan, counts, unreadable, column))
    if plan.type == "text" and len(mapping) == len(value_counts):
        return TypedColumn(name, plan, list(column), value_counts)
    return TypedColumn(name, plan, [mapping[text] for text in column], value_counts)


def missing_notes(
    name: str, plan: ColumnPlan, counts: Counter[str], unreadable: list[str], column: Sequence[str] = ()
) -> list[str]:
    """What to tell about cells that were taken for missing or could not be read as the column's type."""
    notes = []
    words = [text for text in counts if text and text.casefold() in plan.missing_words]
    if words:
        shown = ", ".join(f'"{text}"' for text in sorted(words)[:4])
        notes.append(f"{name}: {counted(sum(counts[text] for text in words), 'cell')} ({shown}) taken for missing")
    if unreadable:
        total = sum(counts[text] for text in unreadable)
        kind = {"date": "a date", "datetime": "a date", "boolean": "true or false"}.get(plan.type, "a number")
        shown = ", ".join(f'"{shortened(text, 30)}"' for text in sorted(unreadable)[:3])
        if column:
            wanted = set(unreadable)
            rows = [str(number) for number, text in enumerate(column, start=1) if text in wanted][:5]
            shown += f", row{'s' if total > 1 else ''} {', '.join(rows)}{' and more' if total > 5 else ''}"
        values = counted(total, "value")
        notes.append(f"{name}: {values} could not be read as {kind} and {was(total)} left empty ({shown})")
    return notes
