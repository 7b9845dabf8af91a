"""Amounts that the data hold and a formula would make once more: the net amount of each line beside its list price, its
quantity and its discount.

Found in the rows, by no name: the column is what the factors come to, as far as that is written, or what they come to
less a discount that differs from row to row. It is what people mean by the figure, and the formula is not needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.analyst.computing.first_rows import Figures, first_figures
from apps.analyst.kept import Kept
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Column, Table

MOST_ROWS = 2_000
"""Rows that are looked at."""
_FEWEST, _DIFFERENT = 10, 5
"""Rows that tell something, and different amounts among them, that no accident explains."""
_HOLDS = 0.95
_ROUNDING = 0.011
_NUMBERS = ("integer", "decimal", "float")
MOST_KEPT = 64
_kept: Kept[tuple[str, ...], bool] = Kept(MOST_KEPT)


def is_held(
    table: Table, factors: Sequence[Column], less: Column | None, catalog: Catalog, warehouse: Warehouse | None
) -> bool:
    """Whether a column of a table holds the product of its columns `factors`, or that less the share in `less`, in its
    rows. Found once for each version of a catalog; without a warehouse False until then."""
    key = (catalog.version, table.name, *(column.name for column in factors), less.name if less is not None else "")
    if warehouse is None:
        return bool(_kept.held(key))
    return _kept.get(key, lambda: _is_held(table, factors, less, catalog, warehouse))


def _is_held(
    table: Table, factors: Sequence[Column], less: Column | None, catalog: Catalog, warehouse: Warehouse
) -> bool:
    used = [*factors, *([less] if less is not None else [])]
    amounts = [c for c in table.columns if c.type in _NUMBERS and c.role == "measure" and c not in used]
    names = [column.name for column in (*used, *amounts)]
    columns = list(first_figures(table.name, names, MOST_ROWS, catalog, warehouse).values())
    if not amounts or len(columns) <= len(used):
        return False
    whole = np.prod(columns[: len(factors)], axis=0)
    made = [whole]
    if less is not None:
        share = columns[len(factors)]
        made += [whole * (1 - share), whole * (1 - share / 100)]
    return any(_holds(amount, product) for amount in columns[len(used) :] for product in made)


def _holds(amount: Figures, product: Figures) -> bool:
    """Whether a column is a product in its rows, but for a few."""
    given = np.isfinite(amount) & np.isfinite(product) & (product != 0)
    if given.sum() < _FEWEST or len(np.unique(amount[given])) < _DIFFERENT:
        return False
    close = np.abs(amount[given] - product[given]) <= _ROUNDING + 1e-4 * np.abs(product[given])
    return float(np.mean(close)) >= _HOLDS
