"""Turns a cross table (as pivot tables export them) back into rows of facts.

It is known by its corner: below rows that name groups of columns stands a row that is filled only above the row labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.tables.layout import filled, is_figure, is_value, is_year, only_default_names
from apps.analyst.tables.totals import is_total_label

Row = Sequence[str]
MAX_LABELS = 4
VALUE_NAME = "Value"


@dataclass(frozen=True, slots=True)
class Corner:
    """The corner of a cross table: its label row, how many label columns there are, and the rows of column groups."""

    row: int
    labels: int
    levels: tuple[int, ...]


def find_corner(rows: Sequence[Row]) -> Corner | None:
    """The corner of a cross table among the first rows of a grid, or None."""
    for index in range(1, min(len(rows) - 3, 12)):
        width = max(len(row) for row in rows[: index + 1])
        labels = _leading(rows[index])
        if not 1 <= labels <= MAX_LABELS or filled(rows[index]) != labels or width < labels + 3:
            continue
        levels = _levels(rows, index, labels)
        if levels and _figures_below(rows[index + 1 :], labels) and _is_crossed(rows, index, labels, levels):
            return Corner(index, labels, levels)
    return None


def _leading(row: Row) -> int:
    """How many cells of a row are filled without a gap from its beginning."""
    count = 0
    for cell in row:
        if not cell.strip():
            break
        count += 1
    return count


def _levels(rows: Sequence[Row], corner: int, labels: int) -> tuple[int, ...]:
    """The rows directly above the corner that name groups of columns, each with its own name among the label
    columns."""
    found: list[int] = []
    for index in range(corner - 1, max(corner - 4, -1), -1):
        names = [cell for cell in rows[index][:labels] if cell.strip()]
        groups = [cell for cell in rows[index][labels:] if cell.strip()]
        if len(names) != 1 or not groups or not rows[index][labels].strip() or only_default_names(rows[index]):
            break
        if any(is_figure(cell.strip()) and not is_year(cell.strip()) for cell in groups):
            break
        found.insert(0, index)
    return tuple(found)


def _is_crossed(rows: Sequence[Row], corner: int, labels: int, levels: tuple[int, ...]) -> bool:
    """Whether a row filled only above the labels is a corner, rather than a row whose figures are missing or a heading
    between rows: no other row is as empty, and there are two levels, or one that is marked or has totals both ways."""
    if any(
        row[labels:] and filled(row[:labels]) and not filled(row[labels:]) for row in rows[corner + 1 : corner + 60]
    ):
        return False
    if len(levels) > 1:
        return True
    above = [cell for cell in rows[levels[0]] if cell.strip()]
    last = next((row for row in reversed(rows) if filled(row)), ())
    return above[0].strip().endswith(">") or (is_total_label(above[-1]) and bool(last) and is_total_label(last[0]))


def _figures_below(body: Sequence[Row], labels: int) -> bool:
    cells = [cell for row in body[:60] for cell in row[labels:] if cell.strip()]
    return len(cells) >= 3 and sum(1 for cell in cells if is_value(cell)) >= 0.9 * len(cells)


def unfold(rows: Sequence[Row], corner: Corner) -> tuple[list[list[str]], list[str]]:
    """The facts as rows (header first) and what to tell about it. Totals that are sums of the facts are left out."""
    width = max(len(row) for row in rows)
    names = [rows[index][: corner.labels] for index in corner.levels]
    level_names = [next(cell for cell in cells if cell.strip()).strip().rstrip(">:").strip() for cells in names]
    paths = _paths(rows, corner, width)
    header = [*(cell.strip() for cell in rows[corner.row][: corner.labels]), *level_names, VALUE_NAME]
    facts: list[list[str]] = []
    for row in rows[corner.row + 1 :]:
        labels = [cell.strip() for cell in row[: corner.labels]]
        if is_total_label(labels[0]) and not any(labels[1:]):
            continue
        for column, path in paths.items():
            cell = row[column].strip() if column < len(row) else ""
            if cell:
                facts.append([*labels, *path, cell])
    notes = [
        f"a cross table was turned into rows: {', '.join(level_names)} became columns, its figures the column "
        f"{VALUE_NAME}; its totals were left out",
    ]
    return [header, *facts], notes


def _paths(rows: Sequence[Row], corner: Corner, width: int) -> dict[int, list[str]]:
    """For each column of facts the groups it stands in; columns of totals are not among them."""
    found: dict[int, list[str]] = {}
    current = [""] * len(corner.levels)
    for column in range(corner.labels, width):
        cells = [rows[index][column].strip() if column < len(rows[index]) else "" for index in corner.levels]
        for level, cell in enumerate(cells):
            if cell:
                current[level] = cell
                for lower in range(level + 1, len(cells)):
                    current[lower] = cells[lower]
                break
        for level, cell in enumerate(cells):
            current[level] = cell or current[level]
        if any(is_total_label(cell) for cell in current) or not all(current):
            continue
        found[column] = list(current)
    return found
