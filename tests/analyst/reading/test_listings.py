"""Many rows speak against no reading, and listings of the same rows that show other columns are one reading."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import ColumnRef, Compare, Constant, Output, Query
from apps.analyst.reading.linking import link
from apps.analyst.reading.listings import asks_to_show, same_rows, shown_together
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question

TODAY = date(2025, 10, 1)
CUSTOMERS = 120


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("shop")
    status = ("Open", "Won", "Lost")
    rows = [
        f"{n},Customer {n % CUSTOMERS:03},{('Ada', 'Bo')[n % 2]},{status[n % 3]},{10 + n % 97},2025-0{1 + n % 9}-11"
        for n in range(600)
    ]
    head = "order_no,customer,rep,status,amount,ordered_on"
    (folder / "orders.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


def ask(text: str, catalog: FixedCatalog) -> Answer:
    return answer(Question(text, today=TODAY), catalog=catalog, warehouse=LocalWarehouse(threads=1), onward=False)


def test_a_figure_by_customer_is_told_however_many_there_are(shop: FixedCatalog) -> None:
    said = ask("total amount by customer", shop)
    assert said.status == "answered", said.text
    assert said.result is not None
    assert len(said.result.rows) == CUSTOMERS
    assert sum(float(str(row[-1])) for row in said.result.rows) == sum(10 + n % 97 for n in range(600))


def listing(*columns: str, status: str = "Open") -> Query:
    def ref(name: str) -> ColumnRef:
        return ColumnRef(table="orders", column=name)

    return Query(
        source="orders",
        where=Compare(op="=", left=ref("status"), right=Constant(value=status, type="text")),
        columns=tuple(Output(label=name, expr=ref(name)) for name in columns),
    )


def test_listings_of_the_same_rows_are_found_whatever_they_show() -> None:
    plans = [listing("order_no", "rep"), listing("order_no", "amount"), listing("order_no", status="Won")]
    assert same_rows(plans) == [0, 1]
    assert (
        [output.label for output in shown_together(plans[:2]).columns]
        == ["order_no", "rep", "amount"]
        == [output.label for output in shown_together([plans[0], plans[1], plans[0]]).columns]
    )
    counted = Query(source="orders", groups=listing("rep").columns)
    assert same_rows([counted, counted]) == []


@pytest.mark.parametrize(("text", "asks"), [("show me all open orders", False), ("open orders with amount", True)])
def test_a_question_that_names_a_column_in_which_they_part_asks_for_it(
    text: str, asks: bool, shop: FixedCatalog
) -> None:
    plans = [listing("order_no", "rep"), listing("order_no", "amount")]
    assert asks_to_show(plans, link(Question(text, today=TODAY), shop)) is asks
