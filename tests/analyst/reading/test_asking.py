"""Before anything is told it is asked what a word for the things counted means of which nothing is heeded, and which
figures a statistic is wanted of."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import duckdb
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.asking import condition
from apps.analyst.conversation.readas.conditions import passed
from apps.analyst.conversation.readas.figure_words import figure_word
from apps.analyst.conversation.studied import studied, tells
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import (
    Aggregate,
    Between,
    Bin,
    Clarify,
    ColumnRef,
    Compare,
    Constant,
    Output,
    Period,
    Predicate,
    Query,
    Statistic,
)
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.dialogues import playing

TODAY = date(2026, 1, 12)
ROWS = Output(label="Number of rows", expr=Aggregate(fn="count"))


@pytest.fixture(scope="module")
def deals() -> FixedCatalog:
    return playing.catalog("deals")


def ask(text: str, catalog: FixedCatalog, *turns: Turn) -> Answer:
    with_turns = Question(text, TODAY, turns=turns)
    return answer(with_turns, catalog=catalog, warehouse=LocalWarehouse(threads=1), onward=True)


def count(table: str, where: Predicate | None = None) -> Query:
    return Query(source=table, measures=(ROWS,), where=where)


def words(text: str, plan: Query, catalog: FixedCatalog) -> list[str]:
    linked = link(Question(text, TODAY), catalog)
    return [linked.tokens[place] for place in passed(linked, plan, catalog)]


# ---------------------------------------------------------------- figures that the data do not have
@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Orders whose only amount is what carrying them cost."""
    folder = tmp_path_factory.mktemp("carried")
    rows = [f"{n},{'Quell' if n % 3 else 'Marl'},2025-{1 + n % 12:02}-05,{4 + n % 7}.5" for n in range(60)]
    (folder / "orders.csv").write_text("\n".join(["Order No,Buyer,Order Date,Freight", *rows]))
    return catalog_from_files([folder / "orders.csv"], folder / "stored")


@pytest.mark.parametrize(
    "text", ["Which buyer brings in the most revenue?", "revenue by buyer", "total revenue in 2025"]
)
def test_no_other_amount_is_told_for_one_that_the_data_do_not_have(text: str, carried: FixedCatalog) -> None:
    said = ask(text, carried)
    assert said.status in ("clarify", "declined")
    assert said.read_as is not None
    assert "revenue" in [text[start:end] for start, end in said.read_as.unread]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("top 5 buyers by revenue", "revenue"),
        ("turnover by buyer", "turnover"),
        ("top 5 buyers by freight", None),
        ("shipping cost by buyer", None),
        ("top 5 buyers by total", None),
        ("total amount by buyer", None),
    ],
)
def test_the_word_for_another_amount_is_the_one_that_is_asked_for(
    text: str, word: str | None, carried: FixedCatalog
) -> None:
    freight = Aggregate(fn="sum", of=ColumnRef(table="orders", column="Freight"))
    buyer = Output(label="Buyer", expr=ColumnRef(table="orders", column="Buyer"))
    plan = Query(source="orders", groups=(buyer,), measures=(Output(label="Total freight", expr=freight),))
    question = Question(text, TODAY)
    linked = link(question, carried)
    place = figure_word(linked, plan)
    assert (linked.tokens[place] if place is not None else None) == word
    span = condition(question, Reading(plan, 0.95), [], carried)
    assert (text[slice(*span)] if span is not None else None) == word


@pytest.mark.parametrize(
    "text", ["total freight by buyer", "shipping cost by buyer", "How much freight did we pay in 2025?"]
)
def test_an_amount_is_told_by_what_it_is_called(text: str, carried: FixedCatalog) -> None:
    assert ask(text, carried).status == "answered"


