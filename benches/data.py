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


def sales_book(path: Path, rows: int) -> Path:
    """The same kind of sales as a workbook of ten columns: texts, dates, whole numbers and amounts."""
    import random
    from datetime import datetime, timedelta

    import xlsxwriter

    chance = random.Random(42)
    first = datetime(2024, 1, 1)
    book = xlsxwriter.Workbook(str(path), {"constant_memory": False})
    sheet, day = book.add_worksheet("Sales"), book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_row(
        0, 0, ["order_id", "order_date", "region", "product", "owner", "customer", "units", "price", "amount", "stage"]
    )
    for row in range(1, rows + 1):
        sheet.write_number(row, 0, row + 100_000)
        sheet.write_datetime(row, 1, first + timedelta(days=chance.randrange(700)), day)
        sheet.write_string(row, 2, chance.choice(("North", "South", "East", "West")))
        sheet.write_string(row, 3, f"Product {chance.randrange(200)}")
        sheet.write_string(row, 4, f"Owner {chance.randrange(40)}")
        sheet.write_string(row, 5, f"Customer {chance.randrange(5_000)}")
        sheet.write_number(row, 6, chance.randrange(1, 21))
        sheet.write_number(row, 7, round(chance.uniform(5, 505), 2))
        sheet.write_number(row, 8, round(chance.uniform(5, 9_005), 2))
        sheet.write_string(row, 9, chance.choice(("Open", "Won", "Lost")))
    book.close()
    return path
