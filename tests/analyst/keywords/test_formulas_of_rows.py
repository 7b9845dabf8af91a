"""Formulas whose columns are multiplied: worked out row by row, whoever reads the question."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.reading.keywords.formula_rows import by_rows
from apps.analyst.reading.keywords.formula_trees import OfRows, parsed
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question

LINES = """OrderNo,Item,UnitPrice,Quantity,Discount,Freight
1,Lamp,10,3,0,4
1,Desk,200,1,0.5,9
2,Lamp,12,10,0.25,6
3,Desk,180,2,0,8
"""
ORDERS = """OrderNo,Buyer,Ordered,ListPrice
1,Quell,2025-01-05,1
2,Marl,2025-01-20,2
3,Quell,2025-02-02,3
"""
SPELLED = "unit price times quantity times (1 - discount)"
TOTAL = 30 + 100 + 90 + 360


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("shop")
    for name, text in (("order_lines", LINES), ("orders", ORDERS)):
        (folder / f"{name}.csv").write_text(text)
    return catalog_from_files(sorted(folder.glob("*.csv")), Path(tmp_path_factory.mktemp("stored")))


def asked(text: str, shop: FixedCatalog, warehouse: LocalWarehouse, meaning: str = SPELLED) -> Answer:
    question = Question(text, today=date(2025, 3, 1), keywords={"Revenue": meaning})
    return answer(question, catalog=shop, warehouse=warehouse)


@pytest.mark.parametrize(
    "meaning", [SPELLED, "UnitPrice * Quantity * (1 - Discount)", "(1 - discount) * quantity * unit price"]
)
def test_a_product_of_columns_is_worked_out_row_by_row(
    meaning: str, shop: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    for text in ("What is our total revenue?", "revenue"):
        said = asked(text, shop, warehouse, meaning)
        assert said.result is not None, text
        assert [float(str(cell)) for cell in said.result.rows[0]] == [TOTAL]
        assert any(told.startswith("Revenue (as your organization defines it)") for told in said.evidence.definitions)


def test_the_learned_reader_reads_questions_by_the_formula_where_the_rules_cannot(
    shop: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    ranked = asked("buyers ranked by revenue", shop, warehouse)
    assert ranked.result is not None
    assert {row[0]: float(str(row[1])) for row in ranked.result.rows} == {"Quell": 490.0, "Marl": 90.0}
    month = asked("what did Quell bring us in revenue in February?", shop, warehouse)
    assert month.result is not None
    assert [float(str(cell)) for cell in month.result.rows[0]] == [360.0]
    assert month.read_as is not None
    assert month.read_as.unread == ()


def test_no_other_figure_is_told_in_the_place_of_a_formula(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    for text in ("top 2 buyers by revenue", "revenue per buyer", "share of revenue from Lamp each month"):
        said = asked(text, shop, warehouse)
        told = [said.evidence.plan_sentence] if said.status == "answered" else [one.label for one in said.choices]
        assert not any("freight" in one.casefold() for one in told), text
        assert all("revenue" in one.casefold() or "unit price × quantity" in one for one in told), text


def test_a_formula_stands_in_every_figure_that_is_made_of_it(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("share of revenue by item", shop, warehouse)
    assert said.result is not None
    shares = {row[0]: row[-1] for row in said.result.rows}
    assert {item: round(float(str(share)), 1) for item, share in shares.items()} == {
        "Lamp": round(100 * 120 / TOTAL, 1),
        "Desk": round(100 * 460 / TOTAL, 1),
    }


def test_columns_of_two_tables_are_not_multiplied(shop: FixedCatalog, warehouse: LocalWarehouse) -> None:
    tree = parsed("quantity * list price")
    assert tree is not None
    assert by_rows(tree, shop) is None
    said = asked("What is our total revenue?", shop, warehouse, "quantity * list price")
    assert said.evidence.definitions == ()


def test_figures_that_say_how_they_are_added_up_are_multiplied_as_figures(shop: FixedCatalog) -> None:
    tree, of_rows = parsed("total quantity * average unit price"), parsed("freight + quantity * unit price / 2")
    assert tree is not None
    assert of_rows is not None
    assert by_rows(tree, shop) == tree
    found = by_rows(of_rows, shop)
    assert found is not None
    assert not isinstance(found, OfRows | float | str)
    assert not isinstance(found.right, OfRows | float | str)
    assert isinstance(found.right.left, OfRows)
