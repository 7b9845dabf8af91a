"""What is said of files that were just brought: their rows, their time, and questions that have an answer."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import islice
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.brought import described, is_as_meant, is_from, tells, worth_asking
from apps.analyst.types import Question

TODAY = date(2026, 3, 2)
ORDERS = "order_id,order_date,region,product,amount\n" + "".join(
    f"{1000 + number},{date(2024, 1, 5) + timedelta(days=5 * number)},{('North', 'South', 'East')[number % 3]},"
    f"{('Desk', 'Lamp')[number % 2]},{100 + 7 * number}.50\n"
    for number in range(140)
)
NOTES = (
    "note_id,heard_from,note\n1,Ana,Calls back on Monday\n2,Ben,Wants a second look\n3,Chloe,Asks for a smaller boat\n"
)


def catalog_of(folder: Path, texts: dict[str, str]) -> FixedCatalog:
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return catalog_from_files([folder / f"{name}.csv" for name in texts], folder / "tables")


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    return catalog_of(tmp_path_factory.mktemp("brought"), {"orders": ORDERS, "notes": NOTES})


def test_rows_have_the_dictionarys_word_and_the_time_of_the_main_date(brought: FixedCatalog) -> None:
    (orders,) = described(brought, {"orders"})
    assert (orders.rows, orders.noun, orders.period) == (140, "orders", "Jan 2024 to Nov 2025")


def test_a_table_without_a_date_has_its_count_alone(brought: FixedCatalog) -> None:
    (notes,) = described(brought, {"notes"})
    assert (notes.rows, notes.noun, notes.period) == (3, "notes", "")


def test_one_row_of_one_month_is_said_in_the_singular(tmp_path: Path) -> None:
    (one,) = described(catalog_of(tmp_path, {"orders": ORDERS.split("1001")[0]}), {"orders"})
    assert (one.rows, one.noun, one.period) == (1, "order", "Jan 2024")


def test_the_first_questions_ask_for_shares_change_and_who_leads(brought: FixedCatalog) -> None:
    first = [question for question, _ in islice(worth_asking(brought, {"orders"}), 3)]
    assert first == [
        "What share of the total amount comes from each region?",
        "What is the total amount by month?",
        "Which product has the highest total amount?",
    ]


def test_no_question_only_shows_rows_where_there_is_more_to_ask(brought: FixedCatalog) -> None:
    asked = [question for question, _ in worth_asking(brought, {"orders"})]
    assert not any(question.startswith(("Show", "List", "What is in")) for question in asked)
    assert [question for question, _ in worth_asking(brought, {"notes"})]


@pytest.mark.parametrize("points", [10, -10])
def test_groups_that_hardly_differ_tell_nothing(points: int, tmp_path: Path) -> None:
    even = "id,team,points\n" + "".join(f"{n},{('Red', 'Blue')[n % 2]},{points}\n" for n in range(40))
    catalog, warehouse = catalog_of(tmp_path, {"scores": even}), LocalWarehouse()
    asked = ("What are the total points by team?", "How many scores are there by team?")
    assert not any(tells(answer(Question(one, today=TODAY), catalog=catalog, warehouse=warehouse)) for one in asked)
    assert tells(answer(Question("How many scores are there?", today=TODAY), catalog=catalog, warehouse=warehouse))
    warehouse.close()


def test_two_files_are_asked_about_in_turn(brought: FixedCatalog) -> None:
    first = list(islice(worth_asking(brought, {"orders", "notes"}), 2))
    assert sorted(table.name for _, table in first) == ["notes", "orders"]
    assert all(("note" in question) == (table.name == "notes") for question, table in first)


@pytest.mark.parametrize("name", ["orders", "notes"])
def test_each_question_worth_asking_is_answered_from_the_file(brought: FixedCatalog, name: str) -> None:
    with_answers = LocalWarehouse()
    for question, _ in islice(worth_asking(brought, {name}), 3):
        said = answer(Question(question, today=TODAY), catalog=brought, warehouse=with_answers)
        assert is_from(said, {name}), question
    with_answers.close()


def test_what_says_nothing_or_comes_from_other_files_too_is_not_from_the_file(brought: FixedCatalog) -> None:
    with_answers = LocalWarehouse()
    said = answer(Question("How many orders are there?", today=TODAY), catalog=brought, warehouse=with_answers)
    nothing = answer(Question("How is the weather?", today=TODAY), catalog=brought, warehouse=with_answers)
    with_answers.close()
    assert is_from(said, {"orders", "notes"})
    assert not is_from(said, {"notes"})
    assert not is_from(nothing, {"orders", "notes"})


def test_rows_without_a_name_are_asked_about_as_rows_of_their_table(tmp_path: Path) -> None:
    lines = "".join(f"{('Red', 'Blue', 'Red')[n % 3]},{('Tall', 'Low')[n % 2]}\n" for n in range(40))
    catalog = catalog_of(tmp_path, {"xqz": f"team,kind\n{lines}"})
    asked = [question for question, _ in worth_asking(catalog, {"xqz"})]
    assert asked
    assert all(" rows of xqz" in question for question in asked)


STAFF = "employee_id,employee_name,born_on,hired_on,title,office\n" + "".join(
    f"E{n},Name {n},{date(1960, 1, 5) + timedelta(days=300 * n)},{date(2019, 2, 1) + timedelta(days=37 * n)},"
    f"{('Clerk', 'Clerk', 'Lead')[n % 3]},{'North' if n % 5 == 0 else ''}\n"
    for n in range(60)
)


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is asked first about people of whom few have an office."""
    catalog = catalog_of(tmp_path_factory.mktemp("staff"), {"employees": STAFF})
    return [question for question, _ in worth_asking(catalog, {"employees"})]


