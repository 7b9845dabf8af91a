"""What is said of days that the data do not hold, and of days to come that they do."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.beyond import beyond_data
from apps.analyst.language.readers.statistics_series import wants_series
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Between, ColumnRef, Constant, Output, Query
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Question

TODAY = date(2026, 1, 12)


def test_days_ahead_are_told_by_the_date_that_is_asked_about(tmp_path: Path) -> None:
    rows = [f"O{n:02},{('Offer', 'Demo')[n % 2]},2026-0{n % 6 + 1}-05,2026-1{n % 3}-0{n % 9 + 1}" for n in range(60)]
    (tmp_path / "cases.csv").write_text("\n".join(["Case,Stage,Created,Expected close", *rows]))
    catalog = catalog_from_files([tmp_path / "cases.csv"], tmp_path / "tables")
    for text in ("which cases have an expected close next month?", "cases with expected close next month"):
        made = answer(Question(text, date(2026, 12, 15)), catalog=catalog, warehouse=LocalWarehouse())
        reach = "they run from 1 Oct 2026 to 9 Dec 2026 (expected close)"
        assert made.text.startswith(f"There are no cases in January 2027: {reach}."), made.text


def test_of_several_periods_that_of_the_plan_is_looked_at(tmp_path: Path) -> None:
    rows = [f"{date(2024, 1, 1) + timedelta(days=n * 4)},{5 + n}" for n in range(180)]
    (tmp_path / "sales.csv").write_text("\n".join(["day,revenue", *rows]))
    catalog = catalog_from_files([tmp_path / "sales.csv"], tmp_path / "tables")
    first, after = (Constant(value=day, type="date") for day in ("1987-01-01", "1988-01-01"))
    days = Between(of=ColumnRef(table="sales", column="day"), low=first, high=after, half_open=True)
    figure = Output(label="Revenue", expr=Aggregate(fn="sum", of=ColumnRef(table="sales", column="revenue")))
    linked = link(Question("revenue of 2025 and of 1987", TODAY), catalog)
    told = beyond_data(linked, Query(source="sales", where=days, measures=(figure,)), catalog)
    assert told.startswith("There are no sales in 1987:")


def test_what_has_happened_is_not_told_of_days_to_come(tmp_path: Path) -> None:
    rows = [f"D{n},{('Won', 'Lost', 'Open')[n % 3]},{100 + n},2026-0{n % 9 + 1}-05" for n in range(90)]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal,Stage,Amount,Close date", *rows]))
    catalog = catalog_from_files([tmp_path / "deals.csv"], tmp_path / "tables")
    for text, forecast in (("what will sales be in May?", True), ("what will close in May?", False)):
        made = answer(Question(text, date(2026, 3, 31)), catalog=catalog, warehouse=LocalWarehouse())
        assert made.text.startswith("I do not make forecasts") == forecast, made.text


def test_what_is_expected_to_close_is_stored() -> None:
    assert wants_series("number of cases expected next month")
    assert not wants_series("number of cases expected to close next month")
