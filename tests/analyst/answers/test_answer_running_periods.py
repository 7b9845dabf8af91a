"""Series whose last period the data do not hold whole: what counts as whole, and no trend from part of one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import (
    Aggregate,
    AnyOf,
    Between,
    ColumnRef,
    Constant,
    Grain,
    Order,
    Output,
    Period,
    Predicate,
    Query,
    Window,
)
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.narrate import View, story

DAY = ColumnRef(table="sales", column="day")
TOTAL = Aggregate(fn="sum", of=ColumnRef(table="sales", column="amount"))


@pytest.fixture
def warehouse() -> Iterator[LocalWarehouse]:
    made = LocalWarehouse()
    yield made
    made.close()


def daily(folder: Path, first: str, last: str) -> FixedCatalog:
    """Sales of ten for each day."""
    low, high = date.fromisoformat(first), date.fromisoformat(last)
    return dated(folder, [low + timedelta(days=i) for i in range((high - low).days + 1)])


def dated(folder: Path, days: list[date]) -> FixedCatalog:
    path = folder / "sales.csv"
    path.write_text("day,amount\n" + "".join(f"{day},10\n" for day in days), encoding="utf-8")
    return catalog_from_files([path], folder)


def told(
    catalog: FixedCatalog, warehouse: LocalWarehouse, grain: Grain | None, *more: Output, where: Predicate | None = None
) -> str:
    group = Output(label="When", expr=Period(grain=grain, of=DAY) if grain is not None else DAY)
    measures = (Output(label="Total amount", expr=TOTAL), *more)
    plan = Query(source="sales", groups=(group,), measures=measures, order=(Order(by="When"),), where=where)
    return story(View(compute(plan, catalog, warehouse), catalog), "Standard")


@pytest.mark.parametrize("last", ["2025-12-31", "2025-12-30", "2025-12-29"])
def test_a_month_that_lacks_a_day_or_two_is_whole(last: str, tmp_path: Path, warehouse: LocalWarehouse) -> None:
    text = told(daily(tmp_path, "2025-01-01", last), warehouse, "month")
    assert "not complete" not in text
    assert "Dec 2025" in text


def test_a_year_that_lacks_a_month_is_not_whole(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    text = told(daily(tmp_path, "2023-01-01", "2025-11-30"), warehouse, "year")
    assert "fell" not in text
    assert "rose from 3,650 in 2023 to **3,660** in 2024" in text
    assert "2025 is not complete: it stands at 3,340, with data up to 30 Nov 2025." in text


def quarter(year: int) -> Between:
    """The third quarter of a year."""
    low, high = (Constant(value=f"{year}-{month:02}-01", type="date") for month in (7, 10))
    return Between(of=DAY, low=low, high=high, half_open=True)


@pytest.mark.parametrize("where", [AnyOf(of=(quarter(2024), quarter(2025))), quarter(2025)])
def test_quarters_that_are_over_are_whole_though_their_year_is_not(
    where: Predicate, tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    catalog = daily(tmp_path, "2023-01-01", "2025-11-30")
    text = told(catalog, warehouse, "year", where=where)
    assert "not complete" not in text
    assert "so far" not in text


def test_a_quarter_that_is_not_over_is_said_to_be_open(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    where = AnyOf(of=(quarter(2024), quarter(2025)))
    text = told(daily(tmp_path, "2023-01-01", "2025-08-30"), warehouse, "year", where=where)
    assert "data up to 30 Aug 2025" in text


def test_what_a_period_comes_to_on_average_is_told_of_complete_ones(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    text = told(daily(tmp_path, "2023-01-01", "2025-11-30"), warehouse, "year")
    assert "That is 10,650 in all; complete years come to 3,655 on average." in text
    whole = told(daily(tmp_path, "2023-01-01", "2024-12-31"), warehouse, "year")
    assert "complete" not in whole
    one = told(daily(tmp_path, "2024-01-01", "2025-11-30"), warehouse, "year")
    assert "That is 7,000 in all. 2025 is not complete" in one


def test_part_of_a_year_beside_a_whole_one_is_no_trend(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    text = told(daily(tmp_path, "2024-01-01", "2025-11-30"), warehouse, "year")
    assert text.startswith("The total amount was 3,660 in 2024 and **3,340** in 2025 so far.")
    assert "%" not in text


def test_a_file_of_first_days_of_months_is_complete_to_its_last_month(
    tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    days = [date(year, month, 1) for year in (2024, 2025) for month in range(1, 13)]
    for grain in ("year", "quarter", "month"):
        assert "not complete" not in told(dated(tmp_path, days), warehouse, grain)


def test_stored_first_days_of_months_are_told_as_months(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    text = told(dated(tmp_path, [date(2025, month, 1) for month in range(1, 9) for _ in range(month)]), warehouse, None)
    assert text.startswith("The total amount rose from 10 in Jan 2025 to **80** in Aug 2025")


def test_days_that_only_begin_and_end_on_first_days_stay_days(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    days = [
        date(2025, 1, 1),
        *(date(2025, month, 15) for month in range(2, 6) for _ in range(month)),
        *[date(2025, 6, 1)] * 9,
    ]
    assert "on 1 Jan 2025" in told(dated(tmp_path, days), warehouse, None)


@pytest.mark.parametrize(
    ("grain", "when"),
    [
        ("day", ("on 1 Mar 2025", "on 20 Mar 2025")),
        ("week", ("in the week of 24 Feb 2025", "in the week of 10 Mar 2025", "The week of 17 Mar 2025 is not")),
    ],
)
def test_a_series_names_its_days_and_weeks_as_people_do(
    grain: Grain, when: tuple[str, ...], tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    days = [date(2025, 3, day) for day in range(1, 21) for _ in range(day)]
    text = told(dated(tmp_path, days), warehouse, grain)
    assert all(words in text for words in when), text


def test_the_change_of_a_running_month_is_said_to_be_uneven(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    change = Output(label="Change", expr=Window(fn="change", of=TOTAL, order="When"))
    text = told(daily(tmp_path, "2025-01-01", "2025-03-10"), warehouse, "month", change)
    assert "Its change sets part of a month against a whole one." in text


def months(*years: int) -> AnyOf:
    """October of each of these years."""
    ends = [(f"{year}-10-01", f"{year}-11-01") for year in years]
    spans = [[Constant(value=day, type="date") for day in pair] for pair in ends]
    return AnyOf(of=tuple(Between(of=DAY, low=low, high=high, half_open=True) for low, high in spans))


def test_two_periods_side_by_side_are_named_once(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    catalog = daily(tmp_path, "2024-01-01", "2025-11-30")
    text = told(catalog, warehouse, "month", where=months(2024, 2025))
    assert text.startswith("The total amount was **310** in both Oct 2024 and Oct 2025.")


def test_periods_that_the_rows_do_not_name_are_told_as_one(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    catalog = daily(tmp_path, "2024-01-01", "2025-11-30")
    text = told(catalog, warehouse, "day", where=months(2024, 2025))
    assert text.startswith("The total amount of sales in October 2024 or October 2025 was **10** on both")
