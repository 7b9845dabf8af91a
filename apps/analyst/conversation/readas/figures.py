"""What other readings of a part would give, computed when somebody looks, as few as can be read at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from apps.analyst.computing.compute import Computed, computed_of
from apps.analyst.conversation.readas.others import MOST_OTHERS, Other
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.telling import formats
from apps.analyst.telling.narrate import View, headline
from apps.analyst.types import Result

MOST_TRIED = 6
"""Readings that are computed for one part, those that give nothing among them."""
MOST_ROWS = 50
MOST_SAID = 60
"""Letters of a figure."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Another reading that holds, with what it comes to."""

    other: Other
    figure: str
    result: Result


def offered(others: Sequence[Other], catalog: Catalog, warehouse: Warehouse) -> list[Offered]:
    """Those of the other readings that give something. Raises QueryFailed where trying again may help."""
    return list(islice(_holding(others[:MOST_TRIED], catalog, warehouse), MOST_OTHERS))


def _holding(others: Sequence[Other], catalog: Catalog, warehouse: Warehouse) -> Iterator[Offered]:
    for other in others:
        computed = computed_of(other.plan, catalog, warehouse, max_rows=MOST_ROWS)
        figure = figure_of(computed, catalog) if computed is not None else ""
        if computed is not None and figure:
            yield Offered(other, figure, computed.result)


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
