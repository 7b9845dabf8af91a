"""Two readings that come to one result by chance: the one that heeds more of the question is told."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Between, ColumnRef, Constant, Output, Query
from apps.analyst.reading.features import Computed as Weighable
from apps.analyst.reading.linking import link
from apps.analyst.reading.reader import Read, Weighed, is_rather_told
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2026, 2, 16)
LAST_WEEK = date(2026, 2, 9)


@pytest.fixture(scope="module")
def rentals(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Rentals of boats, last week seven by seven renters; they are paid for on the day."""
    folder: Path = tmp_path_factory.mktemp("rentals")
    days = [LAST_WEEK - timedelta(days=n) for n in range(1, 60)] + [LAST_WEEK + timedelta(days=n) for n in range(7)]
    rows = [f"R{n:03},Renter {n % 11},{day},{day},{40 + n % 7}" for n, day in enumerate(days)]
    (folder / "rentals.csv").write_text("\n".join(["Rental no,Renter,Rented on,Paid on,Fee", *rows]))
    return catalog_from_files([folder / "rentals.csv"], folder / "tables")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("how many different renters last week", "renters"),
        ("how many rentals last week", "rentals, where rented on"),
    ],
)
def test_what_heeds_more_of_the_question_is_told(rentals: FixedCatalog, text: str, said: str) -> None:
    made = answer(Question(text, TODAY), catalog=rentals, warehouse=LocalWarehouse())
    assert made.result is not None, made.text
    assert [tuple(map(int, row)) for row in made.result.rows] == [(7,)]
    assert said in made.evidence.plan_sentence.casefold()


def week(figure: Aggregate, date: str) -> Query:
    first, after = (Constant(value=str(day), type="date") for day in (LAST_WEEK, LAST_WEEK + timedelta(days=7)))
    days = Between(of=ColumnRef(table="rentals", column=date), low=first, high=after, half_open=True)
    return Query(source="rentals", where=days, measures=(Output(label="Number", expr=figure),))


ROWS = Aggregate(fn="count")
FEES = Aggregate(fn="count", of=ColumnRef(table="rentals", column="Fee"), distinct=True)


@pytest.mark.parametrize(
    ("text", "plan", "before", "rules", "rather"),
    [
        ("number of different fees last week", week(FEES, "Rented on"), week(ROWS, "Rented on"), None, True),
        ("number of different fees last week", week(ROWS, "Rented on"), week(FEES, "Rented on"), 0.9, False),
        ("how many rentals last week", week(ROWS, "Rented on"), week(ROWS, "Rented on"), 0.9, True),
        ("how many rentals last week", week(ROWS, "Paid on"), week(ROWS, "Rented on"), 0.9, False),
    ],
    ids=["heeds more", "heeds less", "the rules say it as people do", "by another date, and less likely"],
)
def test_of_two_readings_with_one_result(
    text: str, plan: Query, before: Query, rules: float | None, rather: bool, rentals: FixedCatalog
) -> None:
    computed = compute(plan, rentals, LocalWarehouse())
    seen = Weighable(plan, computed.result, network=None if rules else -1.0, rules=rules)
    later = Read(seen, Reading(plan=plan, score=0.3), computed)
    earlier = Weighed(Reading(plan=before, score=0.6), compute(before, rentals, LocalWarehouse()))
    linked = link(Question(text, TODAY), rentals)
    assert is_rather_told(later, 0.3, earlier, linked, rentals) == rather
