"""What all lines of an order tell alike enters a figure once, not once for each line."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from statistics import mean

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Call, ColumnRef, Expr, Missing, Output, Query
from apps.analyst.plan.firsts import with_firsts, without_firsts
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 12, 31)
DAYS = [1 + 4 * (n % 3) for n in range(60)]
"""From order to delivery, by order; an order has a line for each of these days."""


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("orders")
    rows = ["Order no,Ordered on,Delivered on,Total,Land,Article,Pieces"]
    for n, days in enumerate(DAYS):
        ordered = date(2025, 1 + n % 12, 1 + n % 20)
        head = f"{ordered},{ordered + timedelta(days=days)},{100 + n}.00,{('US', 'CA')[n % 2]}"
        for line in range(days):
            rows.append(f"O-{n:03},{head if line == 0 else ',,,'},Article {(n + line) % 9},{line + 1}")
    (folder / "orders.csv").write_text("\n".join(rows))
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


def col(name: str) -> ColumnRef:
    return ColumnRef(table="orders", column=name)


def average(of: Expr, groups: tuple[Output, ...] = ()) -> Query:
    figure = Output(label="Average", expr=Aggregate(fn="avg", of=of))
    return Query(source="orders", groups=groups, measures=(figure,))


TAKEN = Call(name="days_between", args=(col("Ordered on"), col("Delivered on")))


def test_lengths_of_time_are_averaged_over_orders(orders: FixedCatalog) -> None:
    plan = with_firsts(average(TAKEN), orders)
    assert isinstance(plan, Query)
    assert plan.measures[0].expr == Aggregate(fn="avg", of=TAKEN, where=Missing(of=col("Total"), negated=True))
    told = compute(plan, orders, LocalWarehouse())
    assert float(told.result.rows[0][0]) == pytest.approx(mean(DAYS))


def test_it_goes_without_saying(orders: FixedCatalog) -> None:
    plan = with_firsts(average(TAKEN), orders)
    assert without_firsts(plan, orders) == average(TAKEN)
    assert "where" in plan_sentence(plan)
    assert "where" not in plan_sentence(without_firsts(plan, orders))


@pytest.mark.parametrize(
    "plan",
    [
        average(col("Pieces")),
        average(col("Total")),
        average(TAKEN, groups=(Output(label="Article", expr=col("Article")),)),
        Query(source="orders", measures=(Output(label="Last", expr=Aggregate(fn="max", of=col("Delivered on"))),)),
    ],
    ids=["of lines", "told once", "by what lines tell", "however often it stands there"],
)
def test_all_else_is_computed_as_it_is(plan: Query, orders: FixedCatalog) -> None:
    assert with_firsts(plan, orders) == plan


def test_an_answer_is_based_on_orders(orders: FixedCatalog) -> None:
    made = answer(
        Question("average days from ordered on to delivered on", TODAY), catalog=orders, warehouse=LocalWarehouse()
    )
    assert made.result is not None, made.text
    assert float(made.result.rows[0][0]) == pytest.approx(mean(DAYS))
    assert "Based on 60 orders." in made.text
    assert "Total" not in made.text
    assert made.read_as is not None
    assert not any("given" in chip.label for chip in made.read_as.chips)
