"""Figures that everybody knows how to make, over data that have them in no column."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest

from apps.analyst.approaches.checking import Ports, Selected, check
from apps.analyst.approaches.recounting import recount_here
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.previewing import previewed
from apps.analyst.pipeline import answer
from apps.analyst.reading.keywords.known_figures import with_known_figures
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question

TODAY = date(2025, 7, 1)


def lines(discounts: tuple[float, ...]) -> str:
    items = ("Lamp", "Desk", "Rug")
    rows = (
        f"{n},{items[n % 3]},{10 + n % 5},{1 + n % 4},{discounts[n % len(discounts)]},2025-0{1 + n % 6}-11"
        for n in range(48)
    )
    return "\n".join(["Line No,Item,Unit Price,Quantity,Discount,Sold On", *rows])


def catalog(folder: Path, **tables: str) -> FixedCatalog:
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text)
    return catalog_from_files(sorted(folder.glob("*.csv")), folder / "stored")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    return catalog(tmp_path_factory.mktemp("shop"), order_lines=lines((0, 0.1, 0.25)))


def ask(text: str, over: FixedCatalog, warehouse: LocalWarehouse, **more: object) -> Answer:
    return answer(Question(text, TODAY, **more), catalog=over, warehouse=warehouse)  # type: ignore[arg-type]


def truth(over: FixedCatalog, sql: str) -> list[tuple[object, ...]]:
    path = over.tables()[0].path
    return duckdb.sql(sql.replace("LINES", f"'{path}'")).fetchall()


def test_revenue_is_price_times_quantity_without_what_was_taken_off(
    shop: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    expected = truth(shop, 'SELECT SUM("Unit Price" * "Quantity" * (1 - "Discount")) FROM LINES')
    said = ask("What is our revenue?", shop, warehouse)
    assert said.result is not None
    assert float(str(said.result.rows[0][0])) == pytest.approx(float(str(expected[0][0])))
    assert said.read_as is not None
    assert "Revenue is unit price × quantity × (1 − discount)" in [chip.label for chip in said.read_as.chips]


def test_it_holds_for_groups_and_periods_however_they_are_asked_for(
    shop: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    sql = 'SELECT "Item", SUM("Unit Price" * "Quantity" * (1 - "Discount")) FROM LINES GROUP BY 1'
    by_item = {item: float(str(total)) for item, total in truth(shop, sql)}
    for text in ("revenue by item", "turnover per item"):
        said = ask(text, shop, warehouse)
        assert said.result is not None, said.text
        assert {row[0]: pytest.approx(float(str(row[1]))) for row in said.result.rows} == by_item
    best = ask("Which item brought in the most revenue?", shop, warehouse)
    assert best.result is not None
    assert best.result.rows[0][0] == max(by_item, key=lambda item: by_item[item])


def test_amounts_taken_off_are_no_fractions(tmp_path: Path) -> None:
    over = catalog(tmp_path, order_lines=lines((0, 2, 5)))
    assert with_known_figures(Question("revenue by item", TODAY), over).known == {"revenue": "unit price * quantity"}


def test_a_discount_in_percent_is_taken_off_too(tmp_path: Path) -> None:
    rows = (f"{n},Lamp {n % 3},{10 + n % 5},{1 + n % 4},{(0, 5, 12)[n % 3]}%" for n in range(48))
    over = catalog(tmp_path, order_lines="\n".join(["Line No,Item,Unit Price,Quantity,Discount", *rows]))
    known = with_known_figures(Question("revenue by item", TODAY), over).known
    assert known == {"revenue": "unit price * quantity * (1 - discount / 100)"}


@pytest.mark.parametrize("percent", [False, True])
def test_what_a_column_holds_already_is_not_made_once_more(
    tmp_path: Path, warehouse: LocalWarehouse, percent: bool
) -> None:
    def line(n: int) -> str:
        off, price, pieces = (0, 10, 25)[n % 3], 10 + 3 * (n % 5), 1 + n % 4
        net = price * pieces * (100 - off) / 100
        shown = f"{off}%" if percent else off / 100
        return f"{n},Lamp {n % 3},{price},{pieces},{shown},{net:.2f},{n % 7}.50"

    rows = list(map(line, range(48)))
    over = catalog(tmp_path, order_lines="\n".join(["Line No,Item,List Price,Quantity,Discount,Net,Freight", *rows]))
    question = Question("revenue by item", TODAY)
    assert with_known_figures(question, over, warehouse).known == {}
    said = ask("revenue by item", over, warehouse)
    assert said.result is not None, said.text
    total = sum(float(row.split(",")[5]) for row in rows)
    assert sum(float(str(row[1])) for row in said.result.rows) == pytest.approx(total)


def test_an_amount_beside_it_that_is_something_else_keeps_nobody_from_it(
    tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    rows = (f"{n},Lamp {n % 3},{10 + n % 5},{1 + n % 4},{5 + n % 7}.50" for n in range(48))
    over = catalog(tmp_path, order_lines="\n".join(["Line No,Item,Unit Price,Quantity,Freight", *rows]))
    known = with_known_figures(Question("revenue by item", TODAY), over, warehouse).known
    assert known == {"revenue": "unit price * quantity"}


@pytest.mark.parametrize(
    "tables",
    [
        {"sales": "Item,Revenue,Unit Price,Quantity\nLamp,10,5,2\nDesk,20,4,5\n"},
        {"items": "Item,Unit Price\nLamp,5\nDesk,4\n", "stock": "Item,Quantity\nLamp,2\nDesk,5\n"},
        {"visits": "Person,Fee\nAda,5\nBen,4\n"},
    ],
    ids=["a column is called so", "no table has all", "nothing of it is there"],
)
def test_where_it_cannot_be_made_nothing_is_defined(tables: dict[str, str], tmp_path: Path) -> None:
    over = catalog(tmp_path, **tables)
    assert with_known_figures(Question("total revenue", TODAY), over).known == {}


def test_the_columns_of_example_data_keep_nobody_from_it(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    folder.mkdir()
    (folder / "deals.csv").write_text("Owner,Revenue,Closed\nAda,10,2025-01-04\nBen,20,2025-02-04\n")
    examples = catalog_from_files([folder / "deals.csv"], folder / "stored").tables()
    own = catalog(tmp_path, order_lines=lines((0, 0.1))).tables()
    both = FixedCatalog("both", (*(replace(table, example=True) for table in examples), *own))
    known = with_known_figures(Question("revenue by item", TODAY), both).known
    assert known == {"revenue": "unit price * quantity * (1 - discount)"}


def test_an_organizations_own_definition_stands_before_it(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = ask("What is our revenue?", shop, warehouse, keywords={"Revenue": "unit price * quantity"})
    expected = truth(shop, 'SELECT SUM("Unit Price" * "Quantity") FROM LINES')
    assert said.result is not None
    assert float(str(said.result.rows[0][0])) == pytest.approx(float(str(expected[0][0])))


def test_a_check_reads_it_anew_by_the_same_definition(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    question = Question("revenue by item", TODAY)
    told = answer(question, catalog=shop, warehouse=warehouse)
    assert told.result is not None
    ports = Ports(shop, warehouse, recount_here, lambda step: None)
    found = check(question, Selected("builtin", told.plan, told.result), ports)
    assert found.verdict == "agree"
    assert found.readers == (("rules", "the same result"), ("learned", "the same result"))


def test_it_is_previewed_as_it_is_told(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    question = Question("revenue by item", TODAY)
    told = answer(question, catalog=shop, warehouse=warehouse)
    assert told.read_as is not None
    assert [label for _, label in previewed(question, shop).parts] == [chip.label for chip in told.read_as.chips]