@pytest.fixture(scope="module")
def wreaths(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Orders with what each came to, and how it was paid."""
    folder = tmp_path_factory.mktemp("wreaths")
    cards = ("American Express", "Visa", "Discover", "Visa")
    rows = [f"{n},Town {n % 3},{cards[n % 4]},2025-{1 + n % 12:02}-05,{14 + n % 7}.5" for n in range(60)]
    (folder / "orders.csv").write_text("\n".join(["Order No,Town,Card Brand,Order Date,Order Total", *rows]))
    return catalog_from_files([folder / "orders.csv"], folder / "stored")


@pytest.mark.parametrize("text", ["revenue by town", "Which town brings in the most revenue?"])
def test_what_orders_came_to_may_be_called_revenue(text: str, wreaths: FixedCatalog) -> None:
    said = ask(text, wreaths)
    assert said.status == "answered", said.text
    assert isinstance(said.plan, Query)
    assert [measure.label.casefold() for measure in said.plan.measures] == ["total order total"]


def test_not_where_a_column_is_nearer_to_the_word(tmp_path: Path) -> None:
    rows = [f"{n},Town {n % 3},2025-{1 + n % 12:02}-05,{14 + n % 7}.5,{12 + n % 7}.5" for n in range(60)]
    (tmp_path / "orders.csv").write_text("\n".join(["Order No,Town,Order Date,Order Total,Net Sales", *rows]))
    both = catalog_from_files([tmp_path / "orders.csv"], tmp_path / "stored")
    total = Aggregate(fn="sum", of=ColumnRef(table="orders", column="Order Total"))
    plan = Query(source="orders", measures=(Output(label="Total order total", expr=total),))
    linked = link(Question("revenue", TODAY), both)
    assert figure_word(linked, plan) == 0


def test_a_code_is_said_for_what_is_stored_in_full(wreaths: FixedCatalog) -> None:
    said = ask("How many orders were paid with Amex?", wreaths)
    assert said.result is not None, said.text
    assert [str(cell) for cell in said.result.rows[0]] == ["15"]


@pytest.mark.parametrize("text", ["what did we spend on google ads", "profit by town"])
def test_no_stored_value_is_offered_for_a_word_that_only_lies_near_it(text: str, wreaths: FixedCatalog) -> None:
    said = ask(text, wreaths)
    assert not [choice.label for choice in said.choices if choice.lesson is not None and choice.lesson.value_synonyms]


# ---------------------------------------------------------------- states of the things counted
@pytest.mark.parametrize("text", ["How many deals were bought in 2025?", "How many deals were bought?"])
def test_a_word_for_a_state_that_nothing_heeds_is_asked_for(text: str, deals: FixedCatalog) -> None:
    said = ask(text, deals)
    assert (said.status, said.result) == ("declined", None)
    assert "Which of these is “bought”?" in said.text
    assert said.read_as is not None
    assert said.read_as.asked is not None
    assert text[slice(*said.read_as.asked)] == "bought"
    assert said.read_as.asked in said.read_as.unread
    assert next(choice.label for choice in said.choices if choice.kind == "meaning") == "Stage is Won"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("How many deals were shipped in 2025?", "shipped"),
        ("How many deals in EMEA were refunded in 2024?", "refunded"),
    ],
)
def test_it_is_asked_for_beside_the_readings_of_a_question_back_too(text: str, word: str, deals: FixedCatalog) -> None:
    said = ask(text, deals)
    assert said.status == "clarify"
    assert said.text == f"I do not know what “{word}” is here."
    assert said.read_as is not None
    assert [text[slice(*span)] for span in said.read_as.unread] == [word]
    assert "Stage is Won" in [choice.label for choice in said.choices if choice.kind == "meaning"]


def test_what_was_understood_stands_beside_the_word_that_is_asked_for(deals: FixedCatalog) -> None:
    said = ask("How many deals were bought in 2025?", deals)
    assert said.read_as is not None
    assert said.read_as.chips[0].label == "Number of deals"
    assert "rewrite" in [choice.kind for choice in said.choices]


def test_a_meaning_that_is_chosen_for_the_word_answers_at_once(deals: FixedCatalog) -> None:
    text = "How many deals were bought?"
    said = ask(text, deals)
    chosen = next(choice for choice in said.choices if choice.label == "Stage is Won")
    taken = ask(chosen.question, deals, Turn(text, said.plan, said.text))
    assert taken.status == "answered"
    path = playing.files("deals")[0]
    (told,) = duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE \"Stage\" = 'Won'").fetchall()
    assert taken.result is not None
    assert taken.result.rows == (told,)


@pytest.mark.parametrize(
    "text",
    [
        "how many deals were created in 2025?",
        "How many deals were handled by Maria Lopez?",
        "how many won deals by region",
        "how many deals are overdue",
        "deals closed in 2025 by close date",
    ],
)
def test_what_the_data_tell_or_who_does_it_is_not_asked_for(text: str, deals: FixedCatalog) -> None:
    assert "Which of these is" not in ask(text, deals).text


def test_a_word_for_a_state_is_found_in_what_a_plan_uses_or_in_what_its_rows_are(deals: FixedCatalog) -> None:
    stage = Compare(op="=", left=ColumnRef(table="deals", column="Stage"), right=Constant(value="Won"))
    ends = (Constant(value=f"{year}-01-01", type="date") for year in (2025, 2026))
    low, high = ends
    closed = Between(of=ColumnRef(table="deals", column="Close Date"), low=low, high=high, half_open=True)
    assert words("how many deals were won", count("deals"), deals) == ["won"]
    assert words("how many deals were won", count("deals", stage), deals) == []
    assert words("how many deals were closed in 2025", count("deals"), deals) == ["closed"]
    assert words("how many deals were closed in 2025", count("deals", closed), deals) == []
    assert words("how many deals were bought in 2025", count("deals", closed), deals) == ["bought"]
    bakery = playing.catalog("bakery")
    assert words("how many croissants were sold", count("daily_sales"), bakery) == []
    assert words("how many croissants were returned", count("daily_sales"), bakery) == ["returned"]


def test_a_word_that_is_a_thing_or_an_end_of_an_order_says_no_state(deals: FixedCatalog) -> None:
    assert words("battery deals by owner", count("deals"), deals) == []
    assert words("our most successful deals", count("deals"), deals) == []
    assert words("zapped deals by owner", count("deals"), deals) == ["zapped"]


def test_the_question_by_which_date_says_what_was_understood(deals: FixedCatalog) -> None:
    text = "How many appointments in March 2025"
    said = ask(text, deals)
    assert "by which date it goes" in said.text
    assert said.read_as is not None
    assert [chip.label for chip in said.read_as.chips] == ["March 2025"]
    assert [text[slice(*span)] for span in said.read_as.unread] == ["appointments"]


def test_a_thing_that_the_data_do_not_know_is_marked_where_others_are_counted(deals: FixedCatalog) -> None:
    text = "How many appointments in EMEA in March 2025"
    said = ask(text, deals)
    assert said.read_as is not None
    assert [text[slice(*span)] for span in said.read_as.unread] == ["appointments"]
    rows = ask("number of rows in March 2025 by close date", deals)
    assert rows.read_as is not None
    assert rows.read_as.unread == ()


# ---------------------------------------------------------------- statistics
def test_the_question_of_the_help_document_is_answered_over_a_plain_file(deals: FixedCatalog) -> None:
    said = ask("Is there a correlation between deal amount and days to close?", deals)
    assert said.status == "answered"
    path = playing.files("deals")[0]
    days = 'date_diff(\'day\', "Created Date", "Close Date")'
    (told,) = duckdb.sql(f"SELECT corr(\"Amount\", {days}), count(*) FROM '{path}'").fetchall()
    assert f"r = {told[0]:.2f} over {told[1]} rows" in said.text
    assert said.read_as is not None
    assert [chip.label for chip in said.read_as.chips] == [
        "Correlation of amount and days from created date to close date"
    ]
    assert not said.choices  # it does not ask back with the question itself


def test_days_between_two_dates_are_a_figure_of_any_statistic(deals: FixedCatalog) -> None:
    said = ask("outliers in days from created date to close date", deals)
    assert isinstance(said.plan, Statistic)
    assert said.plan.query.columns[0].unit == "days"


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("correlations", "Correlation of amount and days from created date to close date"),
        ("is amount correlated with region?", "Correlation of amount and days from created date to close date"),
        ("outliers by owner", "Outliers of amount"),
        ("distribution of days to close", "Number of deals by days from created date to close date in steps"),
    ],
)
def test_a_statistic_whose_figures_are_not_found_is_offered_of_the_nearest(
    text: str, offered: str, deals: FixedCatalog
) -> None:
    said = ask(text, deals)
    assert (said.status, said.result) == ("declined", None)
    assert said.text.startswith("I can compute ")
    assert said.choices[0].label == offered
    assert {choice.kind for choice in said.choices} == {"rewrite"}
    assert isinstance(said.plan, Clarify)
    for choice, option in zip(said.choices, said.plan.options, strict=True):
        taken = ask(choice.question, deals, Turn(text, said.plan, said.text))
        assert (taken.status, taken.plan) == ("answered", option.plan)


@pytest.mark.parametrize(
    "text",
    [
        "correlation between amount and nothing",
        "covariance of amount",
        "the variance of blorp",
        "percentiles by owner",
        "what is the significance of amount?",
        "regression of amount",
        "trend of zorg",
    ],
)
def test_a_word_of_statistics_is_never_taken_for_a_column_or_a_value(text: str, deals: FixedCatalog) -> None:
    said = ask(text, deals)
    linked = link(Question(text, TODAY), deals)
    meant = [choice.lesson.text for choice in said.choices if choice.lesson is not None]
    assert studied(linked)
    for one in studied(linked):
        assert f"“{linked.tokens[one.start]}”" not in said.text
        assert not [lesson for lesson in meant if f"“{linked.tokens[one.start]}”" in lesson]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("standard deviation of amount by region", "Standard deviation of amount"),
        ("distribution of amount", "Number of deals"),
        ("what is the variance of amount?", "Variance of amount"),
    ],
)
def test_a_statistic_that_is_read_whole_is_told(text: str, label: str, deals: FixedCatalog) -> None:
    said = ask(text, deals)
    assert said.status == "answered"
    assert said.read_as is not None
    assert said.read_as.chips[0].label == label
    assert said.read_as.unread == ()


def test_words_of_statistics_are_spelled_as_they_are(deals: FixedCatalog) -> None:
    assert link(Question("outliers by owner", TODAY), deals).tokens[0] == "outliers"


def test_what_the_data_call_so_is_no_statistic(stays: FixedCatalog) -> None:
    assert [one.kind for one in studied(link(Question("total spread by trend", TODAY), stays))] == ["trend"]
    assert studied(link(Question("standard deviation of nights", TODAY), stays))[0].end == 2


def test_a_plan_tells_a_statistic_by_what_it_shows() -> None:
    amount = ColumnRef(table="deals", column="Amount")
    month = Output(label="Month", expr=Period(grain="month", of=ColumnRef(table="deals", column="Close Date")))
    by_amount = Output(label="Amount", expr=Bin(of=amount, count=10))
    average = Output(label="Average", expr=Aggregate(fn="avg", of=amount))
    assert tells(Query(source="deals", measures=(average,), groups=(month,)), "trend")
    assert tells(Query(source="deals", measures=(ROWS,), groups=(by_amount,)), "distribution")
    assert not tells(Query(source="deals", measures=(average,), groups=(by_amount,)), "distribution")
    assert not tells(Query(source="deals", measures=(average,), groups=(month,)), "correlation")
