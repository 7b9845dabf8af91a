"""Two executors, one meaning: generated plans give the same result by SQL and over data frames."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from apps.analyst.approaches.sheet import recount
from apps.analyst.computing.compute import compute
from apps.analyst.computing.executor import Frames, execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Call, Drivers, Join, JoinKey, KeyPart, Plan, Query
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Result
from tests.analyst.plans.generated import explained, plans
from tests.analyst.plans.sales import wide_catalog
from tests.analyst.plans.short import col, out, total

EXAMPLES = int(os.environ.get("PLAN_EXAMPLES", "300"))


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    return wide_catalog(tmp_path_factory.mktemp("wide"))


@pytest.fixture(scope="session")
def frames(catalog: FixedCatalog) -> Frames:
    return load(catalog)


def same(one: object, other: object) -> bool:
    if isinstance(one, int | float | Decimal) and isinstance(other, int | float | Decimal):
        return math.isclose(float(one), float(other), rel_tol=1e-7, abs_tol=1e-6)
    if isinstance(one, date) and isinstance(other, date) and not isinstance(one, datetime):
        return one.isoformat()[:10] == other.isoformat()[:10]
    return one == other


def assert_same(by_sql: Result, by_frames: Result) -> None:
    """The same columns, and the same rows in the same order.

    Rows may change places only where their floating-point figures do not tell them apart: the two ways add up in
    another order, and what is a tie to the one differs in the last bit for the other.
    """
    assert [column.name for column in by_sql.columns] == [column.name for column in by_frames.columns]
    assert len(by_sql.rows) == len(by_frames.rows)
    if all(same_row(one, other) for one, other in zip(by_sql.rows, by_frames.rows, strict=True)):
        return
    floats = [i for i in range(len(by_sql.columns)) if any(isinstance(row[i], float) for row in by_sql.rows)]
    assert floats, (by_sql.rows, by_frames.rows)
    left = list(by_frames.rows)
    for one, in_its_place in zip(by_sql.rows, by_frames.rows, strict=True):
        assert all(same(one[i], in_its_place[i]) for i in floats), (one, in_its_place)
        other = next((row for row in left if same_row(one, row)), None)
        assert other is not None, (one, left)
        left.remove(other)


def same_row(one: Sequence[object], other: Sequence[object]) -> bool:
    return all(map(same, one, other))


def test_what_a_row_lacks_and_what_it_does_not_meet_is_one_group(
    catalog: FixedCatalog, warehouse: LocalWarehouse, frames: Frames
) -> None:
    behind_the_mark = KeyPart(side="left", start=2)
    key = JoinKey(left=col("part_key", "lines"), right=col("part_code", "parts"), part=behind_the_mark)
    plan = Query(
        source="lines",
        joins=(Join(table="parts", on=(key,), how="left"),),
        groups=(out("kind", col("part_kind", "parts")),),
        measures=(out("units", total("units", "lines")),),
    )
    computed = compute(plan, catalog, warehouse)
    assert [row[0] for row in computed.result.rows].count(None) == 1
    assert_same(computed.result, execute(computed.plan, catalog, frames))


def test_lengths_of_time_are_read_alike_by_sql_over_frames_and_by_hand(
    tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    lengths = {"4:32": 272, "1:02:15": 3735, "59.8": 59.8, "2:03.5": 123.5, "12,5": 12.5, "DNF": None, "3:05 (R)": 185}
    (tmp_path / "runs.csv").write_text("time\n" + "".join(f'"{said}"\n' for said in lengths), encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "runs.csv"], tmp_path / "tables")
    said = col("time", "runs")
    plan = Query(source="runs", columns=(out("time", said), out("seconds", Call(name="seconds", args=(said,)))))
    computed = compute(plan, catalog, warehouse)
    assert dict(computed.result.rows) == lengths
    assert_same(computed.result, execute(plan, catalog, load(catalog)))
    by_hand, _ = recount(plan, catalog, {"runs": [{"time": time} for time in lengths]})
    assert_same(computed.result, by_hand)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plan=plans(wide=True))
def test_a_generated_plan_gives_the_same_result_by_sql_and_over_frames(
    plan: Plan, catalog: FixedCatalog, warehouse: LocalWarehouse, frames: Frames
) -> None:
    validate(plan, catalog)
    computed = compute(plan, catalog, warehouse)
    assert_same(computed.result, execute(computed.plan, catalog, frames))


@settings(max_examples=EXAMPLES // 5, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plan=explained())
def test_the_reasons_of_a_change_are_the_same_by_sql_and_over_frames_and_add_up(
    plan: Drivers, catalog: FixedCatalog, warehouse: LocalWarehouse, frames: Frames
) -> None:
    validate(plan, catalog)
    try:
        computed = compute(plan, catalog, warehouse)
    except PlanRejected:
        with pytest.raises(PlanRejected):
            execute(plan, catalog, frames)
        return
    assert_same(computed.result, execute(plan, catalog, frames))
    assert computed.drivers is not None
    for split in computed.drivers.splits:
        parts = [group.part for group in split.groups]
        assert math.isclose(sum(parts), computed.drivers.change, rel_tol=1e-9, abs_tol=1e-6)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(plan=plans(wide=True))
def test_a_plan_gives_the_same_result_every_time(plan: Plan, catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    assert compute(plan, catalog, warehouse).result == compute(plan, catalog, warehouse).result
