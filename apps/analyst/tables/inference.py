"""Decides from a column's distinct cells what the column holds and how each cell is to be read.

The rule of the house: a column becomes numbers, dates or truth values only where practically every cell is one, so that
nothing is lost; else it stays text to the letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from apps.analyst.tables import numbers
from apps.analyst.tables.infer_dates import date_plan
from apps.analyst.tables.infer_numbers import marked_number, plain_number
from apps.analyst.tables.plans import CellValue, ColumnPlan, FileHints
from apps.analyst.tables.words import FALSE_WORDS, MISSING_AMONG_VALUES, TRUE_WORDS


def infer(cells: Mapping[str, int], name: str, hints: FileHints | None = None) -> ColumnPlan:
    """The plan for a column. `cells`: distinct trimmed cells with their counts (a sample will do).

    `hints` settles what the column itself leaves open.
    """
    hints = hints or FileHints()
    filled = {text: count for text, count in cells.items() if text.casefold() not in MISSING_AMONG_VALUES}
    if not filled:
        return _text_plan()
    for attempt in (_boolean, plain_number, date_plan, marked_number):
        plan = attempt(filled, name, hints)
        if plan is not None:
            return plan
    return _text_plan(filled)


def _text_plan(filled: Mapping[str, int] | None = None) -> ColumnPlan:
    """Text, to the letter; amounts in several currencies are told of, since they cannot be added up."""
    currencies: Counter[str] = Counter()
    for text in list(filled or ())[:200]:
        shape = numbers.take_apart(text)
        if shape is not None and shape.currency:
            currencies[shape.currency] += 1
    notes: tuple[str, ...] = ()
    if len(currencies) > 1 and currencies.total() > 0.8 * min(len(filled or ()), 200):
        notes = (f"amounts in several currencies ({', '.join(sorted(currencies))}) were kept as text",)
    return ColumnPlan("text", _same, native=True, notes=notes)


def _same(text: str) -> CellValue:
    return text


# ---------------------------------------------------------------- truth values
def _boolean(filled: Mapping[str, int], name: str, hints: FileHints) -> ColumnPlan | None:
    if len(filled) > 6 or any(text.casefold() not in TRUE_WORDS | FALSE_WORDS for text in filled):
        return None
    return ColumnPlan("boolean", _read_boolean, missing_words=MISSING_AMONG_VALUES)


def _read_boolean(text: str) -> CellValue:
    word = text.casefold()
    if word in TRUE_WORDS:
        return True
    return False if word in FALSE_WORDS else None
