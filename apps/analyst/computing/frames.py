"""Results as pandas frames, for statistics. pandas loads when first needed: a plain question never waits for it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.analyst.types import Result, ResultColumn

if TYPE_CHECKING:
    import pandas as pd


def frame_of(result: Result) -> pd.DataFrame:
    """The result as a frame: numbers as float or integer columns, dates as datetime64, all else as objects."""
    import pandas as pd

    data = {column.name: _series(column, [row[i] for row in result.rows]) for i, column in enumerate(result.columns)}
    return pd.DataFrame(data)


def _series(column: ResultColumn, values: list[Any]) -> pd.Series[Any]:
    import pandas as pd

    if column.type in ("decimal", "float"):
        return pd.Series(
            [None if v is None else float(v) if isinstance(v, Decimal) else v for v in values], dtype="float64"
        )
    if column.type == "integer":
        whole = all(v is not None and -(2**63) <= v < 2**63 for v in values)
        return pd.Series(values, dtype="int64" if whole and values else "float64")
    if column.type in ("date", "datetime"):
        return pd.to_datetime(pd.Series(values, dtype="object"), errors="coerce")
    return pd.Series(values, dtype="object")
