"""Texts that nobody asks in earnest are declined in words; none makes the reading, or what is computed of it, fail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from apps.analyst.computing.compile import compile_plan
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.previewing import previewed
from apps.analyst.errors import PlanRejected
from apps.analyst.language.tokens import tokenize
from apps.analyst.pipeline import answer
from apps.analyst.plan import ColumnRef, Missing, Not, Output, Query
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.types import Answer, Question

TODAY = date(2024, 6, 1)
ORDERS = "order_id,region,net_amount,gross_amount,order_date,ship_date\n" + "\n".join(
    f"{n},{('North', 'South')[n % 2]},{10 * n},{12 * n},2024-0{1 + n % 6}-10,2024-0{2 + n % 6}-11" for n in range(1, 41)
)
NINES = "9" * 400
ENDLESS = (
    f"total net amount above {NINES}",
    f"total net amount above {'9' * 308} billion",
    f"total net amount above ${NINES}",
    f"net amount above {NINES}%",
    f"total net amount in the last {NINES} days",
    f"top {NINES} regions by net amount",
    f"net amount in {NINES} years by month",
    f"the {NINES}th order by net amount",
    f"total net amount above {NINES}.5",
)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    folder = tmp_path_factory.mktemp("orders")
    (folder / "orders.csv").write_text(ORDERS, encoding="utf-8")
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


@pytest.fixture(scope="module")
def warehouse() -> Iterator[LocalWarehouse]:
    made = LocalWarehouse()
    yield made
    made.close()


def asked(text: str, catalog: Catalog, warehouse: LocalWarehouse, **more: object) -> Answer:
    return answer(Question(text=text, today=TODAY, **more), catalog=catalog, warehouse=warehouse)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ENDLESS)
def test_a_number_of_hundreds_of_digits_is_no_number(text, catalog, warehouse):
    previewed(Question(text=text, today=TODAY), catalog)
    assert asked(text, catalog, warehouse).status in ("declined", "clarify")
    assert all(token.number is None or token.number < 1e308 for token in tokenize(text))


@pytest.mark.parametrize("meaning", [f"orders above {NINES}", f"net_amount > {NINES}", f"gross amount / {NINES}"])
def test_nor_is_it_in_the_definition_of_a_keyword(meaning, catalog, warehouse):
    question = Question(text="number of whales by region", today=TODAY, keywords={"whales": meaning})
    previewed(question, catalog)
    asked(question.text, catalog, warehouse, keywords=question.keywords)


def test_one_word_said_hundreds_of_times_is_declined(catalog, warehouse):
    assert asked("last " * 398, catalog, warehouse).status == "declined"


def test_a_plan_nested_too_deep_to_be_written_is_rejected(catalog):
    condition: Not | Missing = Missing(of=ColumnRef(table="orders", column="region"))
    for _ in range(5_000):
        condition = Not.model_construct(kind="not", of=condition)
    shown = Output(label="region", expr=ColumnRef(table="orders", column="region"))
    plan = Query.model_construct(**{**Query(source="orders", columns=(shown,)).__dict__, "where": condition})
    with pytest.raises(PlanRejected, match="nested too deep"):
        compile_plan(plan, catalog)
