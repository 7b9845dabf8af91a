"""Files too large for plain Python give the same tables, read by DuckDB."""

from __future__ import annotations

import random
from datetime import date, datetime
from decimal import Decimal

import pytest

ROWS = 30_000
FIRST = "an order with a rather long text so that the file is large enough"


def lines(count: int = ROWS):
    chance = random.Random(7)
    for index in range(count):
        yield [
            f"SO-{index:06d}",
            f"2024-{index % 12 + 1:02d}-{index % 28 + 1:02d}",
            f"{chance.randint(1, 999999) / 100:.2f}",
            chance.choice(["North", "South", " East "]),
            str(index % 50),
            FIRST,
        ]


def text_of(rows, header="order,day,amount,region,units,note", delimiter=","):
    return delimiter.join(header.split(",")) + "\n" + "".join(delimiter.join(row) + "\n" for row in rows)


def test_a_clean_file_is_read_in_one_pass(read_text):
    rows = list(lines())
    table = read_text(text_of(rows))
    assert table.table.rows == ROWS
    assert table.types == {
        "order": "text",
        "day": "date",
        "amount": "decimal",
        "region": "text",
        "units": "integer",
        "note": "text",
    }
    assert table.columns["order"] == [row[0] for row in rows]
    assert table.columns["amount"] == [Decimal(row[2]) for row in rows]
    assert set(table.columns["region"]) == {"North", "South", "East"}
    column = table.table.column("order")
    assert column.unique
    assert column.distinct == ROWS
    assert len(column.values) == 2_000
    assert not column.values_complete


@pytest.mark.parametrize(
    ("position", "cell", "kind", "value"),
    [
        (4, "007", "text", "007"),
        (4, "1.5", "decimal", Decimal("1.5")),
        (4, "n/a", "integer", None),
        (4, "oops", "integer", None),
        (4, " 12 ", "integer", 12),
        (4, "+12", "integer", 12),
        (4, "1e3", "integer", 1000),
        (2, "12345678901234.56", "decimal", Decimal("12345678901234.56")),
        (1, "2024-1-5", "date", date(2024, 1, 5)),
        (0, " padded ", "text", "padded"),
        (0, "N/A", "text", None),
        (2, "0.123456789", "float", 0.123456789),
        (2, "$5.00", "decimal", Decimal("5.00")),
        (1, "2024-01-01 10:30:00", "datetime", datetime(2024, 1, 1, 10, 30)),
        (1, "sometime", "date", None),
    ],
)
def test_a_cell_that_first_shows_late_is_read_as_it_should(read_text, position, cell, kind, value):
    rows = list(lines())
    rows[20_000][position] = cell
    table = read_text(text_of(rows))
    name = ["order", "day", "amount", "region", "units", "note"][position]
    assert table.types[name] == kind
    assert table.columns[name][20_000] == value
    if position:
        assert table.columns["order"] == [row[0] for row in rows]


def test_a_row_of_spaces_that_first_shows_late_is_left_out(read_text):
    rows = list(lines())
    rows[20_000] = ["  "] + [""] * 5
    table = read_text(text_of(rows))
    assert table.table.rows == ROWS - 1
    assert None not in table.columns["order"]


def test_the_shape_of_a_very_large_table_is_judged_by_rows_spread_evenly(read_text):
    count = 230_000
    table = read_text(
        "n,when\n" + "".join(f"{number / 4},2024-01-{number * 31 // count + 1:02d}\n" for number in range(count))
    )
    shapes = table.ingested.histograms
    assert set(shapes) == {"n", "when"}
    assert sum(shapes["n"]) == pytest.approx(count, rel=0.01)
    assert max(shapes["n"]) < 1.05 * min(shapes["n"])


def test_columns_that_need_python_keep_the_order_of_rows(read_text):
    rows = list(lines())
    for index, row in enumerate(rows):
        row[1] = f"{index % 28 + 1}/{index % 12 + 1}/2024"
        row[2] = f"${int(index) * 1000:,}.50"
    table = read_text(text_of([[f'"{cell}"' for cell in row] for row in rows]))
    assert table.columns["day"][:3] == [date(2024, 1, 1), date(2024, 2, 2), date(2024, 3, 3)]
    assert table.columns["amount"] == [Decimal(index * 1000) + Decimal("0.50") for index in range(ROWS)]
    assert table.unit("amount") == "USD"
    assert table.columns["order"] == [row[0] for row in rows]


