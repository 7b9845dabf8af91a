"""Workbooks as people make them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from tests.analyst.tables.corpus.cases import book, sheet

ROWS = [["name", "n"], ["Ann", 1], ["Bob", 2], ["Cem", 3]]
THREE = {"name": ["Ann", "Bob", "Cem"], "n": [1, 2, 3]}


def filled(*steps: Callable[[Any, Any], None], rows: list[list[object]] = ROWS, at: int = 0) -> Callable[[Any], None]:
    """A sheet of rows, and then what the steps do to the workbook and the sheet."""

    def fill(opened: Any) -> None:
        page = opened.add_worksheet()
        for index, row in enumerate(rows):
            page.write_row(at + index, 0, row)
        for step in steps:
            step(opened, page)

    return fill


def _two_sheets(opened: Any) -> None:
    sheet(ROWS, name="Plan")(opened)
    sheet([["city", "m"], ["Oslo", 7], ["Riga", 8]], name="Actual")(opened)


def _hidden_sheets(opened: Any) -> None:
    sheet(ROWS, name="Plan")(opened)
    for name, hide in (("Secret", "hide"), ("Very", "very_hidden")):
        page = opened.add_worksheet(name)
        page.write_row(0, 0, ["x", "y"])
        page.write_row(1, 0, [1, 2])
        getattr(page, hide)()


def _merged_head(opened: Any, page: Any) -> None:
    page.merge_range(0, 1, 0, 2, "2023")
    page.merge_range(0, 3, 0, 4, "2024")


def _merged_labels(opened: Any, page: Any) -> None:
    page.merge_range(1, 0, 2, 0, "West")
    page.merge_range(3, 0, 4, 0, "East")


def _formats(opened: Any) -> None:
    page = opened.add_worksheet()
    money, share = opened.add_format({"num_format": "$#,##0.00"}), opened.add_format({"num_format": "0.0%"})
    page.write_row(0, 0, ["item", "price", "share"])
    for row, (item, price, part) in enumerate([("a", 5.5, 0.125), ("b", 7.25, 0.5), ("c", 10, 0.07)], start=1):
        page.write(row, 0, item)
        page.write(row, 1, price, money)
        page.write(row, 2, part, share)


def _dates(opened: Any) -> None:
    page = opened.add_worksheet()
    day, moment = (opened.add_format({"num_format": f}) for f in ("dd/mm/yyyy", "yyyy-mm-dd hh:mm"))
    page.write_row(0, 0, ["label", "day", "moment"])
    for row, (label, one, other) in enumerate(
        [("a", date(2024, 1, 31), datetime(2024, 1, 31, 10, 30)), ("b", date(1999, 12, 1), datetime(2023, 5, 6, 7, 8))],
        start=1,
    ):
        page.write(row, 0, label)
        page.write_datetime(row, 1, datetime(one.year, one.month, one.day), day)
        page.write_datetime(row, 2, other, moment)


DATES = {
    "label": ["a", "b"],
    "day": [date(2024, 1, 31), date(1999, 12, 1)],
    "moment": [datetime(2024, 1, 31, 10, 30), datetime(2023, 5, 6, 7, 8)],
}


def _formulas(opened: Any, page: Any) -> None:
    page.write_row(0, 2, ["double", "broken"])
    for row in (1, 2, 3):
        page.write_formula(row, 2, f"=B{row + 1}*2", None, row * 2)
        page.write_formula(row, 3, "=1/0", None, "#DIV/0!" if row == 2 else row)


def _hide_rows(opened: Any, page: Any) -> None:
    page.set_row(2, None, None, {"hidden": True})


def _chart(opened: Any) -> None:
    sheet(ROWS, name="Data")(opened)
    chart = opened.add_chart({"type": "bar"})
    chart.add_series({"values": "=Data!$B$2:$B$4"})
    opened.add_chartsheet("Chart").set_chart(chart)


def _rich(opened: Any, page: Any) -> None:
    page.write_rich_string(1, 0, "A", opened.add_format({"bold": True}), "nn")


def _comments(opened: Any, page: Any) -> None:
    page.write_comment("A1", "a remark")
    page.data_validation("B2", {"validate": "list", "source": [1, 2, 3]})
    page.conditional_format("B2:B4", {"type": "3_color_scale"})
    page.autofilter("A1:B4")


def _table(opened: Any) -> None:
    page = opened.add_worksheet()
    page.add_table("B3:C6", {"data": ROWS[1:], "columns": [{"header": "name"}, {"header": "n"}]})


BOOKS = [
    book("one sheet", sheet(ROWS), THREE),
    book("two sheets", _two_sheets, THREE, {"city": ["Oslo", "Riga"], "m": [7, 8]}),
    book("hidden sheets", _hidden_sheets, THREE, says=("2 hidden sheets left out",)),
    book("a sheet with a chart only", _chart, THREE),
    book("an empty sheet beside", lambda b: (sheet(ROWS)(b), b.add_worksheet("Notes")), THREE,
         says=("1 sheet without a table left out",)),
    book("a table far from A1", sheet(ROWS, at=(6, 4)), THREE),
    book("a title above", sheet([["Sales 2024"], [], *ROWS]), THREE, says=("above the header",)),
    book("an excel table", _table, THREE),
    book("merged group names", filled(_merged_head, rows=[["Region"], ["", "Units", "Sales", "Units", "Sales"],
                                                         ["West", 1, 10.5, 2, 20.5], ["East", 3, 30.5, 4, 40.5],
                                                         ["North", 5, 50.5, 6, 60.5]]),
         {"Region": ["West", "East", "North"], "2023 - Units": [1, 3, 5], "2023 - Sales": [10.5, 30.5, 50.5],
          "2024 - Units": [2, 4, 6], "2024 - Sales": [20.5, 40.5, 60.5]}, says=("header stands over 2 rows",)),
    book("merged labels", filled(_merged_labels, rows=[["region", "n"], ["", 1], ["", 2], ["", 3], ["", 4]]),
         {"region": ["West", "West", "East", "East"], "n": [1, 2, 3, 4]}),
    book("hidden rows", filled(_hide_rows), THREE, says=("1 hidden row was read as well",)),
    book("formulas with their results", filled(_formulas),
         {**THREE, "double": [2, 4, 6], "broken": [1, None, 3]}),
    book("currency and percent formats", _formats,
         {"item": ["a", "b", "c"], "price": [5.5, 7.25, 10], "share": [12.5, 50, 7]}),
    book("dates as serials", _dates, DATES),
    book("dates counted from 1904", _dates, DATES, date_1904=True, default_date_format="dd/mm/yy"),
    book("dates as text", sheet([["day", "n"], ["31/01/2024", 1], ["01/02/2024", 2], ["15/03/2024", 3]]),
         {"day": [date(2024, 1, 31), date(2024, 2, 1), date(2024, 3, 15)], "n": [1, 2, 3]}),
    book("day numbers under the name of a date", sheet([["order date", "n"], [45322, 1], [45351, 2], [45352, 3]]),
         {"order date": [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 1)], "n": [1, 2, 3]},
         says=("day numbers",)),
    book("figures written as text", sheet([["item", "n"], ["a", "1"], ["b", "2"], ["c", "30"]]),
         {"item": ["a", "b", "c"], "n": [1, 2, 30]}),
    book("codes with zeros in front", sheet([["zip", "n"], ["00123", 1], ["00045", 2]]),
         {"zip": ["00123", "00045"], "n": [1, 2]}),
    book("text in parts", filled(_rich), THREE),
    book("remarks, filters and colours", filled(_comments), THREE),
    book("truth values", sheet([["name", "on"], ["Ann", True], ["Bob", False]]), {"name": ["Ann", "Bob"],
                                                                                "on": [True, False]}),
    book("blank rows and columns", sheet([["name", "", "n"], ["Ann", "", 1], ["", "", ""], ["Bob", "", 2],
                                          ["Cem", "", 3]]), THREE),
    book("a total below", sheet([*ROWS, ["Total", 6]]), THREE, says=("totals row left out",)),
    book("tiny fractions", sheet([["item", "x"], ["a", 0.1 + 0.2], ["b", 1 / 3], ["c", 5]]),
         {"item": ["a", "b", "c"], "x": [0.3, 0.333333333333333, 5.0]}),
]  # fmt: skip