def test_people_are_split_and_counted_by_when_they_came_and_not_by_their_birth(staff: list[str]) -> None:
    assert staff[:2] == ["How are employees split by title?", "How many employees were hired each month?"]
    assert not any("born" in question for question in staff)


def test_a_column_that_is_mostly_empty_is_not_asked_by(staff: list[str]) -> None:
    assert not any("office" in question for question in staff)


def test_things_with_names_are_counted_rather_than_their_traits_added_up(tmp_path: Path) -> None:
    lines = "".join(f"C{n},Firm {n},{('Retail', 'Steel', 'Retail')[n % 3]},{5 + n % 37}\n" for n in range(60))
    catalog = catalog_of(tmp_path, {"customers": f"customer_id,customer_name,industry,employee_count\n{lines}"})
    asked = [question for question, _ in islice(worth_asking(catalog, {"customers"}), 2)]
    assert asked == ["How are customers split by industry?", "Which industry has the most customers?"]


def test_what_was_earned_is_asked_for_before_discounts(tmp_path: Path) -> None:
    lines = "".join(f"S{n},{('Leeds', 'York', 'Leeds')[n % 3]},{n % 7}.50,{20 + n}.25\n" for n in range(60))
    catalog = catalog_of(tmp_path, {"sales": f"sale_id,store,discount_amount,net_amount\n{lines}"})
    first, _ = next(worth_asking(catalog, {"sales"}))
    assert first == "What share of the total net amount comes from each store?"


def test_rows_of_a_name_that_says_how_they_are_dated_are_no_dates(tmp_path: Path) -> None:
    (told,) = described(catalog_of(tmp_path, {"sales_mixed_dates": ORDERS}), {"sales_mixed_dates"})
    assert "date" not in told.noun


def test_one_group_that_holds_nearly_all_tells_nothing(tmp_path: Path) -> None:
    lines = "".join(f"{n},{'Shipped' if n else 'Held'},{('Red', 'Blue')[n % 3 > 0]}\n" for n in range(40))
    catalog, warehouse = catalog_of(tmp_path, {"orders": f"order_id,status,color\n{lines}"}), LocalWarehouse()
    said = {
        by: answer(Question(f"How many orders are there by {by}?", today=TODAY), catalog=catalog, warehouse=warehouse)
        for by in ("status", "color")
    }
    warehouse.close()
    assert {by: tells(one) for by, one in said.items()} == {"status": False, "color": True}


def test_an_answer_that_reads_its_question_otherwise_is_not_as_meant(brought: FixedCatalog) -> None:
    warehouse = LocalWarehouse()
    orders = next(table for table in brought.tables() if table.name == "orders")
    totals, averages = (f"What is the {way} amount by region?" for way in ("total", "average"))
    said = answer(Question(totals, today=TODAY), catalog=brought, warehouse=warehouse)
    warehouse.close()
    assert is_as_meant(said, totals, orders, brought)
    assert not is_as_meant(said, averages, orders, brought)
