"""A refusal says what was understood, asks what the unread word means, and leads on by choices that answer at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.declining import asked_back_so, declined_so
from apps.analyst.conversation.readas.lessons import with_lesson
from apps.analyst.conversation.readas.meanings import meant_by
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Clarify, ColumnRef, Output, Query
from apps.analyst.reading.linking import link
from apps.analyst.reading.reader import Weighed
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.answers import SEVERAL, declined
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.reading.conftest import TODAY

ASKED = "What is the total brouhaha by property?"


@pytest.fixture(scope="module")
def warehouse() -> LocalWarehouse:
    return LocalWarehouse(threads=1)


@pytest.fixture(scope="module")
def unlikely(stays: FixedCatalog, warehouse: LocalWarehouse) -> list[Weighed]:
    """The number of bookings by property, which is not what was asked."""
    place = Output(label="Property", expr=ColumnRef(table="bookings", column="prop_nm"))
    rows = Output(label="Number of bookings", expr=Aggregate(fn="count"))
    plan = Query(source="bookings", groups=(place,), measures=(rows,))
    return [Weighed(Reading(plan=plan, score=0.05), compute(plan, stays, warehouse))]


def refused(
    text: str, ranked: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse, reason: str = ""
) -> Answer:
    made = declined([w.reading for w in ranked], stays, onward=False)
    return declined_so(made, Question(text, today=TODAY), ranked, stays, warehouse, reason)


def test_the_unread_word_is_asked_for_and_marked(
    unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused(ASKED, unlikely, stays, warehouse)
    assert said.status == "declined"
    assert said.read_as is not None
    assert [ASKED[start:end] for start, end in said.read_as.unread] == ["brouhaha"]
    assert [chip.label for chip in said.read_as.chips] == ["By property name"]
    assert "Which of these is “brouhaha”?" in said.text
    meanings = [choice for choice in said.choices if choice.kind == "meaning"]
    assert 0 < len(meanings) <= 3
    assert all(choice.lesson is not None and choice.lesson.synonym == "brouhaha" for choice in meanings)


@pytest.mark.parametrize(
    ("text", "word"),
    [("Which brouhaha does each property still have?", "brouhaha"), ("What is still the figure by property?", "")],
)
def test_nobody_is_asked_what_a_word_of_every_day_is(
    text: str, word: str, unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused(text, unlikely, stays, warehouse)
    assert "“still”" not in said.text
    assert f"“{word}”" in said.text or not word


def test_nobody_is_asked_what_a_column_is_that_stands_in_the_data(
    unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused("What is the total nights by property?", unlikely, stays, warehouse)
    assert said.read_as is not None
    assert said.read_as.unread
    assert "nights" not in said.text
    assert not [choice for choice in said.choices if choice.kind == "meaning"]


def test_a_name_that_nobody_knows_is_taken_for_no_stored_value_unless_it_is_spelled_like_one(
    unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused("How many bookings did Fabrikam make?", unlikely, stays, warehouse)
    values = [value for choice in said.choices if choice.lesson is not None for value in choice.lesson.value_synonyms]
    assert not values


def test_nobody_is_asked_what_people_are(
    unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused("How many people by property?", unlikely, stays, warehouse)
    assert "Which of these" not in said.text
    assert [choice.kind for choice in said.choices] == ["rewrite"]


def test_every_choice_answers_at_once(unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = refused(ASKED, unlikely, stays, warehouse)
    assert isinstance(said.plan, Clarify)
    assert {choice.kind for choice in said.choices} == {"meaning", "rewrite"}
    for choice, option in zip(said.choices, said.plan.options, strict=True):
        turn = Turn(ASKED, plan=said.plan, answer=said.text)
        taken = answer(
            Question(choice.question, today=TODAY, turns=(turn,)), catalog=stays, warehouse=warehouse, onward=False
        )
        assert (taken.status, taken.plan) == ("answered", option.plan), choice.question


@pytest.mark.parametrize("asked", ["How many bookings were blorked?", "How many blorked bookings were there?"])
def test_a_word_for_a_state_is_asked_for_among_the_values_of_its_column(
    asked: str, unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused(asked, unlikely, stays, warehouse)
    assert said.read_as is not None
    assert said.read_as.asked is not None
    assert asked[slice(*said.read_as.asked)] == "blorked"
    values = [choice for choice in said.choices if choice.lesson is not None and choice.lesson.value_synonyms]
    assert "Booking status is Cancelled" in [choice.label for choice in values]
    assert 0 < len(values) <= 3
    for choice in values:
        assert choice.lesson is not None
        ((value, word),) = choice.lesson.value_synonyms.items()
        assert (word, choice.kind) == ("blorked", "meaning")
        assert choice.question == asked.replace("blorked", value)
        taught = with_lesson(stays, choice.lesson)
        again = answer(Question(asked, today=TODAY), catalog=taught, warehouse=warehouse, onward=False)
        assert again.status == "answered", choice.label
        assert any(value in condition for condition in again.evidence.filters)


def test_where_a_figure_is_named_no_value_is_offered(
    unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused(ASKED, unlikely, stays, warehouse)
    assert not [choice for choice in said.choices if choice.lesson is not None and choice.lesson.value_synonyms]


def test_what_names_nothing_of_the_data_leads_to_what_they_are_about(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused("xyzzy plugh?", [], stays, warehouse)
    assert not [choice for choice in said.choices if choice.kind == ""]
    assert said.read_as is not None
    assert len(said.read_as.unread) == 2


def test_a_reading_that_does_not_hold_says_why_and_asks_for_no_word(
    unlikely: list[Weighed], stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = refused(ASKED, unlikely, stays, warehouse, SEVERAL)
    assert said.text == f"{SEVERAL} These questions come close:"
    assert {choice.kind for choice in said.choices} == {"rewrite"}


def test_a_question_back_says_what_was_understood_too(unlikely: list[Weighed], stays: FixedCatalog) -> None:
    made = Answer("clarify", "Which one?")
    said = asked_back_so(made, Question(ASKED, today=TODAY), unlikely, stays)
    assert said.read_as is not None
    assert [chip.label for chip in said.read_as.chips] == ["By property name"]
    assert replace(said, read_as=None) == made


def test_a_question_back_among_readings_asks_for_the_word_that_none_of_them_uses(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    asked = "How many bookings were zapped by property?"
    said = answer(Question(asked, today=TODAY), catalog=stays, warehouse=warehouse)
    assert said.status == "clarify"
    assert said.text.endswith("I do not know what “zapped” is here.")
    kinds = [choice.kind for choice in said.choices]
    assert kinds == sorted(kinds)
    assert {"", "meaning"} == set(kinds)
    assert isinstance(said.plan, Clarify)
    for choice, option in zip(said.choices, said.plan.options, strict=True):
        turn = Turn(asked, plan=said.plan, answer=said.text)
        taken = answer(Question(choice.question, today=TODAY, turns=(turn,)), catalog=stays, warehouse=warehouse)
        assert (taken.status, taken.plan) == ("answered", option.plan), choice.question


def test_what_a_word_may_mean_begins_with_what_it_lies_nearest_to(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    file = tmp_path / "bills.csv"
    rows = (
        f"{'AB'[n % 2]}x,{'NS'[n % 2]}o,2024-{1 + n % 12:02}-01,{700 + n},{240 + n}.5,{'YN'[n % 2]}" for n in range(72)
    )
    file.write_text("\n".join(["SITE_NM,RGN,MTH,Consumption (kWh),BLL_AMT,PD_FLG", *rows]))
    bills = catalog_from_files([file], tmp_path / "tables")
    question = Question("how much power did we burn in 2024", today=TODAY)
    ways = meant_by(question, (9, 14), link(question, bills), bills, frozenset({"bills"}), warehouse)
    assert next(ways).label == "Consumption"


def test_columns_of_one_name_stand_with_their_files(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    for month in ("may", "june"):
        rows = [f"T{n},{('Ada', 'Bo')[n % 2]},{10 + n}" for n in range(40)]
        (tmp_path / f"tickets_{month}.csv").write_text("\n".join(["Ticket,Seller,Price", *rows]))
    catalog = catalog_from_files(sorted(tmp_path.glob("*.csv")), tmp_path / "tables")
    plan = Query(source="tickets_may", measures=(Output(label="Number", expr=Aggregate(fn="count")),))
    ranked = [Weighed(Reading(plan=plan, score=0.05), compute(plan, catalog, warehouse))]
    said = refused("Which brouhaha does each seller have?", ranked, catalog, warehouse)
    meanings = [choice.label for choice in said.choices if choice.kind == "meaning"]
    assert meanings
    assert len(set(meanings)) == len(meanings)
    assert all("tickets" in label for label in meanings)


def test_words_of_a_reading_over_the_examples_are_not_unread(tmp_path: Path, warehouse: LocalWarehouse) -> None:
    (tmp_path / "boats.csv").write_text("\n".join(["Boat,Length", *(f"B{n},{n + 4}" for n in range(30))]))
    rows = [f"C{n},{('Norway', 'Peru')[n % 2]},{100 * n}" for n in range(40)]
    (tmp_path / "companies.csv").write_text("\n".join(["Company,Country,Turnover", *rows]))
    own, example = catalog_from_files(sorted(tmp_path.glob("*.csv")), tmp_path / "tables").tables()
    catalog = FixedCatalog("both", (own, replace(example, example=True)))
    figure = Aggregate(fn="sum", of=ColumnRef(table="companies", column="Turnover"))
    turnover = Output(label="Total turnover", expr=figure)
    country = Output(label="Country", expr=ColumnRef(table="companies", column="Country"))
    plan = Query(source="companies", groups=(country,), measures=(turnover,))
    ranked = [Weighed(Reading(plan=plan, score=0.5), compute(plan, catalog, warehouse))]
    made = Answer("clarify", "Several.", plan=Clarify(question="Several.", options=()))
    said = asked_back_so(made, Question("turnover by country", TODAY), ranked, catalog)
    assert said.read_as is not None
    assert said.read_as.unread == ()