def test_another_encoding_ragged_rows_and_repeated_headers_are_mended(read_text):
    rows = list(lines())
    rows[100] = ["Größe", "2024-01-01", "1,50"]
    rows[200] = ["order", "day", "amount", "region", "units", "note"]
    rows[300] = [""] * 6
    for row in rows:
        row[2:3] = [row[2].replace(".", ",")] if len(row) > 2 else []
    table = read_text(text_of(rows, delimiter=";"), "cp1252")
    assert table.table.rows == ROWS - 2
    assert table.columns["order"][100] == "Größe"
    assert table.types["amount"] == "decimal"
    assert "1 repeated header row left out" in table.report
    assert "1 row was shorter" in table.report


def test_a_last_row_of_totals_is_left_out(read_text):
    rows = list(lines())
    units = sum(int(row[4]) for row in rows)
    amount = sum(Decimal(row[2]) for row in rows)
    table = read_text(text_of([*rows, ["Total", "", str(amount), "", str(units), ""]]))
    assert table.table.rows == ROWS
    assert table.types["day"] == "date"
    assert 'totals row left out ("Total")' in table.report


REGIONS = ("North", "South", "East")


def with_totals(rows, *, ends):
    """The rows by region, each region with its totals, then the totals of all and what stands below these."""
    found, everything = [], [Decimal(0), 0]
    for region in REGIONS:
        mine = [row for row in rows if row[3].strip() == region]
        amount, units = sum(Decimal(row[2]) for row in mine), sum(int(row[4]) for row in mine)
        found += [*mine, [f"{region} Total", "", str(amount), "", str(units), ""]]
        everything[0] += amount
        everything[1] += units
    return [*found, ["Grand Total", "", str(everything[0]), "", str(everything[1]), ""], *ends]


@pytest.mark.parametrize("count", [300, ROWS])
@pytest.mark.parametrize(
    "ends",
    [
        [],
        [["Source: order desk", "", "", "", "", ""]],
        [[""], ["* preliminary figures"], ["Exported on 3 May 2024"]],
        [["", "", "", "", "", ""], ["printed by the order desk", "", "", "", "", ""]],
    ],
)
def test_totals_of_groups_and_remarks_at_the_end_are_left_out_of_small_and_large_files_alike(read_text, count, ends):
    rows = list(lines(count))
    table = read_text(text_of(with_totals(rows, ends=ends)))
    assert table.table.rows == count
    assert table.types["units"] == "integer"
    assert sum(table.columns["units"]) == sum(int(row[4]) for row in rows)
    assert sum(table.columns["amount"]) == sum(Decimal(row[2]) for row in rows)
    assert "4 totals rows left out" in table.report
    assert ("below the table left out" in table.report) == bool(ends)


@pytest.mark.parametrize("count", [300, ROWS])
def test_rows_that_are_only_named_like_totals_stay(read_text, count):
    rows = list(lines(count))
    rows[-4][0], rows[-2][0] = "Total Wine", "Sum"
    table = read_text(text_of(rows))
    assert table.table.rows == count
    assert "left out" not in table.report


def test_all_distinct_texts_are_kept_with_their_folded_form(read_text, tmp_path):
    import pyarrow.parquet as pq

    rows = list(lines())
    rows[5][3] = "  Sankt   GALLEN"
    rows[6][3] = "Zürich"
    table = read_text(text_of(rows))
    values = pq.read_table(table.table.values_path).to_pylist()
    regions = {row["value"]: (row["folded"], row["count"]) for row in values if row["column"] == "region"}
    assert regions["Sankt   GALLEN"] == ("sankt gallen", 1)
    assert regions["Zürich"] == ("zurich", 1)
    assert sum(1 for row in values if row["column"] == "order") == ROWS
