"""The rows that a figure stands on are those that enter it."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.pieces import pieces
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    Arithmetic,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Expr,
    Output,
    Predicate,
    Query,
)
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.narrate import View, story

ROWS = """region,state,price
West,won,10
West,won,
West,lost,30
West,open,40
East,won,50
East,lost,60
"""


@pytest.fixture
def catalog(tmp_path: Path) -> FixedCatalog:
    path = tmp_path / "deals.csv"
    path.write_text(ROWS, encoding="utf-8")
    return catalog_from_files([path], tmp_path)


def col(name: str) -> ColumnRef:
    return ColumnRef(table="deals", column=name)


def holds(name: str, value: str) -> Compare:
    return Compare(op="=", left=col(name), right=Constant(value=value))


def figure(expr: Expr, where: Predicate | None = None) -> Query:
    return Query(source="deals", where=where, measures=(Output(label="Figure", expr=expr),))


WON, LOST = (Aggregate(fn="count", where=holds("state", state)) for state in ("won", "lost"))
RATE = Arithmetic(op="/", left=WON, right=Arithmetic(op="+", left=WON, right=LOST))
EVERY = Aggregate(fn="count")
ENDED = Among(of=col("state"), values=(Constant(value="Won"), Constant(value="Lost")))
OF_ENDED = Arithmetic(op="/", left=WON, right=Aggregate(fn="count", where=ENDED))
AVERAGE = Aggregate(fn="avg", of=col("price"))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (figure(AVERAGE), "Based on 5 of 6 deals: price is missing in the other."),
        (figure(AVERAGE, holds("region", "West")), "Based on 3 of 4 deals: price is missing in the other."),
        (figure(AVERAGE, holds("region", "East")), "Based on 2 deals."),
        (figure(RATE), "Based on 5 of 6 deals: the other is open."),
        (figure(OF_ENDED), "Based on 5 of 6 deals: the other is open."),
        (figure(OF_ENDED, ENDED), "Based on 5 of 6 deals: the other is open."),
        (figure(RATE, AllOf(of=(ENDED, holds("region", "West")))), "Based on 3 of 4 deals: the other is open."),
        (figure(Arithmetic(op="/", left=WON, right=EVERY), ENDED), "Based on 5 of 6 deals: the other is open."),
        (figure(Arithmetic(op="/", left=WON, right=EVERY)), "Based on 6 deals."),
        (figure(WON, ENDED), "Based on 3 of 5 deals."),
        (figure(Aggregate(fn="sum", of=col("price"), where=holds("state", "won"))), "Based on 2 of 6 deals."),
    ],
)
def test_only_rows_that_enter_a_figure_are_what_it_is_based_on(
    plan: Query, said: str, catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    view = View(compute(plan, catalog, warehouse), catalog)
    assert story(view, "Standard").endswith(said)


def test_a_comparison_covers_the_rows_that_enter_its_figures(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    sides = {"current": holds("region", "West"), "baseline": holds("region", "East")}
    plan = Comparison(query=figure(AVERAGE), **sides, current_label="West", baseline_label="East")
    view = View(compute(plan, catalog, warehouse), catalog)
    assert story(view, "Standard").endswith("The comparison covers 5 of 6 deals: price is missing in the other.")


def test_a_comparison_of_rates_says_what_both_sides_leave_out(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    sides = {"current": holds("region", "West"), "baseline": holds("region", "East")}
    plan = Comparison(query=figure(RATE, ENDED), **sides, current_label="West", baseline_label="East")
    view = View(compute(plan, catalog, warehouse), catalog)
    assert story(view, "Standard").endswith("The comparison covers 5 of 6 deals: the other is open.")


def test_of_many_states_the_most_frequent_are_named(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    path = tmp_path / "deals.csv"
    states = ["won", "lost"] * 3 + ["new"] * 5 + ["demo"] * 4 + ["quoted"] * 3 + ["stalled", "paused"]
    path.write_text("state\n" + "\n".join(states), encoding="utf-8")
    catalog = catalog_from_files([path], tmp_path)
    view = View(compute(figure(RATE), catalog, warehouse), catalog)
    assert story(view, "Standard").endswith("of 20 deals: the others are new, demo, quoted or in another state.")


def test_every_row_counts_where_rows_are_counted(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    computed = compute(figure(Aggregate(fn="count")), catalog, warehouse)
    assert (computed.row_count, computed.used) == (6, None)


def test_the_figure_of_some_rows_is_not_told_for_all(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    plan = figure(Aggregate(fn="sum", of=col("price"), where=holds("region", "West")))
    view = View(compute(plan, catalog, warehouse), catalog)
    assert story(view, "Concise") == "The figure where region is West is **80**."
    assert next(piece.label for piece in pieces(plan, catalog)) == "Figure where region is West"


def test_the_only_group_leads_nobody(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    group = Output(label="Region", expr=col("region"))
    plan = figure(AVERAGE, holds("region", "West")).model_copy(update={"groups": (group,)})
    view = View(compute(plan, catalog, warehouse), catalog)
    assert story(view, "Concise") == "The average price of deals with region West is **26.7**."
