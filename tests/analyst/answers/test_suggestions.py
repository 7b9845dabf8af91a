"""Questions to start with are such as people ask."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import catalog_from_files
from apps.analyst.telling.followups import answerable, suggest
from apps.analyst.types import Question

TODAY = date(2025, 11, 3)

PLANS = """quarter_start,branch,plan_amount
2025-01-01,North,1000
2025-04-01,North,1100
2025-07-01,North,1250
2025-10-01,North,1300
2025-01-01,South,2000
2025-04-01,South,2050
2025-07-01,South,2100
2025-10-01,South,2200
"""
NOTES = """note_id,heard_from,note
1,Ana,Calls back on Monday
2,Ben,Wants a second look at the offer
3,Chloe,Asks for a smaller boat
"""
RENTALS = """boat,rented_on,fee,paid
Alma,2026-01-03,120,true
Bora,2026-01-09,90,false
Alma,2026-02-11,130,true
Bora,2026-03-02,95,false
"""


@pytest.fixture
def offered(tmp_path: Path) -> list[str]:
    """What is offered where there are plans of quarters only."""
    (tmp_path / "plans.csv").write_text(PLANS, encoding="utf-8")
    return suggest(catalog_from_files([tmp_path / "plans.csv"], tmp_path / "tables"), 12)


@pytest.mark.parametrize("text", [PLANS, NOTES, "code,label\n1,red\n2,blue\n3,red\n", "n\n4\n8\n15\n"])
def test_any_table_gives_four_questions_and_each_is_answered(text: str, tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text(text, encoding="utf-8")
    catalog, warehouse = catalog_from_files([tmp_path / "things.csv"], tmp_path / "tables"), LocalWarehouse()
    suggested = suggest(catalog, 12)
    assert len(suggested) >= 4
    said = {
        one: answer(Question(one, today=TODAY), catalog=catalog, warehouse=warehouse, learned=False)
        for one in suggested
    }
    warehouse.close()
    assert {one: given.status for one, given in said.items()} == dict.fromkeys(suggested, "answered")


def test_what_can_be_answered_is_told_from_what_cannot(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text(NOTES, encoding="utf-8")
    catalog = catalog_from_files([tmp_path / "notes.csv"], tmp_path / "tables")
    assert answerable("How many notes are there?", catalog)
    assert not answerable("What is our win rate by owner this year?", catalog)


def test_a_column_that_is_named_after_its_period_is_asked_by_it(offered: list[str]) -> None:
    assert "What is the total plan amount by quarter?" in offered
    assert not any("of quarter start" in question for question in offered)


def test_the_bare_number_of_rows_is_left_to_tables_that_hold_nothing_else_to_ask(
    offered: list[str], tmp_path: Path
) -> None:
    assert "How many plans are there?" not in offered
    (tmp_path / "notes.csv").write_text(NOTES, encoding="utf-8")
    assert "How many notes are there?" in suggest(catalog_from_files([tmp_path / "notes.csv"], tmp_path / "more"), 12)


def test_rows_are_counted_by_what_a_yes_or_no_column_says_and_not_grouped_by_it(tmp_path: Path) -> None:
    (tmp_path / "Fleet 2026 - Rentals.csv").write_text(RENTALS, encoding="utf-8")
    questions = suggest(catalog_from_files([tmp_path / "Fleet 2026 - Rentals.csv"], tmp_path / "tables"), 12)
    assert "How many rentals are paid?" in questions
    assert not any("by paid" in question for question in questions)


def test_what_is_in_a_table_is_offered_when_nothing_else_is_left(tmp_path: Path) -> None:
    (tmp_path / "rentals.csv").write_text(RENTALS, encoding="utf-8")
    (tmp_path / "notes.csv").write_text(NOTES, encoding="utf-8")
    files = [tmp_path / "rentals.csv", tmp_path / "notes.csv"]
    questions = suggest(catalog_from_files(files, tmp_path / "tables"), 20)
    plain = [place for place, question in enumerate(questions) if question.startswith("What is in ")]
    assert plain == [len(questions) - 2, len(questions) - 1]


def test_lines_of_orders_are_not_counted_as_orders(tmp_path: Path) -> None:
    lines = "".join(f"O{n // 2},{n % 2 + 1},{('Desk', 'Lamp')[n % 2]},{10 + n}\n" for n in range(60))
    (tmp_path / "retail_orders.csv").write_text(f"Order ID,Line,Product,Sales\n{lines}", encoding="utf-8")
    questions = suggest(catalog_from_files([tmp_path / "retail_orders.csv"], tmp_path / "tables"), 12)
    assert not any("retail orders" in question for question in questions)


def test_the_rows_of_a_table_that_is_named_for_one_are_called_by_that_name(tmp_path: Path) -> None:
    lines = "".join(f"U{n},{('Rep', 'Lead', 'Rep')[n % 3]}\n" for n in range(40))
    (tmp_path / "User.csv").write_text(f"Id,Title\n{lines}", encoding="utf-8")
    questions = suggest(catalog_from_files([tmp_path / "User.csv"], tmp_path / "tables"), 12)
    assert "How many users are there by title?" in questions


def test_nobody_groups_by_a_name_that_ends_in_by(tmp_path: Path) -> None:
    rows = "\n".join(f"{n},{('Card', 'Cash')[n % 2]},{('North', 'South')[n // 2 % 2]},{10 + n}" for n in range(24))
    (tmp_path / "passes.csv").write_text(f"Pass No,Paid By,Studio,Price\n{rows}")
    suggested = suggest(catalog_from_files([tmp_path / "passes.csv"], tmp_path / "tables"), 12)
    assert any("by studio" in one for one in suggested)
    assert not any("paid by" in one for one in suggested)
