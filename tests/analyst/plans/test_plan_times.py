"""Times of day: what lies between two moments, alike by SQL, over frames and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from apps.analyst.approaches.sheet import recount
from apps.analyst.computing.compute import compute
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Aggregate, Arithmetic, Call, Compare, Constant, Expr, Part, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.formats import cell
from apps.analyst.types import Scalar
from tests.analyst.plans.short import col, label, number, out, rows, text

VISITS = """visit,day,arrived,left
1,2024-05-01,2024-05-01 09:59:30,2024-05-01 10:00:10
2,2024-05-01,2024-05-01 09:00:00,2024-05-01 09:59:59
3,2024-05-01,2024-05-01 23:30:00,2024-05-03 00:15:00
4,2024-05-02,2024-05-02 12:10:00,2024-05-02 10:55:00
5,2024-05-02,2024-05-02 08:00:00,
6,1969-12-31,1969-12-31 22:59:00,1970-01-01 01:01:30
"""
MINUTES = {1: 1, 2: 59, 3: 1485, 4: -75, 5: None, 6: 122}
HOURS = {1: 1, 2: 0, 3: 25, 4: -2, 5: None, 6: 3}


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("visits")
    (folder / "visits.csv").write_text(VISITS, encoding="utf-8")
    return catalog_from_files([folder / "visits.csv"], folder / "tables")


def of(column: str) -> Expr:
    return col(column, "visits")


def between(unit: str, start: Expr, end: Expr) -> Call:
    return Call(name=f"{unit}_between", args=(start, end))  # type: ignore[arg-type]


def listed(expr: Expr) -> Query:
    return Query(source="visits", columns=(out("visit", of("visit")), out("found", expr)))


def three_ways(plan: Query, catalog: FixedCatalog, warehouse: LocalWarehouse) -> list[tuple[Scalar, ...]]:
    """The rows by SQL, once the frames and the hand have come to the same."""
    validate(plan, catalog)
    frames = load(catalog)
    rows = list(compute(plan, catalog, warehouse).result.rows)
    assert list(execute(plan, catalog, frames).rows) == rows
    plain = {
        name: [
            {key: None if value is None or value != value else value for key, value in row.items()}
            for row in frame.astype("object").to_dict("records")
        ]
        for name, frame in frames.items()
    }
    assert [tuple(row) for row in recount(plan, catalog, plain)[0].rows] == rows
    return rows


@pytest.mark.parametrize(("unit", "expected"), [("minutes", MINUTES), ("hours", HOURS)])
def test_minutes_and_hours_between_moments_count_their_ends_as_days_do(
    unit: str, expected: dict[int, int | None], visits: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    plan = listed(between(unit, of("arrived"), of("left")))
    assert dict(three_ways(plan, visits, warehouse)) == expected
    column = compute(plan, visits, warehouse).result.columns[1]
    assert (column.type, column.unit, column.kind) == ("integer", unit, "measure")


def test_a_stated_moment_may_be_either_end(visits: FixedCatalog, warehouse: LocalWarehouse) -> None:
    noon = Constant(value="2024-05-02T12:00:00", type="datetime")
    since = dict(three_ways(listed(between("hours", of("arrived"), noon)), visits, warehouse))
    assert (since[3], since[4], since[5]) == (13, 0, 4)


@pytest.mark.parametrize(
    ("unit", "op", "by", "changed"),
    [
        ("minutes", "/", 60, "hours"), ("minutes", "/", 1440, "days"), ("hours", "/", 24, "days"),
        ("days", "/", 7, "weeks"), ("hours", "*", 60, "minutes"), ("days", "*", 24, "hours"),
        ("minutes", "/", 2, "minutes"), ("hours", "*", 1, "hours"), ("days", "/", 0, "days"),
    ],
)  # fmt: skip
def test_a_length_of_time_that_is_scaled_to_another_unit_is_called_by_that(
    unit: str, op: Literal["*", "/"], by: int, changed: str, visits: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    figure = Aggregate(fn="avg", of=between(unit, of("arrived"), of("left")))
    sides = [(figure, number(by)), *([(number(by), figure)] if op == "*" else [])]
    for left, right in sides:
        scaled = Arithmetic(op=op, left=left, right=right)
        plan = Query(source="visits", measures=(out("Stay", scaled),))
        assert compute(plan, visits, warehouse).result.columns[0].unit == changed
        assert execute(plan, visits, load(visits)).columns[0].unit == changed


def test_hours_are_averaged_and_compared_like_any_figure(visits: FixedCatalog, warehouse: LocalWarehouse) -> None:
    stayed = between("hours", of("arrived"), of("left"))
    long = Compare(op=">", left=between("minutes", of("arrived"), of("left")), right=number(0))
    plan = Query(source="visits", measures=(out("Hours", Aggregate(fn="avg", of=stayed)),), where=long)
    assert three_ways(plan, visits, warehouse) == [((1 + 0 + 25 + 3) / 4,)]
    assert compute(plan, visits, warehouse).result.columns[0].unit == "hours"
    assert plan_sentence(plan) == (
        "Average hours from arrived to left in visits, where minutes from arrived to left are over 0."
    )


@pytest.mark.parametrize("unit", ["minutes", "hours"])
def test_dates_without_a_time_of_day_have_no_hours_between_them(unit: str, visits: FixedCatalog) -> None:
    with pytest.raises(PlanRejected, match="have none; use days_between"):
        validate(listed(between(unit, of("day"), of("left"))), visits)
    with pytest.raises(PlanRejected, match="works on dates, not on integer"):
        validate(listed(between(unit, of("visit"), of("left"))), visits)


SHIFTS = """shift,starts,ends,said,ran
1,9:30,17:00:00,2:05 PM,1:02:15
2,14:05, 18:30:15,12:15 am,59.8
3,,00:00:00,9:00 a.m.,4:32
4,08:00,7:59:59.5,12:00 PM,DNF
5,23:59,,11:59pm,2:10
"""


@pytest.fixture(scope="module")
def shifts(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("shifts")
    (folder / "shifts.csv").write_text(SHIFTS, encoding="utf-8")
    return catalog_from_files([folder / "shifts.csv"], folder / "tables")


def of_shifts(expr: Expr) -> Query:
    return Query(source="shifts", columns=(out("shift", col("shift", "shifts")), out("found", expr)))


def hour(column: str) -> Part:
    return Part(part="hour", of=col(column, "shifts"))


@pytest.mark.parametrize(
    ("column", "expected"),
    [("starts", [9, 14, None, 8, 23]), ("ends", [17, 18, 0, 7, None]), ("said", [14, 0, 9, 12, 23])],
)
def test_a_column_of_times_of_day_has_hours_though_it_is_text(
    column: str, expected: list[int | None], shifts: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    assert [row[1] for row in three_ways(of_shifts(hour(column)), shifts, warehouse)] == expected


@pytest.mark.parametrize(
    ("unit", "expected"), [("minutes", [450, 265, None, -1, None]), ("hours", [8, 4, None, -1, None])]
)
def test_times_of_day_lie_apart_within_one_day(
    unit: str, expected: list[int | None], shifts: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    plan = of_shifts(between(unit, col("starts", "shifts"), col("ends", "shifts")))
    assert [row[1] for row in three_ways(plan, shifts, warehouse)] == expected


def test_a_stated_time_of_day_may_be_an_end(shifts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    plan = of_shifts(between("minutes", text("9:00 AM"), col("starts", "shifts")))
    assert [row[1] for row in three_ways(plan, shifts, warehouse)] == [30, 305, None, -60, 899]


def test_rows_are_counted_by_the_hour_of_a_text_and_the_hour_is_written_as_one(
    shifts: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    late = Compare(op=">=", left=hour("said"), right=number(12))
    plan = Query(source="shifts", groups=(out("Hour", hour("said")),), measures=(out("n", rows()),), where=late)
    assert three_ways(plan, shifts, warehouse) == [(12, 1), (14, 1), (23, 1)]
    column = compute(plan, shifts, warehouse).result.columns[0]
    assert cell(14, column) == "14:00"
    assert plan_sentence(plan) == "Number of shifts by hour of said in shifts, where hour of said is at least 12."


def test_times_of_day_stay_such_in_a_nested_query(shifts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    inner = Query(source="shifts", columns=(out("opening", col("starts", "shifts")),))
    plan = Query(source=inner, measures=(out("n", rows()),), where=Compare(
        op="<", left=Part(part="hour", of=label("opening")), right=number(10)
    ))  # fmt: skip
    assert three_ways(plan, shifts, warehouse) == [(2,)]


def test_a_text_that_is_not_always_a_time_of_day_has_no_hour(shifts: FixedCatalog) -> None:
    with pytest.raises(PlanRejected, match="Only moments and times of day have an hour, not text"):
        validate(of_shifts(hour("ran")), shifts)
    with pytest.raises(PlanRejected, match="works on dates, not on text"):
        validate(of_shifts(between("hours", col("ran", "shifts"), col("starts", "shifts"))), shifts)
    with pytest.raises(PlanRejected, match="Only dates have a weekday"):
        validate(of_shifts(Part(part="weekday", of=col("starts", "shifts"))), shifts)


def test_a_stray_among_many_times_of_day_has_no_hour_and_breaks_nothing(
    tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    times = [f"{hour:02d}:{minute:02d}" for hour in range(24) for minute in range(60)]
    seconds = [f"{time}:{second}" for time in times for second in (17, 41)]
    said = [*(time for time in seconds for _ in range(2)), "noon"]
    (tmp_path / "calls.csv").write_text("call,at\n" + "".join(f"{i},{t}\n" for i, t in enumerate(said)))
    catalog = catalog_from_files([tmp_path / "calls.csv"], tmp_path / "tables")
    at = Part(part="hour", of=col("at", "calls"))
    plan = Query(source="calls", groups=(out("Hour", at),), measures=(out("n", rows()),))
    assert three_ways(plan, catalog, warehouse) == [*((hour, 240) for hour in range(24)), (None, 1)]
