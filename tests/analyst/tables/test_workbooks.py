"""Workbooks end as one table per sheet, with what their formats say."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from apps.analyst.errors import ReadFailed


def rows(sheet, *lines, at=(0, 0), formats=()):
    for index, line in enumerate(lines):
        for column, cell in enumerate(line):
            if cell is not None:
                style = formats[column] if index and column < len(formats) else None
                sheet.write(at[0] + index, at[1] + column, cell, *([style] if style else []))


def test_one_sheet_gives_one_table_named_after_the_workbook(read_workbook):
    tables = read_workbook(
        lambda book: rows(book.add_worksheet("Data"), ("a", "b"), (1, "x"), (2, "y")), name="Sales 2024.xlsx"
    )
    assert [table.ingested.file_name for table in tables] == ["Sales 2024.csv"]
    assert tables[0].rows == [(1, "x"), (2, "y")]


def test_several_sheets_give_a_table_each_without_hidden_and_empty_ones(read_workbook):
    def fill(book):
        rows(book.add_worksheet("North"), ("a", "b"), (1, 2))
        rows(book.add_worksheet("South"), ("a", "b"), (3, 4))
        book.add_worksheet("Nothing")
        secret = book.add_worksheet("Secret")
        rows(secret, ("a", "b"), (5, 6))
        secret.hide()

    tables = read_workbook(fill, name="Regions.xlsx")
    assert [table.ingested.file_name for table in tables] == ["Regions - North.csv", "Regions - South.csv"]
    assert "1 hidden sheet left out (Secret)" in tables[0].report
    assert "1 sheet without a table left out (Nothing)" in tables[0].report


def test_a_table_that_does_not_start_at_a1_is_found(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write(1, 2, "Report of the year")
        rows(sheet, ("region", "sales", "costs"), ("N", 1, 2), ("S", 3, 4), at=(4, 3))

    (table,) = read_workbook(fill)
    assert table.names[-3:] == ["region", "sales", "costs"]
    assert [row[-3:] for row in table.rows] == [("N", 1, 2), ("S", 3, 4)]


def test_currency_and_percent_formats_become_units(read_workbook):
    def fill(book):
        styles = [
            None,
            book.add_format({"num_format": '"$"#,##0.00'}),
            book.add_format({"num_format": "0.0%"}),
            book.add_format({"num_format": "#,##0.00\\ [$€-407]"}),
        ]
        rows(
            book.add_worksheet(),
            ("item", "price", "share", "cost"),
            ("x", 10, 0.125, 1.5),
            ("y", 2.5, 0.07, 2.5),
            formats=styles,
        )

    (table,) = read_workbook(fill)
    assert table.unit("price") == "USD"
    assert table.unit("cost") == "EUR"
    assert table.unit("share") == "%"
    assert table.columns["share"] == [Decimal("12.5"), Decimal("7.0")]


def test_dates_times_and_truth_values_keep_their_kind(read_workbook):
    def fill(book):
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        rows(
            book.add_worksheet(),
            ("day", "moment", "flag"),
            (dt.date(2024, 1, 2), dt.datetime(2024, 1, 2, 3, 4), True),
            (dt.date(2024, 1, 3), dt.datetime(2024, 1, 3), False),
            formats=[day, moment],
        )

    (table,) = read_workbook(fill)
    assert table.rows == [
        (dt.date(2024, 1, 2), dt.datetime(2024, 1, 2, 3, 4), True),
        (dt.date(2024, 1, 3), dt.datetime(2024, 1, 3), False),
    ]


def test_day_numbers_under_the_name_of_a_date_are_dates(read_workbook):
    (table,) = read_workbook(lambda book: rows(book.add_worksheet(), ("order date", "n"), (45292, 1), (45323, 2)))
    assert table.columns["order date"] == [dt.date(2024, 1, 1), dt.date(2024, 2, 1)]


def test_cached_results_of_formulas_are_read_and_errors_are_empty(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        rows(sheet, ("a", "b", "c"), (1, None, None), (2, None, None))
        sheet.write_formula("B2", "=A2*2", None, 2)
        sheet.write_formula("B3", "=A3*2", None, 4)
        sheet.write_formula("C2", "=1/0", None, "#DIV/0!")
        sheet.write("C3", 7)

    (table,) = read_workbook(fill)
    assert table.columns["b"] == [2, 4]
    assert table.columns["c"] == [None, 7]


def test_a_label_merged_over_several_rows_stands_in_each(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        rows(sheet, ("region", "city", "n"), (None, "a", 1), (None, "b", 2), ("S", "c", 3))
        sheet.merge_range("A2:A3", "N")

    (table,) = read_workbook(fill)
    assert table.columns["region"] == ["N", "N", "S"]


def test_merged_group_names_above_the_header_are_put_together(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        rows(
            sheet,
            (None, None, None, None, None),
            ("region", "sales", "profit", "sales", "profit"),
            *[(name, 1, 2, 3, 4 + index) for index, name in enumerate("NSWE")],
        )
        sheet.merge_range("B1:C1", "2023")
        sheet.merge_range("D1:E1", "2024")

    (table,) = read_workbook(fill)
    assert table.names == ["region", "2023 - sales", "2023 - profit", "2024 - sales", "2024 - profit"]


def test_a_group_name_ends_where_its_merged_cell_ends(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        rows(
            sheet,
            ("Room rates", None, None, None, None, None),
            (None, None, None, None, None, None),
            ("hotel", "single", "double", "suite", "beds", "pets?"),
            *[(name, 90 + index, 120 + index, 200 + index, 40, "yes") for index, name in enumerate("NSWE")],
        )
        sheet.merge_range("A1:F1", "Room rates")
        sheet.merge_range("B2:D2", "per night")

    (table,) = read_workbook(fill)
    assert table.names == ["hotel", "per night - single", "per night - double", "per night - suite", "beds", "pets?"]


def test_a_group_name_merged_up_to_the_last_column_is_one(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        rows(
            sheet,
            (None, None, None, None),
            ("hotel", "city", "single", "double"),
            *[(name, "Ulm", 90 + index, 120 + index) for index, name in enumerate("NSWE")],
        )
        sheet.merge_range("C1:D1", "per night")

    (table,) = read_workbook(fill)
    assert table.names == ["hotel", "city", "per night - single", "per night - double"]


def test_hidden_rows_are_read_and_told_of(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        rows(sheet, ("a", "b"), (1, 2), (3, 4))
        sheet.set_row(1, None, None, {"hidden": True})

    (table,) = read_workbook(fill)
    assert table.rows == [(1, 2), (3, 4)]
    assert "1 hidden row was read as well" in table.report


def test_figures_have_the_digits_that_a_spreadsheet_shows(read_workbook):
    (table,) = read_workbook(
        lambda book: rows(book.add_worksheet(), ("a", "n"), ("x", 33522.600000000006), ("y", 0.1 + 0.2))
    )
    assert table.columns["n"] == [Decimal("33522.6"), Decimal("0.3")]


def test_swapped_days_and_months_are_swapped_back(read_workbook):
    days = [dt.date(2024, month, day) for month in (1, 2, 3) for day in (3, 5, 14, 17, 20, 28)]

    def fill(book):
        sheet = book.add_worksheet()
        style = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["day", "n"])
        for index, day in enumerate(days, start=1):
            if day.day > 12:
                sheet.write(index, 0, f"{day.month}/{day.day}/{day.year} 0:00")
            else:
                sheet.write_datetime(index, 0, dt.datetime(day.year, day.day, day.month), style)
            sheet.write(index, 1, index)

    (table,) = read_workbook(fill)
    assert table.columns["day"] == days
    assert "swapped back" in table.report


def test_a_large_sheet_gives_the_same_as_a_small_one(read_workbook):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["nr", "amount", "word", "day"])
        style = book.add_format({"num_format": "yyyy-mm-dd"})
        for index in range(1, 51_001):
            sheet.write_row(index, 0, [index, index / 4, f"w{index % 7}"])
            sheet.write_datetime(index, 3, dt.datetime(2024, 1, 1) + dt.timedelta(days=index % 30), style)

    (table,) = read_workbook(fill)
    assert table.types == {"nr": "integer", "amount": "decimal", "word": "text", "day": "date"}
    assert table.rows[0] == (1, Decimal("0.25"), "w1", dt.date(2024, 1, 2))
    assert table.columns["nr"] == list(range(1, 51_001))
    assert table.table.rows == 51_000
    assert table.roles == {"nr": "id", "amount": "measure", "word": "dimension", "day": "time"}


def test_a_workbook_without_cells_is_refused(read_workbook):
    with pytest.raises(ReadFailed, match=r"book\.xlsx is empty"):
        read_workbook(lambda book: book.add_worksheet())


def test_a_workbook_of_headers_only_is_refused(read_workbook):
    with pytest.raises(ReadFailed, match="has a header but no rows"):
        read_workbook(lambda book: rows(book.add_worksheet(), ("a", "b", "c")))
