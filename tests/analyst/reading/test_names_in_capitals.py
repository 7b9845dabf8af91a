"""Names and values of the data that look like other words, or are written as one; and what is said of them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.marks import unread
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Output, Query
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 7, 1)


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("sold")
    places, lines = ("USA", "France", "Norway"), ("Planes", "Trains")
    rows = [f"{n},{places[n % 3]},{lines[n % 2]},{10 * n},{2023 + n % 2}" for n in range(1, 31)]
    text = "\n".join(["ORDERNUMBER,COUNTRY,PRODUCTLINE,SALES,YEAR_ID", *rows])
    (folder / "sales.csv").write_text(text)
    return catalog_from_files([folder / "sales.csv"], Path(folder) / "stored")


def sentence(text: str, sold: FixedCatalog, warehouse: LocalWarehouse) -> str:
    said = answer(Question(text, TODAY), catalog=sold, warehouse=warehouse)
    assert said.status == "answered", text
    return said.evidence.plan_sentence


@pytest.mark.parametrize("text", ["total sales in the US", "US sales in total", "How much did we sell in the US?"])
def test_a_country_in_capitals_is_no_small_word(text: str, sold: FixedCatalog, warehouse: LocalWarehouse) -> None:
    assert "country is USA" in sentence(text, sold, warehouse)


@pytest.mark.parametrize("text", ["show us the total sales", "SHOW US THE TOTAL SALES"])
def test_a_small_word_is_no_country(text: str, sold: FixedCatalog, warehouse: LocalWarehouse) -> None:
    assert "USA" not in sentence(text, sold, warehouse)


def test_a_name_that_the_file_writes_as_one_word_is_no_slip(sold: FixedCatalog, warehouse: LocalWarehouse) -> None:
    assert "productline" in link(Question("sales by productline", TODAY), sold).tokens
    assert "by product line" in sentence("total sales by productline", sold, warehouse)


@pytest.mark.parametrize(("year", "left"), [(2024, []), (2023, ["2024"])])
def test_a_year_is_read_where_a_column_of_years_is_held_to_it(year: int, left: list[str], sold: FixedCatalog) -> None:
    question = Question("total sales in 2024", TODAY)
    held = Compare(left=ColumnRef(table="sales", column="YEAR_ID"), op="=", right=Constant(value=year, type="number"))
    total = Output(label="Total sales", expr=Aggregate(fn="sum", of=ColumnRef(table="sales", column="SALES")))
    spans = unread(question, Query(source="sales", measures=(total,), where=held), sold)
    assert [question.text[start:end] for start, end in spans] == left


def test_the_rules_rank_all_where_several_are_asked_for(sold: FixedCatalog, warehouse: LocalWarehouse) -> None:
    for text, rows in (("Which countries have the highest sales?", 3), ("Which country has the highest sales?", 1)):
        said = answer(Question(text, TODAY), catalog=sold, warehouse=warehouse, learned=False)
        assert said.result is not None, text
        assert len(said.result.rows) == rows, text
