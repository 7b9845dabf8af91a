"""What closes on days that lie ahead is still open."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    Between,
    ColumnRef,
    Compare,
    Constant,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.reading.ahead import with_open_ahead
from apps.analyst.reading.candidates import proposed
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2026, 3, 20)
STAGES = ["Talking", "Quoted", "Signed", "Lost"]
STAGE = ColumnRef(table="bids", column="Stage")
SIGNED = Compare(op="=", left=STAGE, right=Constant(value="Signed"))
OPEN = Among(of=STAGE, values=(Constant(value="Signed"), Constant(value="Lost")), negated=True)


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("bids")
    rows = [f"B{n:03},{STAGES[n % 4]},{100 + n},2026-0{n % 6 + 1}-1{n % 9}" for n in range(120)]
    (folder / "bids.csv").write_text("\n".join(["Bid,Stage,Amount,Close Date", *rows]))
    return catalog_from_files([folder / "bids.csv"], folder / "tables")


def month(first: str, after: str) -> Between:
    low, high = (Constant(value=day, type="date") for day in (first, after))
    return Between(of=ColumnRef(table="bids", column="Close Date"), low=low, high=high, half_open=True)


APRIL, MARCH = month("2026-04-01", "2026-05-01"), month("2026-03-01", "2026-04-01")


def read(tests: tuple[Predicate, ...], text: str, bids: FixedCatalog) -> tuple[Predicate, ...]:
    figure = Output(label="Number", expr=Aggregate(fn="count"))
    plan = Query(source="bids", where=AllOf(of=tests), measures=(figure,))
    made = with_open_ahead(plan, text.split(), TODAY, bids)
    assert isinstance(made, Query)
    assert isinstance(made.where, AllOf)
    return made.where.of


def test_what_closes_next_month_is_open(bids: FixedCatalog) -> None:
    assert read((SIGNED, APRIL), "bids closing next month", bids) == (OPEN, APRIL)


@pytest.mark.parametrize(
    ("tests", "text"),
    [
        ((SIGNED, MARCH), "bids closing this month"),
        ((SIGNED, APRIL), "bids signed next month"),
        ((OPEN, APRIL), "open bids of next month"),
        ((Compare(op="=", left=STAGE, right=Constant(value="Quoted")), APRIL), "quoted bids of next month"),
    ],
    ids=["some of its days are over", "the question says so", "open ones", "no end"],
)
def test_all_else_stays(tests: tuple[Predicate, ...], text: str, bids: FixedCatalog) -> None:
    assert read(tests, text, bids) == tests


def test_no_reading_of_what_closes_next_month_is_over_what_has_ended(tmp_path: Path) -> None:
    ends = ("Won", "Lost", "Open")
    rows = [f"D{n:03},{ends[n // 3 % 3]},{100 + n},2026-0{n % 6 + 1}-1{n % 9}" for n in range(180)]
    (tmp_path / "deals.csv").write_text("\n".join(["Deal,Deal Status,Amount,Close Date", *rows]))
    deals = catalog_from_files([tmp_path / "deals.csv"], tmp_path / "tables")
    found = proposed(Question("how much closes next month", TODAY), deals).candidates
    said = [plan_sentence(one.plan) for one in found]
    assert any("status is not Won or Lost" in one for one in said), said
    assert not any("status is Won" in one for one in said), said
