"""Prices, rates and scores are averaged where nobody asks for their sum, whichever reader added them up."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.averaging import averaged
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Arithmetic, ColumnRef, Constant, Expr, Order, Output, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Taught

PRICE, PAID = (ColumnRef(table="claims", column=name) for name in ("unit_price", "paid_amount"))


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    chance = random.Random(3)
    lines = ["claim_id,region,opened_on,status,paid_amount,unit_price"]
    for number in range(400):
        day = date(2024, 1, 1).toordinal() + chance.randrange(680)
        region, status = chance.choice(("North", "South", "West")), chance.choice(("Approved", "Denied", "Pending"))
        paid, price = chance.randrange(100, 9000), chance.randrange(5, 50)
        lines.append(f"C{number:05d},{region},{date.fromordinal(day)},{status},{paid},{price}.5")
    folder = tmp_path_factory.mktemp("claims")
    (folder / "claims.csv").write_text("\n".join(lines), encoding="utf-8")
    return catalog_from_files([folder / "claims.csv"], folder)


def total(of: Expr) -> Aggregate:
    return Aggregate(fn="sum", of=of)


def plan(expr: Expr, label: str = "Total unit price") -> Query:
    return Query(
        source="claims",
        groups=(Output(label="Region", expr=ColumnRef(table="claims", column="region")),),
        measures=(Output(label=label, expr=expr),),
        order=(Order(by=label, descending=True),),
    )


@pytest.mark.parametrize("text", ["unit price by region", "prices of each region", "what is the price per region?"])
def test_a_price_that_was_added_up_is_averaged_under_its_own_name(text: str, claims: FixedCatalog) -> None:
    mean = Aggregate(fn="avg", of=PRICE)
    assert averaged(plan(total(PRICE)), text, claims) == plan(mean, "Average unit price")


@pytest.mark.parametrize(
    ("text", "expr"),
    [
        ("total unit price by region", total(PRICE)),
        ("sum of prices by region", total(PRICE)),
        ("prices by region, all together", total(PRICE)),
        ("paid amount by region", total(PAID)),
        ("takings by region", total(PRICE)),
        ("price by region", Arithmetic(op="/", left=total(PRICE), right=Constant(value=2))),
        ("highest price by region", Aggregate(fn="max", of=PRICE)),
    ],
)
def test_what_is_asked_for_as_a_sum_or_is_no_such_sum_stays(text: str, expr: Expr, claims: FixedCatalog) -> None:
    assert averaged(plan(expr), text, claims) == plan(expr)


def test_an_amount_is_averaged_where_people_taught_so(claims: FixedCatalog) -> None:
    (table,) = claims.tables()
    taught = FixedCatalog("averages taught", (replace(table, taught=(Taught(column="paid_amount", adds="average"),)),))
    made = averaged(plan(total(PAID), "Total paid amount"), "paid amounts by region", taught)
    assert made == plan(Aggregate(fn="avg", of=PAID), "Average paid amount")


def test_the_price_of_some_rows_is_told_or_offered_as_its_mean(claims: FixedCatalog) -> None:
    warehouse = LocalWarehouse()
    question = Question("unit price of pending claims", today=date(2025, 11, 14))
    made = answer(question, catalog=claims, warehouse=warehouse, onward=False)
    warehouse.close()
    said = made.text if made.status == "answered" else made.choices[0].label
    assert said.removeprefix("The ").casefold().startswith("average unit price")


def test_what_is_a_price_in_one_trade_alone_is_added_up(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    lines = [f"{n},Maker {n % 5},2025-0{1 + n % 3}-{1 + n % 20:02d},Ash,{20 + n}.50" for n in range(90)]
    (tmp_path / "stands.csv").write_text("\n".join(["Stand No,Exhibitor,Booked On,Sponsor,Fee", *lines]))
    stands = catalog_from_files([tmp_path / "stands.csv"], tmp_path / "stored")
    told = answer(Question("fees in february", today=date(2025, 4, 2)), catalog=stands, warehouse=warehouse)
    assert told.result is not None, told.text
    expected = sum(20.5 + n for n in range(90) if n % 3 == 1)
    assert float(str(told.result.rows[0][0])) == pytest.approx(expected)
