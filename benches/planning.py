"""Planning alone by the width and the values of the data, and a group-by over 10^7 rows against the bare query.

Planning is everything from the question's text to a plan that holds: no query is run. Cold is the first question over a
catalog (its words and values are indexed then), warm the median of the following ones.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan.validate import validate
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from benches.data import sales_csv

COLUMNS = (10, 100, 1_000)
DISTINCT = (1_000, 100_000, 1_000_000)
ROWS = 10_000_000
ROUNDS = 30
TODAY = date(2025, 12, 1)
QUESTION = "total amount by region"
QUERY = "SELECT region, sum(amount) AS total FROM '{file}' GROUP BY region ORDER BY total DESC"


def run(folder: Path, columns: Sequence[int] = COLUMNS, distinct: Sequence[int] = DISTINCT, rows: int = ROWS) -> None:
    for count in columns:
        path = sales_csv(folder / f"wide_{count}.csv", 1_000, columns=count)
        catalog = catalog_from_files([path], folder / f"wide_{count}")
        _plan(
            f"{count:>9,} columns", catalog, ["total amount by region in 2024", "average price of Product 7 by month"]
        )
    for count in distinct:
        catalog = catalog_from_files([_customers(folder / f"customers_{count}.csv", count)], folder / f"named_{count}")
        asked = [
            f"total amount of Customer {count // 3} in 2024",
            f"number of sales by region for Customer {count - 1}",
        ]
        _plan(f"{count:>9,} distinct values", catalog, asked)
    _group_by(folder, rows)


def _customers(path: Path, count: int) -> Path:
    """A table with so many different names, one a row."""
    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.42)")
        connection.execute(
            f"""
            COPY (
                SELECT i AS sale_id, 'Customer ' || i AS customer,
                       ['North', 'South', 'East', 'West'][1 + CAST(floor(random() * 4) AS INTEGER)] AS region,
                       DATE '2024-01-01' + CAST(random() * 700 AS INTEGER) AS sold_on,
                       round(5 + random() * 9000, 2) AS amount
                FROM range({count}) AS numbers(i)
            ) TO '{path}' (HEADER)
            """
        )
    return path


def _plan(name: str, catalog: FixedCatalog, asked: Sequence[str]) -> None:
    begun = time.perf_counter()
    _planned(asked[0], catalog)
    cold = time.perf_counter() - begun
    taken: list[float] = []
    for _ in range(ROUNDS):
        for text in asked:
            begun = time.perf_counter()
            _planned(text, catalog)
            taken.append((time.perf_counter() - begun) * 1000)
    late = statistics.quantiles(taken, n=20)[-1]
    print(
        f"   {name}: planned in {statistics.median(taken):6.1f} ms warm (p95 {late:.1f}), {cold * 1000:.0f} ms cold",
        flush=True,
    )


def _planned(text: str, catalog: FixedCatalog) -> None:
    readings = understood(Question(text, today=TODAY), catalog)
    if not readings or readings[0].unused:
        raise RuntimeError(f"not understood: {text}")
    validate(readings[0].plan, catalog)


def _group_by(folder: Path, rows: int) -> None:
    """The same question over a sample's profile and all the rows: reading files is not what is measured here."""
    sample = catalog_from_files([sales_csv(folder / "sales.csv", 20_000)], folder / "sample")
    table = sample.tables()[0]
    large = folder / "sales.parquet"
    with duckdb.connect() as connection:
        times = max(1, rows // table.rows)
        connection.execute(
            f"COPY (SELECT sales.* FROM '{table.path}' AS sales, range({times})) TO '{large}' (ROW_GROUP_SIZE 122880)"
        )
    held = replace(table, path=large, rows=times * table.rows)
    catalog = FixedCatalog(f"{sample.version}/{rows}", (held,), ())
    warehouse = LocalWarehouse()
    whole, bare = [], []
    with duckdb.connect(config={"threads": 2}) as connection:
        for round_ in range(ROUNDS // 2 + 2):
            begun = time.perf_counter()
            said = answer(
                Question(QUESTION, today=TODAY), catalog=catalog, warehouse=warehouse, learned=False, onward=False
            )
            between = time.perf_counter()
            found = connection.execute(QUERY.format(file=large)).fetchall()
            ended = time.perf_counter()
            if said.result is None or [tuple(row) for row in said.result.rows] != found:
                raise RuntimeError("the answer differs from the bare query")
            if round_ >= 2:  # the first ones fill caches on both sides
                whole.append((between - begun) * 1000)
                bare.append((ended - between) * 1000)
    warehouse.close()
    print(
        f"   {held.rows:>10,} rows, {QUESTION}: {statistics.median(whole):.1f} ms from question to answer, bare query "
        f"{statistics.median(bare):.1f} ms, ratio {statistics.median(whole) / statistics.median(bare):.2f} (aim: 1.5)"
    )
