"""A change told under a period: the first one told is held against the period before it, which is not told itself."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.approaches.sheet import recount
from apps.analyst.computing.compute import Computed, compute
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Arithmetic,
    Between,
    Compare,
    Constant,
    Expr,
    Grain,
    Missing,
    Order,
    Output,
    Part,
    Period,
    Predicate,
    Query,
    Window,
)
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Scalar
from tests.analyst.plans.asking import Asking
from tests.analyst.plans.short import col, is_, label, number, out, rows

ROWS = (
    [("2024-10-03", "post")] * 5
    + [("2024-11-05", "post")] * 4
    + [("2024-12-09", "post")] * 3
    + [("2024-12-20", "phone")] * 4
    + [("2025-01-02", "post")] * 5
    + [("2025-02-14", "post")] * 2
    + [("2025-02-15", "phone")] * 1
    + [("2025-03-31", "phone")] * 9
    + [("2025-04-01", "phone")] * 1
)
DAY = col("opened", "calls")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("calls")
    lines = [f"{n},{day},{way}\n" for n, (day, way) in enumerate(ROWS)]
    (folder / "calls.csv").write_text("call no,opened,way\n" + "".join(lines), encoding="utf-8")
    return catalog_from_files([folder / "calls.csv"], folder / "tables")


def day(text: str) -> Constant:
    return Constant(value=text, type="date")


def between(first: str, after: str) -> Between:
    return Between(of=DAY, low=day(first), high=day(after), half_open=True)


QUARTER = between("2025-01-01", "2025-04-01")


def change(order: str | None = "Month", of: Expr | None = None, **more: object) -> Output:
    return out("Change", Window(fn="change", of=of or rows(), order=order, **more))  # type: ignore[arg-type]


def monthly(where: Predicate | None, *figures: Output, grain: Grain = "month", **more: object) -> Query:
    return Query(
        source="calls",
        where=where,
        groups=(out("Month", Period(grain=grain, of=DAY)),),
        measures=figures or (change(),),
        **more,  # type: ignore[arg-type]
    )


def told(ask: Asking, plan: Query) -> list[tuple[Scalar, ...]]:
    """The rows, the same by SQL, over data frames and by hand."""
    computed: Computed = ask(plan)
    by_frames = execute(computed.plan, ask.catalog, load(ask.catalog))
    stored = [{"call no": n, "opened": date.fromisoformat(opened), "way": way} for n, (opened, way) in enumerate(ROWS)]
    by_hand, _ = recount(computed.plan, ask.catalog, {"calls": stored})
    assert list(by_frames.rows) == list(by_hand.rows) == list(computed.result.rows)
    return list(computed.result.rows)


def changes(ask: Asking, plan: Query) -> list[Scalar]:
    return [row[-1] for row in told(ask, plan)]


def test_the_first_month_of_a_period_is_held_against_the_month_before_it(ask: Asking) -> None:
    assert told(ask, monthly(QUARTER, out("n", rows()), change())) == [
        (date(2025, 1, 1), 5, -2),
        (date(2025, 2, 1), 3, -2),
        (date(2025, 3, 1), 9, 6),
    ]


def test_so_are_per_cent_and_the_figure_before(ask: Asking) -> None:
    figures = [out(fn, Window(fn=fn, of=rows(), order="Month")) for fn in ("previous", "change_pct")]  # type: ignore[arg-type]
    first = ask.table(monthly(QUARTER, *figures))[0]
    assert first[1] == 7
    assert first[2] == pytest.approx(-200 / 7)


@pytest.mark.parametrize(
    "where",
    [
        Compare(op=">=", left=DAY, right=day("2025-01-01")),
        AllOf(
            of=(Compare(op=">=", left=DAY, right=day("2025-01-01")), Compare(op="<", left=DAY, right=day("2026-01-01")))
        ),
        Compare(op="=", left=Part(part="year", of=DAY), right=number(2025)),
    ],
)
def test_a_period_may_be_open_or_a_year_by_its_number(ask: Asking, where: Predicate) -> None:
    assert changes(ask, monthly(where)) == [-2, -2, 6, -8]


def test_quarters_weeks_and_days_look_back_by_as_much(ask: Asking) -> None:
    assert changes(ask, monthly(between("2025-01-01", "2026-01-01"), grain="quarter")) == [1, -16]
    assert changes(ask, monthly(between("2024-12-16", "2024-12-23"), grain="week")) == [1]
    assert changes(ask, monthly(between("2025-02-15", "2025-03-01"), grain="day")) == [-1]


def test_years_told_as_numbers_are_periods_too(ask: Asking) -> None:
    plan = monthly(between("2025-01-01", "2026-01-01"))
    years = plan.model_copy(update={"groups": (out("Month", Part(part="year", of=DAY)),)})
    assert told(ask, years) == [(2025, 2)]


def test_a_change_against_three_months_earlier_reads_three_months(ask: Asking) -> None:
    assert changes(ask, monthly(QUARTER, change(span=3))) == [0, -1, 2]


def test_other_conditions_hold_before_the_period_as_well(ask: Asking) -> None:
    plan = monthly(AllOf(of=(is_("way", "post", "calls"), QUARTER)))
    assert changes(ask, plan) == [2, -3]


def test_each_group_is_held_against_its_own_month_before(ask: Asking) -> None:
    plan = monthly(QUARTER, change(partition=("Way",)))
    plan = plan.model_copy(update={"groups": (out("Way", col("way", "calls")), *plan.groups)})
    found = {(way, month): value for way, month, value in told(ask, plan)}
    assert found[("post", date(2025, 1, 1))] == 2
    assert found[("phone", date(2025, 2, 1))] == -3  # its last month before, as within a period


def test_where_the_data_have_nothing_before_the_first_stays_blank(ask: Asking) -> None:
    assert changes(ask, monthly(between("2024-10-01", "2025-01-01"))) == [None, -1, 3]
    phone = AllOf(of=(is_("way", "phone", "calls"), between("2024-12-01", "2025-01-01")))
    assert told(ask, monthly(phone)) == [(date(2024, 12, 1), None)]


def test_half_a_month_is_held_against_none(ask: Asking) -> None:
    assert changes(ask, monthly(between("2025-01-02", "2025-03-01"))) == [None, -2]


def test_the_biggest_drop_of_a_period_may_be_in_its_first_month(ask: Asking) -> None:
    first = {"order": (Order(by="Change"),), "limit": 1}
    assert told(ask, monthly(between("2024-11-01", "2025-01-01"), **first)) == [(date(2024, 11, 1), -1)]


def test_so_it_may_where_the_change_only_ranks_the_months(ask: Asking) -> None:
    ranked = {"order": (Order(by=change().expr),), "limit": 1}
    plan = monthly(between("2024-11-01", "2025-01-01"), out("n", rows()), **ranked)
    assert told_by_sql(ask, plan) == [(date(2024, 11, 1), 4)]


def test_months_held_to_their_change_are_those_of_the_period(ask: Asking) -> None:
    fell = Compare(op="<", left=label("Change"), right=number(0))
    assert [row[0] for row in told_by_sql(ask, monthly(QUARTER, having=fell))] == [date(2025, 1, 1), date(2025, 2, 1)]


def told_by_sql(ask: Asking, plan: Query) -> list[tuple[Scalar, ...]]:
    """The rows, the same by SQL and over data frames; what hangs on a change is not worked off by hand."""
    computed = ask(plan)
    assert list(execute(computed.plan, ask.catalog, load(ask.catalog)).rows) == list(computed.result.rows)
    return list(computed.result.rows)


def test_a_plan_that_leaves_out_what_has_nothing_before_it_keeps_its_own_periods(ask: Asking) -> None:
    known = Missing(of=label("Change"), negated=True)
    assert [row[1] for row in told_by_sql(ask, monthly(QUARTER, having=known))] == [-2, 6]


def test_totals_that_run_through_a_period_begin_with_it(ask: Asking) -> None:
    running = out("Running", Window(fn="running_total", of=rows(), order="Month"))
    assert changes(ask, monthly(QUARTER, change(), running)) == [5, 8, 17]


def test_the_inner_query_of_a_ranking_looks_back_too(ask: Asking) -> None:
    inner = monthly(QUARTER)
    outer = Query(source=inner, columns=(out("Change", label("Change")),), order=(Order(by="Change"),), limit=2)
    assert [row[0] for row in told_by_sql(ask, outer)] == [-2, -2]


def test_a_list_of_the_groups_of_an_inner_query_looks_back_too(ask: Asking) -> None:
    inner = monthly(QUARTER, out("n", rows()))
    before = Window(fn="previous", of=label("n"), order="m")
    more = Arithmetic(op="-", left=label("n"), right=before)
    outer = Query(source=inner, columns=(out("m", label("Month")), out("more", more)))
    assert [row[1] for row in told_by_sql(ask, outer)] == [-2, -2, 6]
    assert ask(outer).row_count == 17
    cut = inner.model_copy(update={"order": (Order(by="Month"),), "limit": 2})
    assert {row[1] for row in ask.table(outer.model_copy(update={"source": cut}))} == {None, -2}


def test_the_answer_says_what_it_told_before(ask: Asking) -> None:
    computed = ask(monthly(QUARTER))
    assert computed.row_count == 17
    assert plan_sentence(computed.plan) == plan_sentence(monthly(QUARTER))
    assert "Rows of Dec 2024 are read, too: the figures told are held against them." in computed.notes
    assert not ask(monthly(between("2024-10-01", "2025-01-01"))).notes


def test_stored_first_days_of_months_are_months(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    lines = [f"{2024 + n // 12}-{n % 12 + 1:02}-01,{n * n}\n" for n in range(18)]
    (tmp_path / "plan.csv").write_text("month,units\n" + "".join(lines), encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "plan.csv"], tmp_path / "tables")
    units, month = col("units", "plan"), col("month", "plan")
    plan = Query(
        source="plan",
        where=Between(of=month, low=day("2025-01-01"), high=day("2025-03-01"), half_open=True),
        groups=(out("Month", month),),
        measures=(change(of=Aggregate(fn="sum", of=units)),),
    )
    assert [row[1] for row in compute(plan, catalog, warehouse).result.rows] == [23, 25]
