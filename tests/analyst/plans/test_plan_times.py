"""Times of day: what lies between two moments, alike by SQL, over frames and by hand."""

from __future__ import annotations

import pytest

from apps.analyst.approaches.sheet import recount
from apps.analyst.catalog import FixedCatalog, catalog_from_files
from apps.analyst.compute import compute
from apps.analyst.errors import PlanRejected
from apps.analyst.executor import execute, load
from apps.analyst.plan import Aggregate, Call, Compare, Constant, Expr, Query
from apps.analyst.sentence import plan_sentence
from apps.analyst.types import Scalar
from apps.analyst.validate import validate
from apps.analyst.warehouse.duckdb_local import LocalWarehouse
from tests.analyst.plans.short import col, number, out

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


def test_hours_are_averaged_and_compared_like_any_figure(visits: FixedCatalog, warehouse: LocalWarehouse) -> None:
    stayed = between("hours", of("arrived"), of("left"))
    long = Compare(op=">", left=between("minutes", of("arrived"), of("left")), right=number(0))
    plan = Query(source="visits", measures=(out("Hours", Aggregate(fn="avg", of=stayed)),), where=long)
    assert three_ways(plan, visits, warehouse) == [((1 + 0 + 25 + 3) / 4,)]
    assert compute(plan, visits, warehouse).result.columns[0].unit == "hours"
    assert plan_sentence(plan) == (
        "Average hours from arrived to left in visits, where minutes from arrived to left is over 0."
    )


@pytest.mark.parametrize("unit", ["minutes", "hours"])
def test_dates_without_a_time_of_day_have_no_hours_between_them(unit: str, visits: FixedCatalog) -> None:
    with pytest.raises(PlanRejected, match="have none; use days_between"):
        validate(listed(between(unit, of("day"), of("left"))), visits)
    with pytest.raises(PlanRejected, match="works on dates, not on integer"):
        validate(listed(between(unit, of("visit"), of("left"))), visits)
