"""What is said to messages that ask for no figure, and what is found where somebody asks what stands out."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.talk import without_remarks
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Turn

Say = Callable[..., Answer]
TODAY = date(2026, 1, 12)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    chance, folder = random.Random(5), tmp_path_factory.mktemp("sales")
    lines = ["day,shop,kind,revenue,forecast"]
    for number in range(400):
        shop = chance.choice(["Harbor", "Hill", "Market"])
        kind = chance.choice(["Bread", "Cake", "Coffee"])
        lines.append(
            f"{date(2024, 1, 1) + timedelta(days=number * 1.8)},{shop},{kind},{chance.randrange(5, 90)},{number}"
        )
    (folder / "sales.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "sales.csv"], folder / "tables")


@pytest.fixture(scope="module")
def say(catalog: FixedCatalog) -> Say:
    def said(*texts: str) -> Answer:
        turns: tuple[Turn, ...] = ()
        warehouse = LocalWarehouse()
        for text in texts:
            given = answer(Question(text, TODAY, turns=turns), catalog=catalog, warehouse=warehouse)
            turns = (*turns, Turn(text, given.plan, given.text))
        warehouse.close()
        return given

    return said


@pytest.mark.parametrize(
    "text", ["Hello", "good morning!", "thanks a lot", "What can you do?", "bye", "Great, thank you!"]
)
def test_small_talk_gets_a_sentence_and_no_table(text: str, say: Say) -> None:
    given = say(text)
    assert (given.status, given.result, given.plan) == ("answered", None, None)
    assert len(given.text.split()) < 60


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What will revenue be next year?", "I do not make forecasts, but"),
        ("should I open another shop?", "I do not give advice"),
        ("what should we buy next?", "I do not give advice"),
        ("is it going to rain tomorrow?", "I do not know about the weather"),
        ("tell me a joke", "I do not know about the world"),
    ],
)
def test_what_cannot_be_told_is_refused_with_what_can(text: str, words: str, say: Say) -> None:
    given = say(text)
    assert (given.status, given.result) == ("declined", None)
    assert words in given.text
    assert given.choices


def test_a_column_of_forecasts_may_be_asked_about(say: Say) -> None:
    assert "I do not make forecasts" not in say("total forecast by shop").text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Wie viele Kunden haben wir?", "Englisch"),
        ("¿Cuántas ventas hubo en total?", "inglés"),
        ("Quel est le chiffre par mois ?", "anglais"),
        ("Quante vendite abbiamo nel mese?", "inglese"),
        ("Hoeveel omzet hebben wij per maand?", "Engels"),
    ],
)
def test_another_language_is_answered_in_it(text: str, words: str, say: Say) -> None:
    given = say(text)
    assert given.result is None
    assert words in given.text


@pytest.mark.parametrize("text", ["as a pie", "total revenue per month in 2025", "per shop", "was it more in March?"])
def test_english_is_no_other_language(text: str, say: Say) -> None:
    assert not any(word in say("total revenue by shop", text).text for word in ("inglês", "Engels", "Englisch"))


def test_a_refusal_leaves_the_subject_as_it_was(say: Say) -> None:
    given = say("total revenue by shop in 2025", "what will it be next year?", "thanks", "only Hill")
    assert given.result is not None
    assert [row[0] for row in given.result.rows] == ["Hill"]
    assert "2025" in given.evidence.plan_sentence


def test_a_summary_names_the_rows_the_total_and_who_leads(say: Say, catalog: FixedCatalog) -> None:
    given = say("Summarize this file")
    assert given.status == "answered"
    assert "400" in given.text
    assert given.text.count("\n- ") >= 3


def test_as_many_insights_are_told_as_were_asked_for(say: Say) -> None:
    fewer, more = say("give me 2 insights"), say("give me 4 insights")
    assert fewer.text.count("\n- ") < more.text.count("\n- ")


def test_what_is_written_for_the_boss_is_about_the_answer_before(say: Say) -> None:
    given = say("total revenue by shop in 2025", "write it for my boss")
    assert "2025" in given.text
    assert given.text.count("\n- ") >= 3


@pytest.mark.parametrize(
    "asked", ["total revenue by shop for my boss", "I need one number for the board: revenue in 2025"]
)
def test_a_question_for_somebody_else_is_answered_as_the_question_it_is(say: Say, asked: str) -> None:
    assert "stands out" not in say(asked).text


def test_what_nothing_was_found_for_changes_nothing(say: Say) -> None:
    given = say("total revenue by shop", "who worked on that?", "as a pie")
    assert given.chart is not None
    assert given.chart.document["type"] == "pie"


@pytest.mark.parametrize("text", ["revenue by shop, takeaway", "summarize revenue by shop", "findings in March"])
def test_a_message_that_names_a_figure_a_group_or_days_asks_for_no_findings_of_the_whole(text: str, say: Say) -> None:
    assert "What stands out:" not in say(text).text


@pytest.mark.parametrize("text", ["key takeaways", "insights on sales", "what stands out in the sales?"])
def test_findings_may_be_asked_of_a_table(text: str, say: Say) -> None:
    assert "**Sales** holds 400 sales" in say(text).text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Right, so which shops sold cake?", "which shops sold cake?"),
        ("ooh nice. who sold the most, I wonder", "who sold the most"),
        ("by month, ta", "by month"),
        ("never mind. on a happier note, how much coffee?", "how much coffee?"),
        ("revenue of St. Paul's, 3.5 and up", "revenue of St. Paul's, 3.5 and up"),
        ("no, the Harbor", "no, the Harbor"),
        ("thanks!", "thanks!"),
    ],
)
def test_what_is_only_remarked_is_no_part_of_a_request(text: str, asked: str) -> None:
    left = without_remarks(text)
    assert left.strip().removeprefix("so ") == asked
    assert text.find(asked.rstrip("?")) == left.find(asked.rstrip("?"))  # all stands where it stood


def test_a_request_is_read_as_without_its_remarks(say: Say) -> None:
    plain, remarked = say("total revenue by shop"), say("Ooh, lovely. total revenue by shop, ta")
    assert remarked.plan == plain.plan
