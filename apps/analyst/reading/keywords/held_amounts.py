"""Amounts that the data hold and a formula would make once more: the net amount of each line beside its list price, its
quantity and its discount.

Found in the rows, by no name: the column is what the factors come to, as far as that is written, or what they come to
less a discount that differs from row to row. It is what people mean by the figure, and the formula is not needed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from apps.analyst.computing.compile import compile_plan
from apps.analyst.errors import AnalystError
from apps.analyst.plan import ColumnRef, Output, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Column, Table

Figures = NDArray[np.float64]
MOST_ROWS = 2_000
"""Rows that are looked at."""
_FEWEST, _DIFFERENT = 10, 5
"""Rows that tell something, and different amounts among them, that no accident explains."""
_HOLDS = 0.95
_ROUNDING = 0.011
_NUMBERS = ("integer", "decimal", "float")
MOST_KEPT = 64
_kept: OrderedDict[tuple[str, ...], bool] = OrderedDict()
_lock = Lock()


def is_held(
    table: Table, factors: Sequence[Column], less: Column | None, catalog: Catalog, warehouse: Warehouse | None
) -> bool:
    """Whether a column of a table holds the product of its columns `factors`, or that less the share in `less`, in its
    rows. Found once for each version of a catalog; without a warehouse False until then."""
    key = (catalog.version, table.name, *(column.name for column in factors), less.name if less is not None else "")
    with _lock:
        if key in _kept:
            return _kept[key]
    if warehouse is None:
        return False
    found = _is_held(table, factors, less, catalog, warehouse)
    with _lock:
        _kept[key] = found
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return found


def _is_held(
    table: Table, factors: Sequence[Column], less: Column | None, catalog: Catalog, warehouse: Warehouse
) -> bool:
    used = [*factors, *([less] if less is not None else [])]
    amounts = [c for c in table.columns if c.type in _NUMBERS and c.role == "measure" and c not in used]
    columns = _columns(table.name, [column.name for column in (*used, *amounts)], catalog, warehouse)
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


def _columns(table: str, names: Sequence[str], catalog: Catalog, warehouse: Warehouse) -> list[Figures]:
    """The first rows' figures of each column; none where they cannot be read."""
    outputs = tuple(Output(label=name, expr=ColumnRef(table=table, column=name)) for name in names)
    try:
        compiled = compile_plan(Query(source=table, columns=outputs, limit=MOST_ROWS), catalog, count=False)
        tables = dict(compiled.tables)
        rows = warehouse.query(compiled.sql, compiled.parameters, tables=tables, columns=compiled.columns).rows
    except AnalystError:
        return []
    cells = zip(*rows, strict=True) if rows else ()
    return [np.array([np.nan if v is None else float(str(v)) for v in column], dtype=np.float64) for column in cells]
