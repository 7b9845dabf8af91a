"""What other readings of a part would give, computed when somebody looks, as few as can be read at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.readas.others import MOST_OTHERS, Other
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.telling.glance import figure_of
from apps.analyst.types import Result

MOST_TRIED = 6
"""Readings that are computed for one part, those that give nothing among them."""
MOST_ROWS = 50


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
