"""Aggregates over groups of rows. `ids` numbers the group of each row; the result has one value a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from apps.analyst.computing.executor.scans import Cells, typed
from apps.analyst.plan import Aggregate
from apps.analyst.types import ColumnType


def aggregate(
    expr: Aggregate,
    values: Cells | None,
    ids: Cells,
    groups: int,
    *,
    kept: Cells | None,
    places: Cells | None,
    once: Sequence[Cells],
    kind: ColumnType | None,
) -> Cells:
    """The aggregate per group. `kept` says which rows it sees, `places` orders them for first and last, `once` are the
    row numbers of the tables whose rows count once however often a join repeats them."""
    work = pd.DataFrame({"id": ids.to_numpy()})
    work["v"] = True if values is None else values.array
    work["p"] = 0 if places is None else places.array
    for number, rows in enumerate(once):
        work[f"k{number}"] = rows.array
    if kept is not None:
        work = work[kept.fillna(False).astype(bool).to_numpy()]
    if once:
        work = work.drop_duplicates(["id", *[f"k{i}" for i in range(len(once))]])
    if values is not None:
        work = work[work["v"].notna()]
    if expr.distinct:
        work = work.drop_duplicates(["id", "v"])
    found = _by_group(expr, work)
    every = found.reindex(range(groups))
    if expr.fn == "count":
        return every.fillna(0).astype("Int64")
    return typed(every.astype("object").where(every.notna(), None), kind)


def _by_group(expr: Aggregate, work: pd.DataFrame) -> Cells:
    if expr.fn in ("first", "last"):
        ordered = work.sort_values("p", kind="stable")
        grouped: Any = ordered.groupby("id", sort=False)["v"]
        return grouped.agg(lambda part: part.iloc[0 if expr.fn == "first" else -1])
    groups: Any = work.groupby("id", sort=False)["v"]
    match expr.fn:
        case "count":
            return groups.size()
        case "mode":
            return groups.agg(_most_frequent)
        case "sum":
            return groups.sum(min_count=1)
        case "avg":
            return groups.mean()
        case "median":
            return groups.median()
        case "quantile":
            return groups.quantile(expr.quantile or 0.0)
        case "stddev" | "stddev_pop":
            return groups.std(ddof=0 if expr.fn.endswith("pop") else 1)
        case "variance" | "variance_pop":
            return groups.var(ddof=0 if expr.fn.endswith("pop") else 1)
        case _:
            return groups.min() if expr.fn == "min" else groups.max()


def _most_frequent(part: Cells) -> Any:
    """The most frequent value, the least of them where several are."""
    counts = part.value_counts()
    return min(counts[counts == counts.max()].index)
