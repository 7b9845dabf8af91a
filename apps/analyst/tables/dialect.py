"""Finds out how the lines of a text file are cut into cells: the delimiter and the quote mark."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from apps.analyst.tables import layout

DELIMITERS = (",", ";", "\t", "|", "^", "~")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The marks between and around cells. `delimiter` is "," for a file of one column."""

    delimiter: str = ","
    quote: str = '"'
    width: int = 1
    """The usual number of cells in a line."""


def split(lines: Iterable[str], delimiter: str, quote: str) -> list[list[str]]:
    """The lines cut into cells; a quoted cell may hold line breaks."""
    return list(
        csv.reader(lines, delimiter=delimiter, quotechar=quote, doublequote=True, skipinitialspace=delimiter != "\t")
    )


def detect(sample: str, *, whole: bool) -> Dialect:
    """The dialect of a sample of text. `whole`: the sample is the entire file, so that its last line is complete."""
    lines = sample.splitlines(keepends=True)
    if not whole and len(lines) > 1:
        lines = lines[:-1]
    quote = _quote_mark(sample)
    separator = lines[0].strip().casefold() if lines else ""
    if separator.startswith("sep=") and len(separator) == 5:
        return Dialect(separator[4], quote, _width(split(lines[1:], separator[4], quote))[0])
    best, best_score = Dialect(quote=quote), 0.0
    for delimiter in DELIMITERS:
        if delimiter not in sample:
            continue
        try:
            rows = split(lines, delimiter, quote)
        except csv.Error:
            continue
        width, share = _width(rows)
        if width < 2 or _is_inside_cells([row for row in rows if any(row)]):
            continue
        opening = any(len(row) >= width for row in [row for row in rows if any(row)][:3])
        score = share + 0.02 * min(width, 15) + (0.3 if opening else 0.0)
        if score > best_score:
            best, best_score = Dialect(delimiter, quote, width), score
    return best


def _is_inside_cells(rows: list[list[str]]) -> bool:
    """Whether what looks like a delimiter stands inside the cells of one column: the header holds none, and what would
    be the header below it says what later rows say ("Smith; Ann"), and is no name of a column of figures."""
    first = next((index for index, row in enumerate(rows) if len(row) > 1), 0)
    if first == 0:
        return False
    header, below = rows[first], [row for row in rows[first + 1 :] if len(row) > 1]
    columns = [[row[column].strip() for row in below if column < len(row)] for column in range(len(header))]
    if any(
        cell.strip() and not layout.is_figure(cell.strip()) and layout.holds_figures(column)
        for cell, column in zip(header, columns, strict=True)
    ):
        return False
    return not below or any(
        row[column] == cell for row in below for column, cell in enumerate(header) if cell and column < len(row)
    )


def usual_width(rows: list[list[str]]) -> int:
    """The usual number of cells in a line."""
    return _width(rows)[0]


def _width(rows: list[list[str]]) -> tuple[int, float]:
    """The usual number of cells among filled lines and the share of lines that have it."""
    widths = Counter(len(row) for row in rows if any(cell.strip() for cell in row))
    if not widths:
        return 1, 0.0
    wide = Counter({width: count for width, count in widths.items() if width > 1})
    if not wide or wide.total() < 0.3 * widths.total():
        return 1, 1.0
    width, count = max(wide.items(), key=lambda item: (item[1], item[0]))
    return width, count / widths.total()


def _quote_mark(sample: str) -> str:
    """A single quote where cells are framed by it and no double quote occurs."""
    if '"' in sample or "'" not in sample:
        return '"'
    text = f"\n{sample}\n"
    edges = (*DELIMITERS, "\n", "\r")
    opening, closing = (sum(map(text.count, marks)) for marks in ([f"{e}'" for e in edges], [f"'{e}" for e in edges]))
    pairs = min(opening, closing)  # a quote that only stands in front guards a cell against being taken for a formula
    return "'" if 2 * pairs > 0.8 * sample.count("'") and pairs >= 2 else '"'
