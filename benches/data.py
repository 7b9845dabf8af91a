"""Made-up sales files of any size, the same at every run."""

from __future__ import annotations

from pathlib import Path

import duckdb


def sales_csv(path: Path, rows: int, *, columns: int = 10) -> Path:
    """A sales file: id, date, region, product, owner, customer, units, price, amount, stage; beyond ten, `metric_n`."""
    extra = "".join(f", round(random() * 1000, 2) AS metric_{index}" for index in range(max(0, columns - 10)))
    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.42)")
        connection.execute(
            f"""
            COPY (
                SELECT i + 100000 AS order_id,
                       DATE '2024-01-01' + CAST(random() * 700 AS INTEGER) AS order_date,
                       ['North', 'South', 'East', 'West'][1 + CAST(floor(random() * 4) AS INTEGER)] AS region,
                       'Product ' || CAST(floor(random() * 200) AS INTEGER) AS product,
                       'Owner ' || CAST(floor(random() * 40) AS INTEGER) AS owner,
                       'Customer ' || CAST(floor(random() * 5000) AS INTEGER) AS customer,
                       1 + CAST(floor(random() * 20) AS INTEGER) AS units,
                       round(5 + random() * 500, 2) AS price,
                       round(5 + random() * 9000, 2) AS amount,
                       ['Open', 'Won', 'Lost'][1 + CAST(floor(random() * 3) AS INTEGER)] AS stage {extra}
                FROM range({rows}) AS numbers(i)
            ) TO '{path}' (HEADER)
            """
        )
    return path
