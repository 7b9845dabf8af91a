"""Totals of money say what stands together in them: currencies, and documents that never came about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Order, Output, Predicate, Query
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.telling.evidence import evidence_of
from apps.analyst.telling.narrate import View, story

HIRES = """Hire No,Hired On,Marina,Amount,Amount (EUR),Deposit Currency,Currency,Deposit,Status,Weeks
H1,2025-01-03,Kiel,100,120,EUR,GBP,10,Paid,1
H2,2025-01-04,Kiel,200,240,EUR,GBP,10,Paid,2
H3,2025-02-05,Cork,300,300,EUR,EUR,30,Voided,3
H4,2025-02-06,Cork,400,400,GBP,EUR,40,Paid,4
H5,2025-03-07,Cork,500,450,GBP,USD,50,Draft,5
H6,2025-03-08,Cork,600,700,GBP,GBP,60,Voided,6
H7,2025-03-09,Kiel,700,800,EUR,GBP,70,Paid,6
"""
Told = Callable[..., str]


def col(name: str) -> ColumnRef:
    return ColumnRef(table="boat hires", column=name)


def holds(name: str, value: str) -> Predicate:
    return Compare(op="=", left=col(name), right=Constant(value=value))


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """The shortest text of a figure of a column, which its evidence says too."""
    path = tmp_path / "boat hires.csv"
    path.write_text(HIRES, encoding="utf-8")
    catalog = catalog_from_files([path], tmp_path)

    def ask(name: str, fn: str = "sum", by: str = "", where: Predicate | None = None) -> str:
        groups = (Output(label=by, expr=col(by)),) if by else ()
        measure = Output(label="Figure", expr=Aggregate.model_validate({"fn": fn, "of": col(name)}))
        order = (Order(by="Figure", descending=True),) if by else ()
        plan = Query(source="boat hires", groups=groups, measures=(measure,), where=where, order=order)
        computed = compute(plan, catalog, LocalWarehouse())
        assert set(computed.mixed) <= set(evidence_of(computed, catalog).notes)
        return story(View(computed, catalog), "Concise")

    return ask


def test_a_total_of_several_currencies_tells_what_is_in_each(told: Told) -> None:
    assert "Adds up amounts in GBP, EUR and USD as they are (£1,600, €700, $500)." in told("Amount")
    assert "Adds up amounts in EUR and GBP as they are (" in told("Deposit")


def test_groups_and_averages_say_which_currencies_are_mixed(told: Told) -> None:
    assert "Adds up amounts in GBP, EUR and USD as they are." in told("Amount", by="Marina")
    assert "Averages amounts in GBP, EUR and USD as they are." in told("Amount", fn="avg")


def test_nothing_is_mixed_where_one_currency_is_left_or_each_stands_by_itself(told: Told) -> None:
    assert "as they are" not in told("Amount", where=holds("Marina", "Kiel"))
    assert "as they are" not in told("Amount", where=holds("Currency", "EUR"))
    assert "as they are" not in told("Amount", by="Currency")
    assert "as they are" not in told("Amount (EUR)")
    assert "as they are" not in told("Weeks")
    assert "as they are" not in told("Amount", fn="count")


def test_what_is_void_or_a_draft_is_said_to_be_in_a_total(told: Told) -> None:
    assert "Includes 3 boat hires with status Voided or Draft." in told("Amount")
    assert "Includes 1 boat hire with status Voided." in told("Amount", where=holds("Currency", "EUR"))
    assert "Includes" not in told("Amount", where=holds("Marina", "Kiel"))
    assert "Includes" not in told("Amount", where=holds("Status", "Voided"))
    assert "Includes" not in told("Amount", by="Status")
    assert "Includes" not in told("Weeks")
    assert "Includes" not in told("Amount", fn="avg")


@pytest.mark.parametrize(("column", "things"), [("Gross", "4 bills"), ("Net", "8 bill lines")])
def test_rows_are_called_what_enters_the_figure(column: str, things: str, tmp_path: Path) -> None:
    rows = []
    for bill in range(40):
        status = "Voided" if bill % 10 == 3 else "Paid"
        head = f"Hirer {bill % 5},B{bill:03d},2025-01-{bill % 27 + 1:02d},{5 * bill + 40},{status},Oar"
        rows += [f"{head},{4 * bill + 20}", f"{head},{bill + 20}"]
    path = tmp_path / "bills.csv"
    path.write_text("\n".join(["Hirer,Bill No,Billed On,Gross,Status,Article,Net", *rows]), encoding="utf-8")
    catalog = catalog_from_files([path], tmp_path)
    figure = Aggregate(fn="sum", of=ColumnRef(table="bills", column=column))
    plan = Query(source="bills", measures=(Output(label="Figure", expr=figure),))
    told = story(View(compute(plan, catalog, LocalWarehouse()), catalog), "Concise")
    assert f"Includes {things} with status Voided." in told
