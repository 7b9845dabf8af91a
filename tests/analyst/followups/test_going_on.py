"""What goes on from an answer keeps what it does not name, finds a place for all that it names, or is asked about."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.conversation.readas.answers import as_read
from apps.analyst.language import Reading
from apps.analyst.plan import Drivers
from apps.analyst.reading.following import READER
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.charts.slices import NO_PARTS
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import UNCERTAIN, Ask, offered

KITES = [
    ("Delta", "Single line", 24.5),
    ("Rokkaku", "Single line", 48),
    ("Sled", "Single line", 12),
    ("Stunt", "Dual line", 65),
    ("Foil", "Dual line", 89),
    ("Box", "Cellular", 39),
    ("Tetra", "Cellular", 31),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("kites")
    return catalog_from_files([_kites(folder), _orders(folder)], folder / "tables")


def _kites(folder: Path) -> Path:
    rows = [[n, *kite, (0, 7, 18, 0, 3, 40, 11)[n - 1]] for n, kite in enumerate(KITES, 1)]
    return write(folder, "kites.csv", ["kite_id", "kite", "family", "unit_price", "in_stock"], rows)


def _orders(folder: Path) -> Path:
    chance, rows = random.Random(21), []
    for n in range(1, 401):
        kite, quantity = chance.randrange(len(KITES)), chance.choice((1, 1, 2, 3))
        day = date(2025, 1, 2) + timedelta(days=chance.randrange(500))
        seller, way = chance.choice(("Ilse", "Marek", "Yuki")), chance.choice(("Shop", "Market stall", "Online"))
        rows.append([n, day, kite + 1, quantity, quantity * KITES[kite][2], seller, way, chance.randrange(4, 40)])
    head = ["order_id", "ordered_on", "kite_id", "quantity", "amount", "seller", "channel", "packing_minutes"]
    return write(folder, "orders.csv", head, rows)


def read_as(given: Answer) -> str:
    return given.evidence.plan_sentence.casefold()


FIRST = "What is the total amount by seller in 2025?"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["What is the total amount in 2025?", "per month by kite"], "total amount by kite and month of ordered on in"),
        (["How many orders are there by seller?", "and by kite?"], "number of orders by seller and kite in"),
        ([FIRST, "no, not by seller, by channel"], "total amount by channel in"),
        (
            ["What is the total amount by channel and quarter?", "not by quarter, by month"],
            "by channel and month of ordered on in",
        ),
        (["What is the total quantity of Delta kites?", "how much money was that"], "total amount in"),
        (["How many kites are there by family?", "how many are out of stock?"], "kites, where in stock is 0"),
        (["How many kites are there by family?", "out of stock", "which ones?"], "kites, where in stock is 0"),
        ([FIRST, "show me the orders behind it"], "in orders, where ordered on is in 2025"),
        (
            ["Total amount by seller and channel in 2025", "forget the channel"],
            "total amount by seller in orders, where",
        ),
        (["What is the total amount of Ilse in 2025?", "and the others?"], "total amount by seller in orders, where"),
        ([FIRST, "compare 2026 with 2025"], "total amount by seller in orders, 2026 so far compared with 2025 by then"),
        ([FIRST, "2025 vs 2026"], "total amount by seller in orders, 2026 so far compared with 2025 by then"),
        (["Top 2 sellers by total amount", "all of them by quarter"], "by seller and quarter of ordered on in orders."),
        (
            ["Average quantity by seller", "who is the fastest?"],
            "average packing minutes by seller in orders, only the low",
        ),
    ],
    ids=lambda texts: texts[-1] if isinstance(texts, list) else "",
)
def test_each_word_finds_its_place_in_the_answer_before(texts: list[str], words: str, ask: Ask) -> None:
    assert words in read_as(ask(*texts))


def test_the_figure_of_the_same_rows_keeps_what_they_were_chosen_by(ask: Ask) -> None:
    given = ask("What is the total quantity of Delta kites?", "how much money was that")
    assert "kite is delta" in read_as(given)


def test_an_end_that_names_its_figure_is_a_question_of_its_own(ask: Ask) -> None:
    given = ask("Total amount by family per quarter in 2025", "what is the cheapest kite")
    assert "sled" in given.text.casefold()
    assert "unit price" in read_as(given)


@pytest.mark.parametrize("text", ["only for those", "and the kite of those", "who paid them?"])
def test_what_says_that_it_goes_on_is_never_told_as_something_else(text: str, ask: Ask) -> None:
    given = ask(FIRST, text)
    assert given.status in ("clarify", "declined")
    assert given.result is None


def test_a_share_of_all_that_a_group_has_is_told_of_each_group(ask: Ask) -> None:
    given = ask("How many Online orders are there by seller?", "as a percentage of all orders of the seller")
    assert given.result is not None
    shares = [float(str(row[-1])) for row in given.result.rows]
    assert all(15 < share < 55 for share in shares)
    assert sum(shares) != pytest.approx(100, abs=0.1)


def test_of_how_many_different_things_there_are_none_is_the_worst(ask: Ask) -> None:
    assert ask("How many different channels are there?", "worst one?").result is None


def test_an_end_goes_on_from_the_question_back_that_has_groups(ask: Ask) -> None:
    first = ask("How many different channels are there?")
    before = Turn("How many different channels are there?", first.plan, first.text)
    given = ask("worst one?", turns=(before, asked_back(ask, FIRST)))
    assert "total amount by seller in orders, where ordered on is in 2025, only the lowest" in read_as(given)
    assert UNCERTAIN in given.text


def test_an_answer_is_drawn_as_is_asked_for(ask: Ask) -> None:
    given = ask(FIRST, "show that as a pie")
    assert given.chart is not None
    assert given.chart.document["type"] == "pie"


def test_why_it_was_so_in_the_best_month_explains_that_month(ask: Ask) -> None:
    best, why = (ask("What was the best month by total amount?", *texts) for texts in ((), ("why was it so good?",)))
    assert best.result is not None
    month = f"{best.result.rows[0][0]:%B %Y}"
    assert isinstance(why.plan, Drivers)
    assert why.plan.comparison.current_label == month


def asked_back(ask: Ask, text: str) -> Turn:
    """A question that was only asked back, with the reading of another offered."""
    plan = ask(text).plan
    assert plan is not None
    return offered("how did Ilse do last year", plan, "so")


def test_another_value_goes_on_from_the_question_back_that_holds_one_of_its_column(ask: Ask) -> None:
    first = ask("What is the highest unit price?")
    turns = (
        Turn("What is the highest unit price?", first.plan, first.text),
        asked_back(ask, "Total amount of Ilse in 2025"),
    )
    given = ask("and Marek?", turns=turns)
    assert "total amount in orders, where" in read_as(given)
    assert "seller is marek" in read_as(given)
    assert "ordered on is in 2025" in read_as(given)
    assert UNCERTAIN in given.text


def test_where_the_answer_and_the_question_back_may_be_meant_it_is_the_last_that_was_put(ask: Ask) -> None:
    first = ask(FIRST)
    turns = (Turn(FIRST, first.plan, first.text), asked_back(ask, "Total quantity of Ilse in 2025"))
    given = ask("and in 2026?", turns=turns)
    assert "total quantity in orders, where seller is ilse and ordered on is in 2026" in read_as(given)
    assert given.assumptions == ("I went on from “so”",)
    assert UNCERTAIN in given.text


@pytest.mark.parametrize("text", ["thanks, that's all", "great, bye!", "no thanks", "ok got it, thank you"])
def test_several_words_of_small_talk_are_small_talk(text: str, ask: Ask) -> None:
    given = ask(FIRST, text)
    assert (given.status, given.result, given.plan) == ("answered", None, None)


@pytest.mark.parametrize("text", ["as a pie", "as a doughnut chart"])
def test_averages_asked_for_as_slices_are_bars_and_it_says_why(text: str, ask: Ask) -> None:
    given = ask("What is the average amount by seller?", text)
    assert given.chart is not None
    assert given.chart.document["type"] == "bar"
    assert given.text.endswith(NO_PARTS)


def test_words_without_a_place_in_what_goes_on_are_marked(catalog: FixedCatalog, ask: Ask) -> None:
    text = "only Online, per kite"
    told = ask("total amount by seller")
    question = Question(text, today=date(2026, 6, 15))
    assert told.plan is not None
    learned = Reading(plan=told.plan, score=0.9, reader=READER)
    made = as_read(replace(told, read_as=None), question, catalog, (), learned)
    assert made.read_as is not None
    assert {"Online", "kite"} <= {text[start:end] for start, end in made.read_as.unread}


def test_a_question_back_within_a_thread_offers_what_goes_on_from_its_answer_first(ask: Ask) -> None:
    given = ask(FIRST, "and the kite of those")
    assert given.status == "clarify"
    assert given.choices[0].label == "Total amount by seller and kite, 2025, by ordered on"
