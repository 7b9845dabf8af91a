"""Tables with months or quarters side by side become rows of a period each."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from apps.analyst.tables.period_names import Period, period_of, years_in

MONTHS = "Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec"


def cells(*values: object) -> str:
    return ",".join(str(value) for value in values)


def test_each_month_of_each_row_is_a_row_with_a_date(read_text: Any) -> None:
    head = cells("Depot", "Manager", MONTHS)
    north, south = (
        cells(name, "Ida", *(start + month for month in range(12))) for name, start in (("N", 10), ("S", 50))
    )
    table = read_text("\n".join([head, north, south]), name="Fuel budget 2025.csv")
    assert table.types == {"Depot": "text", "Manager": "text", "Period": "date", "Fuel budget": "integer"}
    assert table.rows[:2] == [("N", "Ida", date(2025, 1, 1), 10), ("N", "Ida", date(2025, 2, 1), 11)]
    assert len(table.rows) == 24
    assert "12 columns of periods were turned into rows: Period, Fuel budget" in table.report


def test_sums_of_the_periods_are_left_out_and_months_without_a_figure_have_no_row(read_text: Any) -> None:
    lines = ["Depot,Q1,Q2,Q3,Q4,FY24", "N,1,2,3,,6", "S,5,6,7,,18", "Total,6,8,10,,24"]
    table = read_text("\n".join(lines), name="Tyres.csv")
    assert table.names == ["Depot", "Period", "Tyres"]
    assert table.rows[-1] == ("S", date(2024, 7, 1), 7)
    assert sum(table.columns["Tyres"]) == 24
    assert "FY24, which adds them up, left out" in table.report


@pytest.mark.parametrize(
    ("name", "figure"), [("depot_targets.csv", "Target"), ("Tyre sales.csv", "Tyre sales"), ("Tyres.csv", "Tyres")]
)
def test_rows_that_are_called_by_their_figure_hold_one_of_it(name: str, figure: str, read_text: Any) -> None:
    table = read_text("\n".join(["Depot,Q1,Q2,Q3,FY24", "N,1,2,3,6", "S,5,6,7,18"]), name=name)
    assert table.names == ["Depot", "Period", figure]


def test_a_plan_beside_its_actual_figure_for_each_month(read_text: Any) -> None:
    lines = [
        "Depot,Jan 25 plan,Jan 25 actual,Feb 25 plan,Feb 25 actual,Mar 25 plan,Mar 25 actual",
        "N,10,11,20,,30,33", "S,5,6,7,8,9,10",
    ]  # fmt: skip
    table = read_text("\n".join(lines))
    assert table.names == ["Depot", "Period", "plan", "actual"]
    assert table.rows[1] == ("N", date(2025, 2, 1), 20, None)


def test_a_workbook_names_the_figure_by_its_sheet_and_the_year_by_its_title(read_workbook: Any) -> None:
    def fill(book: Any) -> None:
        for name in ("Headcount", "Sheet2"):
            sheet = book.add_worksheet(name)
            sheet.merge_range("A1:E1", "Plan for 2023 (people)")
            for row, line in enumerate([("Depot", "Jan", "Feb", "Mar", "Apr"), ("N", 1, 2, 3, 4), ("S", 5, 6, 7, 8)]):
                for column, cell in enumerate(line):
                    sheet.write(row + 1, column, cell)

    first, second = read_workbook(fill, name="Staff.xlsx")
    assert first.names == ["Depot", "Period", "Headcount"]
    assert second.names == ["Depot", "Period", "Staff"]
    assert first.columns["Period"][0] == date(2023, 1, 1)


def test_a_header_of_dates_and_the_year_in_the_name_of_the_only_sheet(read_workbook: Any) -> None:
    def fill(book: Any) -> None:
        dated, year = book.add_worksheet("Fuel"), book.add_format({"num_format": "mmm-yy"})
        dated.write(0, 0, "Depot")
        for month in (1, 2, 3):
            dated.write_datetime(0, month, datetime(2024, month, 1), year)
        for row, depot in enumerate(("N", "S", "W"), start=1):
            dated.write_row(row, 0, (depot, 1000 * row, 1001, 1002))

    (table,) = read_workbook(fill, name="Costs.xlsx")
    assert table.rows[:2] == [("N", date(2024, 1, 1), 1000), ("N", date(2024, 2, 1), 1001)]

    def numbered(book: Any) -> None:
        only = book.add_worksheet("2023")
        for row, line in enumerate([("Depot no", "Q1", "Q2", "Q3"), (17, 1, 2, 3), (18, 4, 5, 6)]):
            only.write_row(row, 0, line)

    (table,) = read_workbook(numbered, name="Tyres.xlsx")
    assert table.rows[0] == (17, date(2023, 1, 1), 1)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Fuel.csv", ["Depot,Jan,Feb,Mar", "N,1,2,3", "S,4,5,6"]),
        ("Fuel 2024 and 2025.csv", ["Depot,Jan,Feb,Mar", "N,1,2,3", "S,4,5,6"]),
        ("Fuel 2025.csv", ["Depot,Oct,Nov,Dec,Jan", "N,1,2,3,4", "S,4,5,6,7"]),
        ("Fuel 2025.csv", ["Depot,Trucks,Jan,Feb,Mar", "N,9,1,2,3", "S,9,4,5,6"]),
        ("Fuel 2025.csv", ["Depot,Jan,Feb,Mar", "N,yes,no,yes", "S,no,no,yes"]),
        ("Fuel 2025.csv", ["Depot,Jan,Feb", "N,1,2", "S,4,5"]),
        ("Fuel 2025.csv", ["Jan,Feb,Mar", "1,2,3", "4,5,6"]),
    ],
    ids=["no year", "two years", "over two years", "another figure", "words", "two months", "nobody"],
)
def test_what_is_no_such_table_stays_as_it_is(read_text: Any, name: str, lines: list[str]) -> None:
    assert read_text("\n".join(lines), name=name).names == lines[0].split(",")


@pytest.mark.parametrize(
    ("name", "period", "rest"),
    [
        ("Jan", Period("month", None, 1), ""),
        ("Sept. 2024", Period("month", 2024, 9), ""),
        ("Mrz-25 Soll", Period("month", 2025, 3), "Soll"),
        ("2025-04-01 00:00:00", Period("month", 2025, 4), ""),
        ("Q3 target", Period("quarter", None, 3), "target"),
        ("actual_q2_2026", Period("quarter", 2026, 2), "actual"),
        ("2026 Q1", Period("quarter", 2026, 1), ""),
    ],
)
def test_names_of_columns_that_say_a_period(name: str, period: Period, rest: str) -> None:
    assert period_of(name) == (period, rest)


@pytest.mark.parametrize("name", ["Maybe", "Market", "Jan to Mar", "Q5", "Decision", "100+ pcs", "Next step"])
def test_names_that_say_none(name: str) -> None:
    assert period_of(name) is None


def test_years_that_texts_say() -> None:
    assert years_in(["Quota 2026", "FY25", "version 12", "2026_final"]) == [2025, 2026]
