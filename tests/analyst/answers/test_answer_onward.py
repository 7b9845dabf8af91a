"""What is offered after an answer goes on from it and can be answered."""

from __future__ import annotations

from datetime import date

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question

TODAY = date(2025, 1, 10)


def asked(text: str, catalog: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    return answer(Question(text, today=TODAY), catalog=catalog, warehouse=warehouse, learned=False)


def test_after_a_comparison_the_reasons_are_offered(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("compare the total amount in Q2 2024 and Q1 2024", catalog, warehouse)
    assert said.follow_ups[0] == "Why did the total amount change from Q1 2024 to Q2 2024?"
    reasons = asked(said.follow_ups[0], catalog, warehouse)
    assert reasons.status == "answered"
    assert said.result is not None
    assert reasons.headline is not None
    assert reasons.headline.value == said.result.rows[0][0]


def test_everything_offered_is_answered(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    offered = {
        text
        for question in ("total amount by stage", "How many deals in 2024 vs 2023?", "number of deals per month")
        for text in asked(question, catalog, warehouse).follow_ups
    }
    assert offered
    for text in offered:
        assert asked(text, catalog, warehouse).status == "answered", text


def test_a_missing_figure_is_never_the_lowest(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("total amount by stage and create date", catalog, warehouse)
    assert "–" not in said.text.split("Based on")[0].replace("−", "")
