"""Files that repeat the amounts of a whole thing on each of its lines: the amounts are kept on first rows alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from apps.analyst.tables.bulk_repeated import keep_once
from apps.analyst.tables.ingestion import BULK_BYTES
from apps.analyst.types import Column

Cells = list[str]
HEADER = "Customer,Bill,Billed on,Gross,Still owed,Article,Pieces,Price,Net"
ONCE = ["Gross", "Still owed"]


def bills(count: int = 60, tax: Decimal = Decimal("1.2")) -> Iterator[Cells]:
    """Rows of bills of one to three articles each; the net amounts and a tax make up the gross one."""
    for number in range(count):
        lines = [(line + 1, Decimal(7 + (number * 5 + line) % 83) / 4) for line in range(number % 3 + 1)]
        gross = sum((pieces * price for pieces, price in lines), Decimal(0)) * tax
        owed = gross if number % 4 == 0 else Decimal(0)
        head = [f"Customer {number % 7}", f"B{number:06d}", f"2025-{number % 12 + 1:02d}-03", f"{gross:.2f}"]
        for line, (pieces, price) in enumerate(lines):
            article = f"Article {(number + line) % 9}"
            yield [*head, f"{owed:.2f}", article, str(pieces), f"{price:.2f}", f"{pieces * price:.2f}"]


def text_of(rows: Iterator[Cells] | list[Cells], header: str = HEADER) -> str:
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


def once(table: Any) -> list[str]:
    return [column.name for column in table.table.columns if column.per_key == "once"]


def enough_for_duckdb() -> int:
    return 1_000 * (2 * BULK_BYTES // len(text_of(bills(1_000))))


@pytest.mark.parametrize("count", [60, enough_for_duckdb()], ids=["in memory", "on disk"])
@pytest.mark.parametrize("tax", [Decimal(1), Decimal("1.2")], ids=["net", "gross"])
def test_amounts_of_a_whole_are_kept_once(read_text: Callable[..., Any], count: int, tax: Decimal) -> None:
    rows = list(bills(count, tax))
    table = read_text(text_of(rows))
    begins = [row == 0 or rows[row][1] != rows[row - 1][1] for row in range(len(rows))]
    assert {column.name: column.per_key for column in table.table.columns} == {
        "Customer": "same", "Bill": "key", "Billed on": "same", "Gross": "once", "Still owed": "once",
        "Article": "", "Pieces": "", "Price": "", "Net": "",
    }  # fmt: skip
    told = [Decimal(row[3]) if begun else None for row, begun in zip(rows, begins, strict=True)]
    assert table.columns["Gross"] == told
    assert table.columns["Net"] == [Decimal(row[8]) for row in rows]
    assert table.columns["Customer"] == [row[0] for row in rows]
    others = len(rows) - count
    note = f"{others:,} rows with the same Bill as the row above: kept on the first row alone, to add up once: "
    assert note + "Gross, Still owed" in table.report
    assert (table.table.column("Gross").missing, table.table.column("Gross").role) == (others, "measure")


@pytest.mark.parametrize("count", [60, enough_for_duckdb()], ids=["in memory", "on disk"])
def test_pieces_times_price_make_up_a_whole(read_text: Callable[..., Any], count: int) -> None:
    table = read_text(text_of([row[:8] for row in bills(count, Decimal(1))], HEADER.removesuffix(",Net")))
    assert once(table) == ONCE


@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_things_go_on_from_one_row_group_to_the_next(tmp_path: Path, size: int) -> None:
    rows = list(bills())
    names = HEADER.split(",")
    figures = {"Gross", "Still owed", "Pieces", "Price", "Net"}
    stored: dict[str, list[Any]] = {
        name: [float(cell) if name in figures else cell for cell in cells]
        for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    }
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(stored), path, row_group_size=size)
    columns = [
        Column(
            name,
            "float" if name in figures else "text",
            "measure" if name in figures else "dimension",
            distinct=len(set(cells)),
        )
        for name, cells in stored.items()
    ]
    lines = keep_once(columns, path, len(rows))
    assert lines is not None
    told = pq.read_table(path).to_pydict()
    first = [row == 0 or rows[row][1] != rows[row - 1][1] for row in range(len(rows))]
    for name in names:
        kept = [cell if begun or name not in ONCE else None for cell, begun in zip(stored[name], first, strict=True)]
        assert told[name] == kept, name


def test_an_amount_that_hardly_any_row_has_stays_with_its_lines(read_text: Callable[..., Any]) -> None:
    """Few lines have a discount; that none of these stands in a bill of several lines is an accident."""
    rows = [[*row, "5.50" if row[1] == "B000003" else "7.25" if row[1] == "B000006" else ""] for row in bills()]
    table = read_text(text_of(rows, f"{HEADER},Discount"))
    assert once(table) == ONCE
    assert [cell for cell in table.columns["Discount"] if cell] == [Decimal("5.50"), Decimal("7.25")]


@pytest.mark.parametrize("count", [60, 6_000], ids=["in memory", "on disk"])
def test_delivery_and_discounts_are_no_hindrance(read_text: Callable[..., Any], count: int) -> None:
    rows = []
    for row in bills(count):
        number = int(row[1][1:])
        told = Decimal(row[3]) * (Decimal("0.8") if number % 10 == 2 else 1) + (Decimal("3.50") if number % 2 else 0)
        rows.append([*row[:3], f"{told:.2f}", *row[4:]])
    assert once(read_text(text_of(rows))) == ONCE


# ---------------------------------------------------------------- tables that only look alike
def something_alike(rows: list[Cells]) -> list[Cells]:
    """Amounts of the size of the lines' sums that do not follow them."""
    shares = {row[1]: Decimal(65 + int(row[1][1:]) * 61 % 120) / 100 for row in rows}
    return [[*row[:3], f"{Decimal(row[3]) * shares[row[1]]:.2f}", "0.00", *row[5:]] for row in rows]


