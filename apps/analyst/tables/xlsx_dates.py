"""Repairs a well-known wound of dates: a spreadsheet with another order of day and month opened a file of texts.

Every text that could be read in the wrong order became a date with day and month swapped (its day is 12 or less); the
rest,
whose day is above 12, stayed text. Only a column with exactly this split is repaired.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

from apps.analyst.tables import dates

MIN_TEXTS = 5


def unswap(columns: list[list[Any]]) -> list[int]:
    """Swaps day and month back in the columns that show the wound, in place; returns which these are."""
    mended = []
    for index, column in enumerate(columns):
        kinds = Counter(map(type, column))
        enough = kinds[str] >= MIN_TEXTS and (kinds[dt.datetime] or kinds[dt.date])
        if enough and _unswap_column(column):
            mended.append(index)
    return mended


def note(column: str) -> str:
    """What is told about a column that was repaired."""
    return f"{column}: day and month had been swapped where both are 12 or less; they were swapped back"


def _unswap_column(column: list[Any]) -> bool:
    real: list[int] = []
    texts: list[dates.DateShape] = []
    for index, cell in enumerate(column):
        if isinstance(cell, dt.datetime | dt.date):
            if cell.day > 12:
                return False
            real.append(index)
        elif isinstance(cell, str) and cell.strip():
            shape = dates.take_apart(cell.strip())
            if shape is not None and shape.ambiguous:
                texts.append(shape)
            elif index > 20 and shape is None:
                return False
    if len(texts) < MIN_TEXTS or len(real) < MIN_TEXTS:
        return False
    month_first = all(shape.second > 12 and shape.first <= 12 for shape in texts)
    day_first = all(shape.first > 12 and shape.second <= 12 for shape in texts)
    if not (month_first or day_first):
        return False
    for index in real:
        column[index] = column[index].replace(month=column[index].day, day=column[index].month)
    return True
