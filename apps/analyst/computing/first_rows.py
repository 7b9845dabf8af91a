"""The figures of some columns in the first rows of a table: what the data themselves say of how columns belong
together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from apps.analyst.computing.compile import compile_plan
from apps.analyst.errors import AnalystError
from apps.analyst.plan import ColumnRef, Output, Query
from apps.analyst.ports import Catalog, Warehouse

Figures = NDArray[np.float64]


def first_figures(
    table: str, names: Sequence[str], most: int, catalog: Catalog, warehouse: Warehouse
) -> Mapping[str, Figures]:
    """Columns of numbers by name, in at most so many rows, missing ones NaN; empty where they cannot be read."""
    outputs = tuple(Output(label=name, expr=ColumnRef(table=table, column=name)) for name in names)
    try:
        compiled = compile_plan(Query(source=table, columns=outputs, limit=most), catalog, count=False)
        tables = dict(compiled.tables)
        rows = warehouse.query(compiled.sql, compiled.parameters, tables=tables, columns=compiled.columns).rows
    except AnalystError:
        return {}
    figures = np.array([[np.nan if v is None else float(str(v)) for v in row] for row in rows], dtype=np.float64)
    return dict(zip(names, figures.reshape(len(rows), len(names)).T, strict=True))
