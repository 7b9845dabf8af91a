"""A result in a few words, to be read at a glance beside what it is the result of."""

from __future__ import annotations

from apps.analyst.computing.compute import Computed
from apps.analyst.ports import Catalog
from apps.analyst.telling import formats
from apps.analyst.telling.narrate import View, headline

MOST_SAID = 60
"""Letters of a figure."""


def figure_of(computed: Computed, catalog: Catalog) -> str:
    """The result in a few words: its one figure, its first row, how many there are; "" where there is nothing."""
    view = View(computed, catalog)
    if not view.rows or all(value is None for row in view.rows for value in row):
        return ""
    head = headline(view)
    if head is not None and not view.dimensions:
        return head.text
    cells = [formats.cell(value, column) for value, column in zip(view.rows[0], view.columns, strict=True)]
    first = _cut(": ".join(cells[:2]) if view.figures else cells[0])
    return f"{first}, …" if view.total_rows > 1 else first


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SAID else text[: MOST_SAID - 1].rstrip() + "…"
