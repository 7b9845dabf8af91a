"""What is shown of a text that is still being typed: its parts so far, and what its last word may become."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.completing import Completion, completions
from apps.analyst.conversation.previewing import Preview, previewed
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question, Taught, Turn
from tests.analyst.dialogues import playing

TODAY = date(2026, 1, 12)
KEYWORDS = {"Win rate": "won / (won + lost)"}


@pytest.fixture(scope="module")
def deals() -> FixedCatalog:
    return playing.catalog("deals")


def read(text: str, catalog: FixedCatalog, **more: object) -> Preview:
    return previewed(Question(text, TODAY, **more), catalog)  # type: ignore[arg-type]


def labels(text: str, catalog: FixedCatalog, **more: object) -> list[str]:
    return [label for _, label in read(text, catalog, **more).parts]


def completed(text: str, catalog: FixedCatalog, **more: tuple[str, ...]) -> list[str]:
    return [one.text for one in completions(text, catalog, TODAY, KEYWORDS, **more)]


# ---------------------------------------------------------------- the parts
@pytest.mark.parametrize(
    "text", ["total amount by owner in 2025", "how many deals did we win in 2025", "average amount by stage"]
)
def test_the_parts_are_those_of_the_answer_that_follows(text: str, deals: FixedCatalog) -> None:
    told = answer(Question(text, TODAY), catalog=deals, warehouse=LocalWarehouse(threads=1)).read_as
    assert told is not None
    parts, chips = read(text, deals).parts, [chip for chip in told.chips if not chip.label.startswith("No ")]
    assert len(parts) >= 2
    assert [part for part, _ in parts] == [chip.part for chip in chips]
    # Of a period whose date is asked for the answer says the days alone.
    assert all(label.startswith(chip.label) for (_, label), chip in zip(parts, chips, strict=True))


def test_what_goes_on_from_the_last_answer_is_read_so(deals: FixedCatalog) -> None:
    (asked,) = playing.play(playing.Dialogue("one", "deals", ({"say": "total amount by owner", "declines": True},)))
    turns = (Turn(asked.said, asked.answer.plan, asked.answer.text),)
    assert labels("only 2025", deals, turns=turns) == ["Total amount", "By owner", "2025, by created date"]
    assert labels("and the average?", deals, turns=turns) == ["Average amount", "By owner"]
    assert labels("and the average?", deals) == []


def test_a_word_without_a_place_is_named(deals: FixedCatalog) -> None:
    text = "total amount of zebra deals by owner"
    assert [text[start:end] for start, end in read(text, deals).unread] == ["zebra"]


def test_a_word_that_is_still_being_typed_is_not_held_for_unread(deals: FixedCatalog) -> None:
    assert read("total amount by owner of zebr", deals).unread == ()
    assert len(read("total amount by owner of zebr ", deals).unread) == 1


@pytest.mark.parametrize("begun", ["ca", "wi", "xqz"])
def test_a_word_that_is_still_being_typed_is_not_guessed_for_a_value(begun: str, deals: FixedCatalog) -> None:
    assert labels(f"how many deals were {begun}", deals) == ["Number of deals"]
    assert "Stage is Won" in labels("how many deals were won", deals)


@pytest.mark.parametrize("text", ["", " …é", "total", "hello there", "who is the xqzt of zzqk", "sales " * 200])
def test_what_says_too_little_or_asks_nothing_of_the_data_shows_nothing(text: str, deals: FixedCatalog) -> None:
    assert read(text, deals) == Preview()


def test_the_previews_are_what_the_answers_then_say() -> None:
    """Over the open dialogues: previews compute nothing, so a few answers turn out otherwise."""
    same = answered = 0
    for dialogue in playing.dialogues("open"):
        catalog, turns = playing.catalog(dialogue.tables), ()
        for played in playing.play(dialogue):
            question = Question(played.said, playing.TODAY, turns=turns)
            turns = (*turns, Turn(played.said, played.answer.plan, played.answer.text))
            if played.answer.status == "answered" and played.answer.read_as is not None:
                told = [chip.label for chip in played.answer.read_as.chips if not chip.label.startswith("No ")]
                answered += 1
                same += told == [label for _, label in previewed(question, catalog).parts]
    assert answered > 100
    assert same >= 0.97 * answered


# ---------------------------------------------------------------- the words
def test_columns_are_completed_from_how_one_of_their_words_begins(deals: FixedCatalog) -> None:
    assert completions("total am", deals, TODAY, {}) == (Completion("amount", "column", "Column of deals", 6),)
    assert completed("deals by sou", deals) == ["lead source"]
    assert completed("how many cl", deals)[0] == "close date"


def test_stored_values_are_completed_with_the_column_that_holds_them(deals: FixedCatalog) -> None:
    found = completions("amount of prop", deals, TODAY, {})
    assert [(one.text, one.where) for one in found] == [("Proposal", "Stage")]


def test_periods_are_completed_the_nearest_first(deals: FixedCatalog) -> None:
    assert completed("amount last m", deals) == ["last month"]
    assert completed("amount last ", deals)[:3] == ["last week", "last month", "last quarter"]
    assert completed("amount in janu", deals)[:2] == ["January 2026", "January 2025"]
    assert completed("amount in q3", deals)[0] == "Q3 2026"


def test_taught_words_and_keywords_are_completed_with_what_they_mean(deals: FixedCatalog) -> None:
    (table,) = deals.tables()
    said = (
        Taught(column="Amount", synonyms=("booking value",)),
        Taught(column="Stage", value_synonyms={"Won": ("bagged",)}),
    )
    taught = FixedCatalog("words taught", (replace(table, taught=said),))
    assert completions("total boo", taught, TODAY, {})[0] == Completion("booking value", "word", "Means amount", 6)
    assert completions("how many bag", taught, TODAY, {})[0] == Completion("bagged", "word", "Means Won", 9)
    found = completions("what is the win", deals, TODAY, KEYWORDS)
    assert found[0] == Completion("Win rate", "word", "won / (won + lost)", 12)


@pytest.mark.parametrize(("own", "first"), [("deals", "close date"), ("visits", "club")])
def test_what_people_brought_is_completed_before_the_examples(own: str, first: str) -> None:
    tables = [t for name in ("deals", "gym") for t in playing.catalog(name).tables() if t.name in ("deals", "visits")]
    marked = FixedCatalog(own, tuple(replace(table, example=table.name != own) for table in tables))
    found = completed("by cl", marked)
    assert found[0] == first
    assert {"close date", "club"} <= set(found)


@pytest.mark.parametrize("text", ["", "a", "total amount", "deals in", "zzq"])
def test_nothing_is_completed_that_is_too_short_complete_or_unknown(text: str, deals: FixedCatalog) -> None:
    assert completed(text, deals) == []


def test_only_the_chosen_files_are_completed_from() -> None:
    gym = playing.catalog("gym")
    assert completed("members by home", gym) == ["home club"]
    assert completed("members by home", gym, files=("visits.csv",)) == []
