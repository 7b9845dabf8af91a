"""The first of what each one has is in the plan where the question says so."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Call,
    ColumnRef,
    Compare,
    Constant,
    InQuery,
    Join,
    JoinKey,
    Output,
    Period,
    Query,
)
from apps.analyst.reading.first_events import of_first_events
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Scalar

JOINED = ColumnRef(table="members", column="joined_on")
VISITED = ColumnRef(table="visits", column="visited_on")
MEMBER, OWNER = ColumnRef(table="visits", column="member_no"), ColumnRef(table="members", column="member_no")
IN_2025 = AllOf(
    of=(
        Compare(op=">=", left=VISITED, right=Constant(value="2025-01-01", type="date")),
        Compare(op="<", left=VISITED, right=Constant(value="2026-01-01", type="date")),
    )
)
DIFFERENT = Output(label="Number of members", expr=Aggregate(fn="count", of=MEMBER, distinct=True))
TO_OWNER = Join(table="members", on=(JoinKey(left=MEMBER, right=OWNER),))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """30 members who joined in 2024; member n comes three times: n + 1 days after joining, and twice every 200 days."""
    folder: Path = tmp_path_factory.mktemp("club")
    members, visits = ["member_no,joined_on,town"], ["visit_no,member_no,visited_on,fee"]
    for n in range(30):
        joined = date(2024, 1, 1) + timedelta(days=12 * n)
        members.append(f"M{n:02d},{joined},{('York', 'Hull')[n % 2]}")
        visits += [f"V{n:02d}{k},M{n:02d},{joined + timedelta(days=n + 1 + 200 * k)},{10 + k}" for k in range(3)]
    (folder / "members.csv").write_text("\n".join(members))
    (folder / "visits.csv").write_text("\n".join(visits))
    return catalog_from_files([folder / "members.csv", folder / "visits.csv"], folder / "tables")


def told(plan: Query, text: str, club: FixedCatalog) -> tuple[tuple[Scalar, ...], ...]:
    made = of_first_events(plan, link(Question(text, today=date(2026, 6, 30)), club))
    return compute(made, club, LocalWarehouse(threads=1)).result.rows


def until_visit(*groups: Output) -> Query:
    days = Aggregate(fn="avg", of=Call(name="days_between", args=(JOINED, VISITED)))
    return Query(source="visits", joins=(TO_OWNER,), groups=groups, measures=(Output(label="Days", expr=days),))


def test_the_time_until_the_first_visit_is_not_that_until_every_visit(club: FixedCatalog) -> None:
    assert told(until_visit(), "average days from joining to a visit", club) == ((215.5,),)
    assert told(until_visit(), "average days from joining to the first visit", club) == ((15.5,),)


def test_it_is_told_by_what_belongs_to_each_one_and_by_nothing_else(club: FixedCatalog) -> None:
    asked = "days until the first visit"
    town = Output(label="Town", expr=ColumnRef(table="members", column="town"))
    assert sorted(told(until_visit(town), f"{asked} by town", club)) == [("Hull", 16.0), ("York", 15.0)]
    fee = Output(label="Fee", expr=ColumnRef(table="visits", column="fee"))
    with pytest.raises(Unfit):
        told(until_visit(fee), f"{asked} by fee", club)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("how many members came in 2025", 30),
        ("how many members had their first visit in 2025", 1),
        ("new members in 2025", 1),
        ("members in the first half of 2025", 30),
    ],
)
def test_who_began_in_a_period_is_not_who_came_in_it(text: str, count: int, club: FixedCatalog) -> None:
    assert told(Query(source="visits", where=IN_2025, measures=(DIFFERENT,)), text, club) == ((count,),)


def test_new_ones_by_month_are_counted_once_each(club: FixedCatalog) -> None:
    month = Output(label="Month", expr=Period(grain="month", of=VISITED))
    plan = Query(source="visits", groups=(month,), measures=(DIFFERENT,))
    rows = told(plan, "new members per month", club)
    assert sum(int(str(row[1])) for row in rows) == 30
    assert sum(int(str(row[1])) for row in told(plan, "members per month", club)) == 90


def test_new_ones_are_no_rows_of_what_they_did(club: FixedCatalog) -> None:
    rows = Query(source="visits", where=IN_2025, measures=(Output(label="N", expr=Aggregate(fn="count")),))
    ((visits,),) = told(rows, "how many visits in 2025", club)
    assert int(str(visits)) > 30
    assert told(rows, "how many new members in 2025", club) == ((1,),)
    joined = Query(source="members", measures=(Output(label="N", expr=Aggregate(fn="count")),))
    assert told(joined, "how many new members", club) == ((30,),)


def test_new_ones_are_listed_and_not_all_who_came(club: FixedCatalog) -> None:
    who = Query(source="visits", where=IN_2025, columns=(Output(label="Member", expr=MEMBER),), distinct=True)
    assert len(told(who, "which members came in 2025", club)) == 30
    assert told(who, "which new members came in 2025", club) == (("M29",),)


def test_those_with_a_first_visit_in_a_period_are_found_among_members(club: FixedCatalog) -> None:
    came = Query(source="visits", where=IN_2025, columns=(Output(label="Member", expr=MEMBER),), distinct=True)
    who = Query(
        source="members", where=InQuery(of=OWNER, query=came), measures=(Output(label="N", expr=Aggregate(fn="count")),)
    )
    assert told(who, "how many members made a visit in 2025", club) == ((30,),)
    assert told(who, "how many members made a first visit in 2025", club) == ((1,),)