def another_whole(rows: list[Cells]) -> list[Cells]:
    """The amounts that stand still are no sums of the others: credit limits."""
    return [[*row[:3], str(500 + 37 * int(row[1][1:]) % 991), str(int(row[1][1:]) * 13 % 97), *row[5:]] for row in rows]


def apart(rows: list[Cells]) -> list[Cells]:
    """The lines of one thing do not stand together."""
    return sorted(rows, key=lambda row: row[5])


def differing(rows: list[Cells]) -> list[Cells]:
    """One line of each amount differs from the one above."""
    rows = [list(row) for row in rows]
    rows[2][3], rows[2][4] = "1.05", "1.05"
    return rows


def too_few(rows: list[Cells]) -> list[Cells]:
    """Hardly any bill has several lines."""
    return [row for row in rows if row[6] == "1" or row[1] in ("B000001", "B000002")]


def of_nothing_else(rows: list[Cells]) -> list[Cells]:
    """Nothing but the amounts is told of the whole."""
    return [
        [f"Customer {place % 7}", row[1], f"2025-03-{place % 27 + 1:02d}", *row[3:]] for place, row in enumerate(rows)
    ]


@pytest.mark.parametrize("made", [another_whole, something_alike, apart, differing, too_few, of_nothing_else])
@pytest.mark.parametrize("count", [60, 6_000], ids=["in memory", "on disk"])
def test_ordinary_tables_are_left_as_they_are(
    read_text: Callable[..., Any], made: Callable[[list[Cells]], list[Cells]], count: int
) -> None:
    rows = made(list(bills(count)))
    table = read_text(text_of(rows))
    assert {column.per_key for column in table.table.columns} == {""}
    assert table.columns["Gross"] == [Decimal(row[3]) for row in rows]


@pytest.mark.parametrize("sales", [2, 3, 40])
def test_the_price_of_a_product_is_no_amount_of_its_sales(read_text: Callable[..., Any], sales: int) -> None:
    """A list sorted by product: each sale repeats the product's name, group, price and stock."""
    rows = []
    for product in range(40):
        price = Decimal(350 + 21 * product) / 100
        for sale in range(1 + (product + sales) % (sales + 1)):
            pieces = (product + sale) % 4 + 1
            head = [f"Article {product:03d}", f"Group {product % 5}", f"{price:.2f}", str(90 + product)]
            rows.append([*head, f"2025-{sale % 12 + 1:02d}-11", str(pieces), f"{pieces * price:.2f}"])
    table = read_text(text_of(rows, "Product,Group,Price,In stock,Sold on,Pieces,Amount"))
    assert {column.per_key for column in table.table.columns} == {""}
    assert None not in table.columns["Price"]


def test_a_salary_on_each_day_of_an_employee_is_no_whole(read_text: Callable[..., Any]) -> None:
    rows = []
    for person in range(30):
        for day in range(5):
            told = [f"E{person:03d}", f"Team {person % 4}", str(3_000 + 170 * (person * 7 % 23))]
            rows.append([*told, f"2025-02-{day + 3:02d}", str(6 + (person + day) % 4), f"{(person * day) % 13}.50"])
    table = read_text(text_of(rows, "Employee,Team,Salary,Day,Hours,Expenses"))
    assert {column.per_key for column in table.table.columns} == {""}
