"""Cells of a workbook in their canonical text form."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

Cell = Any
"""What calamine gives: text, float, bool, a date, a moment, a time of day or a span of time."""


def column_text(column: list[Cell], *, percent: bool) -> list[str]:
    """The texts of a column's cells; shares that are shown as per cent are in per cent."""
    if percent:
        return [percent_text(cell) if type(cell) is float else cell_text(cell) for cell in column]
    kinds = set(map(type, column))
    if kinds == {str}:
        return [cell.strip() for cell in column]
    if kinds == {float}:
        return _figures(column)
    if kinds <= {str, float}:
        figures = iter(_figures([cell for cell in column if type(cell) is float]))
        return [next(figures) if type(cell) is float else cell.strip() for cell in column]
    known: dict[Cell, str] = {}
    if kinds <= {str, dt.datetime, dt.date}:
        for cell in set(column):
            known[cell] = cell_text(cell)
        return [known[cell] for cell in column]
    return [cell_text(cell) for cell in column]


def _figures(column: list[Cell]) -> list[str]:
    """`number_text` of a column of nothing but figures, in bulk."""
    texts = list(map(repr, column))
    together = "".join(texts)
    if max(map(len, texts)) > 16 or "e" in together or "n" in together:
        return list(map(number_text, column))
    return [text[:-2] if text.endswith(".0") else text for text in texts]


def cell_text(cell: Cell) -> str:
    """A cell's value in its canonical text form. Figures have the 15 digits that a spreadsheet shows."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return number_text(cell)
    if isinstance(cell, dt.datetime):
        return cell.isoformat(sep=" ") if cell.time() != dt.time() else cell.date().isoformat()
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    return "" if cell is None else str(cell)


def number_text(value: float) -> str:
    """A figure as a spreadsheet knows it: 15 significant digits, whole numbers without a point."""
    text = repr(value)
    if len(text) <= 16 and "e" not in text and "n" not in text:
        return text[:-2] if text.endswith(".0") else text
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{Decimal(f'{value:.15g}'):f}" if 1e-9 < abs(value) < 1e18 else f"{value:.15g}"


def percent_text(value: float) -> str:
    """A share as per cent: 0.125 is 12.5."""
    return f"{(Decimal(f'{value:.13g}') * 100).normalize():f}"
