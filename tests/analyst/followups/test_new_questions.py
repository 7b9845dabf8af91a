"""A full new question is read anew, whatever was asked before it; only what clearly goes on changes a reading."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.conversation.subject import goes_on
from apps.analyst.plan import Clarify, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Turn
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import UNCERTAIN, Ask, offered


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("lessons")
    return catalog_from_files([_lessons(folder), _pupils(folder)], folder / "tables")


def _lessons(folder: Path) -> Path:
    chance = random.Random(11)
    rows = [
        [n, date(2025, 1, 7) + timedelta(days=chance.randrange(500)), chance.randrange(1, 31),
         chance.choice(("Nadia", "Piet", "Rosa")), chance.choice(("Maths", "Chemistry", "Spanish")),
         chance.choice((30, 42.5, 55)), chance.choices(("Held", "Missed", "Moved"), (8, 1, 1))[0],
         chance.choice((45, 60, 90))]
        for n in range(1, 401)
    ]  # fmt: skip
    head = ["lesson_id", "date", "pupil_id", "tutor", "subject", "fee", "status", "minutes"]
    return write(folder, "lessons.csv", head, rows)


def _pupils(folder: Path) -> Path:
    chance = random.Random(12)
    rows = [
        [n, f"Pupil {n}", chance.choice(("Ann Marsh", "Bo Lund", "Cy Vale", "Di Frost")),
         chance.choice(("Ashby", "Barrow", "Corley")), chance.choice(("Primary", "Middle", "Upper"))]
        for n in range(1, 31)
    ]  # fmt: skip
    return write(folder, "pupils.csv", ["pupil_id", "pupil_name", "parent_name", "town", "school"], rows)


def read_as(given: Answer) -> str:
    assert isinstance(given.plan, Query), given.text
    return given.evidence.plan_sentence.casefold()


BEFORE = "How many lessons were held by town and parent name?"


@pytest.fixture(scope="module")
def held(ask: Ask) -> tuple[Turn, ...]:
    """A question that was only asked back, with the reading that was offered first."""
    plan = ask(BEFORE).plan
    assert isinstance(plan, Query)
    return (offered("who misses their lessons most often, by town", plan, "held"),)


NEW = [
    ("what fees did each tutor take in 2026", "total fee by tutor in lessons, where date is in 2026"),
    ("what does each subject bring in", "total fee by subject in lessons."),
    ("which subject brings in the most money", "total fee by subject in lessons, only the highest"),
    ("show me the average minutes by tutor", "average minutes by tutor in lessons"),
    ("total fee of lessons that were missed, by subject", "total fee by subject in lessons, where status is missed"),
    ("share of lessons that were missed, by tutor, in 2025", "share of lessons"),
    ("what is the total fee for each subject in 2025", "total fee by subject in lessons, where date is in 2025"),
]


@pytest.mark.parametrize(("text", "words"), NEW, ids=[text for text, _ in NEW])
def test_a_full_question_after_an_answer_keeps_nothing_of_it(text: str, words: str, ask: Ask) -> None:
    assert read_as(ask(BEFORE, text)).startswith(words)


@pytest.mark.parametrize(("text", "words"), NEW, ids=[text for text, _ in NEW])
def test_a_full_question_after_a_question_back_keeps_nothing_of_what_was_offered(
    text: str, words: str, ask: Ask, held: tuple[Turn, ...]
) -> None:
    assert read_as(ask(text, turns=held)).startswith(words)


@pytest.mark.parametrize("text", ["by tutor", "only 2026", "and in 2025?"])
def test_what_goes_on_from_a_reading_that_was_never_told_says_how_it_was_read(
    text: str, ask: Ask, held: tuple[Turn, ...]
) -> None:
    given = ask(text, turns=held)
    assert "town" in read_as(given)
    assert UNCERTAIN in given.text
    assert given.assumptions == ("I went on from “held”",)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("and in 2025?", "status is held and date is in 2025"),
        ("which town has the most?", "number of lessons by town in lessons"),
        ("only Ashby", "town is ashby"),
    ],
)
def test_what_clearly_goes_on_changes_the_answer_before(text: str, kept: str, ask: Ask) -> None:
    given = ask(BEFORE, text)
    assert kept in read_as(given)
    assert "status is held" in read_as(given)
    assert UNCERTAIN not in given.text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("by tutor", "by town and tutor"),  # most people who name one of two groups anew mean it instead of the second
        ("how many of them were for Maths?", "subject is maths"),  # or how many in all
    ],
)
def test_what_may_go_on_in_two_ways_is_told_with_doubt(text: str, kept: str, ask: Ask) -> None:
    given = ask(BEFORE, text)
    assert kept in read_as(given)
    assert "status is held" in read_as(given)
    assert UNCERTAIN in given.text


def test_a_question_about_what_the_answer_shows_stays_within_it(ask: Ask) -> None:
    asked = ("What is the total fee by subject in 2025?", "which subject has the highest fee?")
    assert "date is in 2025" in read_as(ask(*asked))


@pytest.mark.parametrize(
    "text", ["which school is taught most often", "which subject pays the most", "show fees of each school by year"]
)
def test_what_is_said_to_be_done_makes_a_question_of_its_own(text: str, ask: Ask) -> None:
    given = ask("What is the average minutes of Nadia by town?", text)
    assert "nadia" not in read_as_any(given)
    assert "by town" not in read_as_any(given)


def read_as_any(given: Answer) -> str:
    """How an answer was read, or what the first reading of a question back is."""
    offered = given.plan.options[0].label if isinstance(given.plan, Clarify) and given.plan.options else ""
    return f"{given.evidence.plan_sentence} {offered}".casefold()


def test_only_some_of_what_a_question_back_tells_apart_goes_on_from_it(ask: Ask) -> None:
    first, other = ask(BEFORE), ask("What is the total fee by subject and school?")
    assert other.plan is not None
    turns = (Turn(BEFORE, first.plan, first.text), offered("fees of subjects", other.plan, "so"))
    given = ask("only Maths", turns=turns)
    assert read_as(given).startswith("total fee by subject and school")
    assert UNCERTAIN in given.text


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("did-not-attend rate by clinician this year", False),
        ("average fee by clinician this month", False),
        ("can you show this by region please", True),
    ],
)
def test_this_year_points_at_no_answer_before(text: str, on: bool) -> None:
    assert goes_on(text) is on
