"""One question back where a word means several columns alike with other figures; the choice may become a keyword."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, KeptKeyword, Question, Turn

ASKED = Question("What is the total amount by region?", today=date(2025, 1, 10))


def orders(folder: Path, *, tax: int) -> FixedCatalog:
    """Orders with a net and a gross amount, which are the same where there is no tax."""
    path = folder / "orders.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["order_id", "ordered_on", "region", "net_amount", "gross_amount", "units"])
        for number in range(40):
            net = 100 + 7 * number
            rows.writerow(
                [number, date(2024, 1 + number % 12, 3), "WE"[number % 2] * 3, net, net + tax * net // 100, number % 5]
            )
    return catalog_from_files([path], folder / "tables")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    return orders(tmp_path_factory.mktemp("orders"), tax=19)


def ask(question: Question, catalog: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    return answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)


def test_a_word_that_means_two_columns_alike_is_asked_back_with_both(
    catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    given = ask(ASKED, catalog, warehouse)
    assert given.status == "clarify"
    assert given.result is None
    assert given.text.startswith("“amount” can mean “gross amount” or “net amount” here")
    assert {choice.label for choice in given.choices} == {"gross amount", "net amount"}


@pytest.mark.parametrize("column", ["gross amount", "net amount"])
def test_each_choice_reads_back_as_its_column_and_the_kept_keyword_settles_the_question(
    column: str, catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    choice = next(one for one in ask(ASKED, catalog, warehouse).choices if one.label == column)
    chosen = ask(replace(ASKED, text=choice.question), catalog, warehouse)
    assert chosen.status == "answered"
    assert column in chosen.text
    assert choice.keyword == KeptKeyword("amount", column)
    kept = {choice.keyword.term: choice.keyword.definition}
    settled = ask(replace(ASKED, keywords=kept), catalog, warehouse)
    assert settled.status == "answered"
    assert chosen.result is not None
    assert settled.result is not None
    assert settled.result.rows == chosen.result.rows
    assert any("as your organization defines it" in told for told in settled.evidence.definitions)


def test_the_reply_may_simply_say_the_choice(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    back = ask(ASKED, catalog, warehouse)
    turns = (Turn(ASKED.text, back.plan, back.text),)
    given = ask(replace(ASKED, text="Net amount.", turns=turns), catalog, warehouse)
    assert given.status == "answered"
    assert "net amount" in given.text


def test_what_the_question_names_is_not_asked_back(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    for text in ("What is the total net amount by region?", "How many orders are there?", "Total units by region"):
        assert ask(replace(ASKED, text=text), catalog, warehouse).status == "answered"


def test_columns_that_give_the_same_figures_are_not_asked_about(warehouse: LocalWarehouse, tmp_path: Path) -> None:
    assert ask(ASKED, orders(tmp_path, tax=0), warehouse).status == "answered"


def test_a_follow_up_keeps_the_column_that_was_chosen(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    chosen = ask(replace(ASKED, text="What is the total net amount by region?"), catalog, warehouse)
    turns = (Turn("What is the total net amount by region?", chosen.plan, chosen.text),)
    given = ask(replace(ASKED, text="and by month?", turns=turns), catalog, warehouse)
    assert given.status == "answered"
    assert "net amount" in given.text


def test_columns_with_shortened_names_are_offered_by_their_readable_ones(
    tmp_path: Path, warehouse: LocalWarehouse
) -> None:
    file = tmp_path / "orders.csv"
    rows = [f"{n},2025-0{1 + n % 9}-04,{('North', 'South')[n % 2]},{n * 7}.50,{n * 9}.25" for n in range(1, 60)]
    file.write_text("\n".join(["order_id,ord_dt,region,NET_AMT,GRS_AMT", *rows]))
    shortened = catalog_from_files([file], tmp_path / "tables")
    given = ask(replace(ASKED, text="total amount"), shortened, warehouse)
    assert {choice.label for choice in given.choices} == {"net amount", "gross amount"}
    assert ask(replace(ASKED, text=given.choices[0].question), shortened, warehouse).status == "answered"
