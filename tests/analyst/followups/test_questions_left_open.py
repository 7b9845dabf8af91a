"""A message behind a question back that nobody has answered: it goes on from the readings that were put."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.plan import Clarify, Option, Plan
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Turn
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import UNCERTAIN, Ask, offered, sentence

PITCHES = "How many bookings are there by pitch?"
ASKED = "How are the nights?"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("campsite")
    return catalog_from_files([_bookings(folder)], folder / "tables")


def _bookings(folder: Path) -> Path:
    rows = []
    for n in range(240):
        arrived = date(2025, 1, 3) + timedelta(days=2 * n)
        pitch, country = ("Lakeside", "Forest", "Meadow")[n % 3], ("Norway", "Denmark")[n % 5 > 1]
        rows.append([f"B{n:04d}", arrived, pitch, country, 1 + n % 9, 1 + n % 4, 20.5 + 7 * (n % 13)])
    head = ["booking_id", "arrived_on", "pitch", "country", "nights", "guests", "charge"]
    return write(folder, "bookings.csv", head, rows)


def plans(ask: Ask, *texts: str) -> list[Plan]:
    found = [ask(text).plan for text in texts]
    assert all(found)
    return [plan for plan in found if plan is not None]


def asked_back(ask: Ask, *texts: str, instead: bool = False) -> Turn:
    """A question back that offers the plans of these questions."""
    text = "I can read this in more than one way."
    made = zip(texts, plans(ask, *texts), strict=True)
    options = tuple(Option(label=said, question=said, plan=plan, instead=instead) for said, plan in made)
    return Turn(ASKED, Clarify(question=text, options=options), text)


def told(ask: Ask) -> Turn:
    given = ask(PITCHES)
    return Turn(PITCHES, given.plan, given.text)


def options_of(given: object) -> list[Plan]:
    assert isinstance(given, Clarify)
    return [option.plan for option in given.options]


def test_it_goes_on_from_the_one_reading_that_was_put_after_an_answer_and_says_so(ask: Ask) -> None:
    given = ask("only Norway", turns=(told(ask), asked_back(ask, "What is the total nights?")))
    assert sentence(given) == "Total nights in bookings, where country is Norway."
    assert given.assumptions == ("I went on from “What is the total nights?”",)
    assert UNCERTAIN in given.text


def test_it_is_put_into_each_of_several_readings_and_asked_again(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights?", "What is the average nights?")
    given = ask("only Norway", turns=(told(ask), put))
    assert (given.status, given.result) == ("clarify", None)
    made = plans(ask, "What is the total nights in Norway?", "What is the average nights in Norway?")
    assert options_of(given.plan) == made


def test_so_it_is_where_nothing_was_answered_before(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights?", "What is the average nights?")
    assert ask("by pitch", turns=(put,)).status == "clarify"


def test_readings_that_come_to_the_same_with_it_are_told_as_one(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights in 2025?", "What is the total nights in 2026?")
    given = ask("only March 2025", turns=(told(ask), put))
    assert sentence(given) == "Total nights in bookings, where arrived on is in March 2025."
    assert UNCERTAIN in given.text


def test_a_chart_is_drawn_of_the_first_reading(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights by pitch?", "What is the average nights by pitch?")
    given = ask("as a pie", turns=(put,))
    assert given.chart is not None
    assert given.chart.document["type"] == "pie"


def test_a_reply_that_chooses_one_is_answered_by_it(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights?", "What is the average nights?")
    given = ask("What is the average nights?", turns=(told(ask), put))
    assert sentence(given) == "Average nights in bookings."
    assert not given.assumptions


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("the second one", "Average nights in bookings."),
        ("2", "Average nights in bookings."),
        ("the last", "Average nights in bookings."),
        ("first", "Total nights in bookings."),
        ("average", "Average nights in bookings."),
        ("the total nights", "Total nights in bookings."),
    ],
)
def test_so_is_one_that_says_its_place_or_what_it_alone_says(text: str, plan: str, ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights?", "What is the average nights?")
    given = ask(text, turns=(told(ask), put))
    assert sentence(given) == plan
    assert not given.assumptions


@pytest.mark.parametrize("text", ["yes", "Yes, please", "that one"])
def test_a_yes_takes_the_one_reading(text: str, ask: Ask) -> None:
    given = ask(text, turns=(told(ask), asked_back(ask, "What is the total nights?")))
    assert sentence(given) == "Total nights in bookings."


def test_a_yes_to_several_chooses_none(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights?", "What is the average nights?")
    assert ask("yes", turns=(told(ask), put)).result is None


def test_a_whole_question_leaves_them_alone(ask: Ask) -> None:
    put = asked_back(ask, "What is the total nights?", "What is the average nights?")
    given = ask("How many bookings are there by country?", turns=(told(ask), put))
    assert sentence(given).startswith("Number of bookings by country in bookings")


def test_an_older_answer_is_gone_on_from_where_no_reading_takes_it_and_that_is_said(ask: Ask) -> None:
    given = ask("and which is the worst?", turns=(told(ask), asked_back(ask, "What is the total nights?")))
    assert "by pitch" in sentence(given)
    assert given.assumptions == (f"I went on from “{PITCHES}”",)
    assert UNCERTAIN in given.text


def test_what_was_only_offered_instead_is_no_subject(ask: Ask) -> None:
    put = asked_back(ask, "What is the total charge by country?", instead=True)
    given = ask("only Norway", turns=(told(ask), put))
    assert sentence(given).startswith("Number of bookings by pitch in bookings, where country is Norway")
    assert given.assumptions == (f"I went on from “{PITCHES}”",)
    assert UNCERTAIN in given.text


def test_what_was_answered_since_is_the_subject_again(ask: Ask) -> None:
    turns = (offered(ASKED, plans(ask, "What is the total nights?")[0], "Total nights"), told(ask))
    given = ask("only Norway", turns=turns)
    assert sentence(given).startswith("Number of bookings by pitch in bookings, where country is Norway")
    assert not given.assumptions
