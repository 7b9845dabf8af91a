"""The distinct texts of a large table, counted once: for its values file, its profile, and to see whether texts that
were taken as they stand needed a closer look."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apps.analyst.tables import bulk_sql
from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.plans import ColumnPlan


def count(names: Sequence[str], plans: Sequence[ColumnPlan], path: Path, engine: Engine) -> None:
    """Makes the table `texts`: column, value, count."""
    engine.do('CREATE OR REPLACE TEMP TABLE texts ("column" VARCHAR, value VARCHAR, count BIGINT)')
    for column, plan in zip(names, plans, strict=True):
        if plan.type == "text":
            name = quoted(column)
            engine.do(
                f"INSERT INTO texts SELECT {literal(column)}, {name}, count(*) FROM read_parquet({literal(str(path))}) "
                f"WHERE {name} IS NOT NULL GROUP BY 2"
            )


def need_care(names: Sequence[str], plans: Sequence[ColumnPlan], engine: Engine) -> bool:
    """Whether some text has spaces around it or means "no value"."""
    odd = ["trim(value) <> value"]
    for column, plan in zip(names, plans, strict=True):
        if plan.type == "text":
            odd.append(f'"column" = {literal(column)} AND {bulk_sql.is_missing(plan, "value")}')
    conditions = " OR ".join(f"({condition})" for condition in odd)
    return bool(engine.rows(f"SELECT EXISTS (SELECT 1 FROM texts WHERE {conditions})")[0][0])
