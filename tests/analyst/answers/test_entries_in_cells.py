"""Questions about columns whose cells list several entries, as CRM exports have them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.others import Parts
from apps.analyst.conversation.readas.phrasing import as_question
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify, ColumnRef, Compare, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.labelling import labelled
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.plans.short import out, rows, text

TOPICS = ("Webinar", "Trade show", "Newsletter")
LISTED = [";".join(topic for place, topic in enumerate(TOPICS) if n >> place & 1) for n in range(1, 8)] * 12
"""Every choice of topics equally often, the first of them first."""
ORDERED = [cell if n % 2 else ";".join(reversed(cell.split(";"))) for n, cell in enumerate(LISTED)]


@pytest.fixture(scope="module")
def contacts(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("contacts")
    lines = [
        f"Person {n},{('Ana Ruiz', 'Bo Lind')[n % 2]},{cell},{100 + n},2025-{n % 12 + 1:02}-10"
        for n, cell in enumerate(ORDERED)
    ]
    (folder / "contacts.csv").write_text("Contact,Owner,Interests,Deal Amount,Created\n" + "\n".join(lines))
    return catalog_from_files([folder / "contacts.csv"], folder / "tables")


def asked(*texts: str, contacts: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    """The last answer of a thread of these questions."""
    turns: tuple[Turn, ...] = ()
    for said in texts:
        question = Question(said, today=date(2026, 1, 5), turns=turns)
        made = answer(question, catalog=contacts, warehouse=warehouse, onward=False)
        assert made.status == "answered", made.text
        turns = (*turns, Turn(said, made.plan, made.text))
    return made


def having(topic: str) -> int:
    return sum(topic in cell.split(";") for cell in ORDERED)


def test_a_named_entry_is_found_in_every_cell_that_lists_it(contacts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    made = asked("How many contacts have interests Webinar?", contacts=contacts, warehouse=warehouse)
    assert f"**{having('Webinar')} contacts**" in made.text


def test_groups_are_entries_and_no_total_of_them_is_told(contacts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    made = asked("What is the total deal amount by interests?", contacts=contacts, warehouse=warehouse)
    amounts = {topic: sum(100 + n for n, cell in enumerate(ORDERED) if topic in cell.split(";")) for topic in TOPICS}
    assert made.result is not None
    assert {row[0]: row[1] for row in made.result.rows} == amounts
    assert "in all" not in made.text
    assert "The total for" not in made.text
    assert "% of the total" not in made.text
    assert f"Based on {len(ORDERED)} contacts." in made.text


@pytest.mark.parametrize(
    "text",
    [
        "How many contacts are interested in both Webinar and Newsletter?",
        "Which contacts are interested in both Webinar and Newsletter?",
        "number of contacts with both Webinar and Newsletter",
    ],
)
def test_both_of_two_entries_are_asked_for(text: str, contacts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    made = asked(text, contacts=contacts, warehouse=warehouse)
    assert made.result is not None
    both = sum({"Webinar", "Newsletter"} <= set(cell.split(";")) for cell in ORDERED)
    assert both in (made.result.rows[0][0], made.result.total_rows)


def test_both_of_two_entries_are_told_or_offered_first_where_rows_or_their_number_may_be_asked_for(
    contacts: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    question = Question("Contacts with both Webinar and Newsletter", today=date(2026, 1, 5))
    made = answer(question, catalog=contacts, warehouse=warehouse, onward=False)
    both = sum({"Webinar", "Newsletter"} <= set(cell.split(";")) for cell in ORDERED)
    plans = [option.plan for option in made.plan.options[:2]] if isinstance(made.plan, Clarify) else [made.plan]
    assert plans
    for plan in plans:
        assert plan is not None
        result = compute(plan, contacts, warehouse).result
        assert both in (result.rows[0][0], result.total_rows)


def test_an_entry_is_left_out_of_what_lists_another(contacts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    texts = ("How many contacts have interests Webinar?", "without Newsletter")
    made = asked(*texts, contacts=contacts, warehouse=warehouse)
    alone = sum("Webinar" in cell and "Newsletter" not in cell for cell in ORDERED)
    assert f"**{alone} contacts**" in made.text


def test_the_parts_below_an_answer_say_what_was_computed(contacts: FixedCatalog, warehouse: LocalWarehouse) -> None:
    made = asked("How many contacts have interests Webinar?", contacts=contacts, warehouse=warehouse)
    assert made.read_as is not None
    assert [chip.label for chip in made.read_as.chips if chip.part == "filter"] == ["Interests include “Webinar”"]
    assert "interests include “Webinar”" in made.evidence.plan_sentence


def test_another_entry_that_shares_a_word_is_offered_for_one(tmp_path: Path) -> None:
    cells = ("Trade show;Webinar", "Trade fair", "Webinar;Trade fair", "Trade show", "Webinar", "Trade fair;Trade show")
    lines = "".join(f"Person {n},{cell}\n" for n, cell in enumerate(cells * 4))
    (tmp_path / "contacts.csv").write_text("Contact,Interests\n" + lines)
    catalog = catalog_from_files([tmp_path / "contacts.csv"], tmp_path / "tables")
    test = Compare(op="=", left=ColumnRef(table="contacts", column="Interests"), right=text("Trade show"))
    parts = Parts(Query(source="contacts", where=test, measures=(out("n", rows()),)), catalog)
    assert "Interests include “Trade fair”" in [other.label for other in parts.of("filter:0")]


def test_a_reading_that_is_offered_says_of_lists_what_it_would_compute(contacts: FixedCatalog) -> None:
    test = Compare(op="=", left=ColumnRef(table="contacts", column="Interests"), right=text("Webinar"))
    plan = Query(source="contacts", where=test, measures=(out("n", rows()),))
    assert "interests include “Webinar”" in plan_sentence(labelled(plan, contacts))
    assert as_question(plan, contacts) == "Number of contacts, where interests include “Webinar”"
