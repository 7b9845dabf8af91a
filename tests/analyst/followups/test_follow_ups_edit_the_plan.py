"""A follow-up edits the plan before it, whichever approach made that plan."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.conversation.going_on import gone_on_from
from apps.analyst.plan import Aggregate, Between, ColumnRef, Comparison, Constant, Drivers, Query
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.charts.slices import ONE_GROUP
from apps.analyst.telling.followups import follow_ups
from apps.analyst.types import Question, Turn
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import LATER, UNCERTAIN, Ask, Talk, sentence


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("orders")
    return catalog_from_files([orders(folder)], folder / "tables")


def orders(folder: Path) -> Path:
    chance = random.Random(3)
    rows = [
        [n, date(2023, 1, 1 + n % 28).replace(month=1 + n % 12, year=2023 + n % 2), chance.choice(("West", "East")),
         chance.choice(("Widget", "Gadget", "Gizmo")), chance.randrange(10, 900),
         date(2023, 1 + n % 12, 2 + n % 20).replace(year=2023 + n % 3 % 2)]
        for n in range(1, 241)
    ]  # fmt: skip
    return write(folder, "orders.csv", ["order_id", "order_date", "region", "product", "amount", "paid_date"], rows)


@pytest.mark.parametrize(
    ("first", "then", "names"),
    [
        ("top 2 products by total amount", "sort by name", ["Gizmo", "Widget"]),
        ("top 2 products by total amount in 2024", "sort by product", ["Gizmo", "Widget"]),
        ("top 2 products by total amount", "lowest first", ["Widget", "Gizmo"]),
    ],
)
def test_another_order_shows_the_same_as_before(first: str, then: str, names: list[str], talk: Talk) -> None:
    before, after = talk(first, then)
    assert before.result is not None
    assert after.result is not None
    assert [row[0] for row in before.result.rows] == ["Gizmo", "Widget"]
    assert [row[0] for row in after.result.rows] == names
    assert "product is among the top 2 products by total amount, sorted by" in sentence(after)


def test_another_order_of_rows_shows_the_same_rows(talk: Talk) -> None:
    before, after = talk("top 3 orders by amount", "sort by product")
    assert before.result is not None
    assert after.result is not None
    assert {row[0] for row in before.result.rows} == {row[0] for row in after.result.rows}
    assert [row[1] for row in after.result.rows] == sorted(row[1] for row in after.result.rows)
    assert "order is among the top 3 orders by amount, sorted by product" in sentence(after)


def test_what_goes_on_from_another_order_is_of_what_was_shown(ask: Ask) -> None:
    first = ("top 2 products by total amount", "sort by name")
    sorted_, behind, percent = ask(*first), ask(*first, "and the next 1?"), ask(*first, "in percent")
    assert sorted_.result is not None
    assert behind.result is not None
    assert percent.result is not None
    assert "of orders of the top 2 products is highest for **Gizmo**" in sorted_.text
    assert [row[0] for row in behind.result.rows] == ["Gadget"]
    shares = {str(row[0]): round(float(str(row[1])), 1) for row in percent.result.rows}
    assert shares == {"Gizmo": 35.5, "Widget": 34.2}, "of all three, of which the third has 30.3"
    cut = ask("top 2 products by total amount", "in percent", "sort by name", "and the next 1?")
    assert cut.result is not None
    assert [(str(row[0]), round(float(str(row[1])), 1)) for row in cut.result.rows] == [("Gadget", 30.3)]


@pytest.mark.parametrize("texts", [("sort by name",), ("sort by name", "in percent"), ("in percent", "sort by name")])
def test_what_holds_for_all_rows_is_said_once(texts: Sequence[str], ask: Ask) -> None:
    made = ask("top 2 products by total amount in 2024", *texts)
    assert made.read_as is not None
    assert made.plan is not None
    chip = next(chip.label for chip in made.read_as.chips if chip.label.startswith("Product is among"))
    assert "counting only" not in chip
    assert plan_sentence(made.plan).count("2024") == 1


def test_an_order_alone_is_told_no_figure(ask: Ask) -> None:
    assert ask("how many orders", "newest first").status != "answered"


@pytest.mark.parametrize(
    ("then", "by", "newest"),
    [
        ("newest first", "Order date", True),
        ("sort by order date", "Order date", False),
        ("sort by product", "Product", False),
    ],
)
def test_rows_that_are_shown_can_be_sorted(then: str, by: str, newest: bool, ask: Ask) -> None:
    made = ask("total amount by region", "show the rows behind it", then)
    assert made.result is not None, made.text
    place = [column.name for column in made.result.columns].index(by)
    cells = [str(row[place]) for row in made.result.rows]
    assert len(cells) == 240
    assert cells == sorted(cells, reverse=newest)


@pytest.mark.parametrize(
    ("texts", "shown", "words"),
    [
        (("and the next 2?",), [3, 4], "rows 3 to 4"),
        (("the next ones",), [3, 4], "rows 3 to 4"),
        (("3 more", "sort by amount"), [3, 4, 5], "is among the orders in places 3 to 5 by amount"),
    ],
)
def test_the_places_behind_a_ranking_are_shown(texts: Sequence[str], shown: list[int], words: str, ask: Ask) -> None:
    every = ask("top 9 orders by amount")
    made = ask("top 2 orders by amount", *texts)
    assert every.result is not None
    assert made.result is not None, made.text
    assert made.plan is not None
    assert {row[0] for row in made.result.rows} == {every.result.rows[place - 1][0] for place in shown}
    assert words in plan_sentence(made.plan)


def test_the_same_in_percent_is_no_question_for_the_judge(ask: Ask, catalog: FixedCatalog) -> None:
    before = ask("total amount by region")
    turns = (Turn("total amount by region", before.plan, before.text),)
    for text, weighed in (("in percent", False), ("in percent by product", True)):
        question = Question(text, LATER, turns=turns)
        assert (gone_on_from(question, understood(question, catalog), catalog) is not None) == weighed


@pytest.mark.parametrize("text", ["in percent", "show it in %", "and as percentages"])
def test_the_same_in_percent_is_told_without_a_word_of_doubt(text: str, ask: Ask) -> None:
    made = ask("total amount by region", text)
    assert made.result is not None, made.text
    assert made.plan is not None
    assert plan_sentence(made.plan).startswith("Share of total amount by region")
    assert UNCERTAIN not in made.text


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["What is the total amount by region?", "and by month?"], "Total amount by region and month of order date"),
        (["What is the total amount by region?", "by product instead"], "Total amount by product in orders"),
        (["What is the total amount by product?", "only the West"], "where region is West"),
        (["What is the total amount by product?", "only West", "what about East?"], "where region is East"),
        (["What is the total amount by region?", "without Gizmo"], "where product is not Gizmo"),
        (["What is the total amount by region?", "and 2024?"], "where order date is in 2024"),
        (["Total amount by region in 2023", "what about 2024?"], "where order date is in 2024"),
        (["How many orders are there by product?", "only the top 2"], "the 2 highest"),
        (["What is the total amount by region?", "the average instead"], "Average amount by region"),
        (["What is the total amount by region?", "sort by region"], "sorted by region"),
        (["What is the total amount by region?", "sort by name"], "sorted by region"),
        (["What is the total amount by region?", "show the average instead"], "Average amount by region"),
        (["How many orders are there by product?", "only gizmo"], "where product is Gizmo"),
        (["Which product has the most orders?", "by amount"], "Total amount by product"),
        (["Top 3 products by total amount", "and the second?"], "only row 2"),
        (["How many orders were paid in 2023?", "and in 2024?"], "where paid date is in 2024"),
        (["How many orders were paid in 2023?", "and ordered in 2024?"], "order date is in 2024"),
        (["Total amount by month of paid date", "only 2024"], "where paid date is in 2024"),
        (["How many orders were paid in 2023?", "and by month?"], "by month of paid date"),
        (["Total amount by month of paid date", "by quarter"], "Total amount by quarter of paid date in orders"),
        (["How many orders were paid in 2024?", "by region", "by month instead"], "orders by month of paid date"),
    ],
)
def test_a_follow_up_says_only_what_is_to_be_otherwise(texts: list[str], words: str, talk: Talk) -> None:
    assert words in sentence(talk(*texts)[-1])


@pytest.mark.parametrize("onward", ["top 2", "only the top 2", "compare with last year", "all of them"])
def test_what_follows_the_second_does_not_begin_with_the_second(onward: str, talk: Talk) -> None:
    second, after = talk("Which product has the second highest total amount in 2024?", onward)
    assert isinstance(second.plan, Query)
    assert second.plan.offset == 1
    plan = after.plan.query if isinstance(after.plan, Comparison) else after.plan
    assert isinstance(plan, Query)
    assert plan.offset == 0


def test_a_follow_up_for_a_chart_keeps_the_plan(talk: Talk) -> None:
    first, pie = talk("What is the total amount by region?", "as a pie")
    assert pie.plan == first.plan
    assert pie.chart is not None
    assert pie.chart.document["type"] == "pie"


@pytest.mark.parametrize(
    "texts",
    [
        ["What is the total amount by region?", "as a pie", "only 2024"],
        ["What is the total amount by product?", "as a pie", "only 2024", "exclude Gizmo"],
        ["Total amount by region as a pie chart", "only 2024"],
    ],
)
def test_a_chart_that_was_asked_for_stays_as_rows_are_narrowed(texts: list[str], talk: Talk) -> None:
    narrowed = talk(*texts)[-1]
    assert narrowed.chart is not None
    assert narrowed.chart.document["type"] == "pie"


def test_a_pie_ends_with_its_second_slice_and_it_says_so(talk: Talk) -> None:
    narrowed = talk("What is the total amount by region?", "as a pie", "exclude the West")[-1]
    assert narrowed.chart is None
    assert narrowed.text.endswith(ONE_GROUP)


@pytest.mark.parametrize("text", ["by month instead", "as a bar chart"])
def test_it_goes_where_other_groups_or_another_chart_are_asked_for(text: str, talk: Talk) -> None:
    changed = talk("What is the total amount by region?", "as a pie", text)[-1]
    assert changed.chart is not None
    assert changed.chart.document["type"] != "pie"


def test_a_table_that_is_asked_for_keeps_the_plan(talk: Talk) -> None:
    first, table = talk("What is the total amount by region?", "as a table")
    assert table.plan == first.plan


def test_what_the_data_do_not_hold_is_said_and_changes_nothing(talk: Talk) -> None:
    _, refused, chart = talk("What is the total amount by region?", "only the Moonbase", "as a pie")
    assert (refused.status, refused.text) == (
        "declined",
        "I found nothing in your data for “moonbase”, so I changed nothing.",
    )
    assert "Total amount by region" in sentence(chart)


def test_months_of_a_year_are_laid_beside_the_same_months_of_the_year_before(talk: Talk) -> None:
    compared = talk("What was the total amount by month in 2024?", "compare with last year")[-1]
    assert compared.result is not None
    assert compared.result.total_rows <= 12
    assert [column.name for column in compared.result.columns][:3] == ["Month", "2024", "2023"]
    assert all(row[1] is not None and row[2] is not None for row in compared.result.rows)


def test_a_comparison_with_last_year_puts_the_year_before_beside_the_one_asked_for(talk: Talk) -> None:
    compared = talk("What was the total amount in 2024?", "compare with last year")[-1]
    assert isinstance(compared.plan, Comparison)
    assert (compared.plan.current_label, compared.plan.baseline_label) == ("2024", "2023")


@pytest.mark.parametrize("after", ["compare with 2024", "compare that to 2024"])
def test_a_later_year_beside_an_earlier_one_tells_what_changed_since(talk: Talk, after: str) -> None:
    compared = talk("What was the total amount in 2023?", after)[-1]
    assert isinstance(compared.plan, Comparison)
    assert (compared.plan.current_label, compared.plan.baseline_label) == ("2024", "2023")
    assert compared.plan.query.where is None


def test_those_that_lead_stay_when_they_are_compared_and_nothing_is_said_of_the_others(talk: Talk) -> None:
    first, compared = talk("What are the top 2 regions by total amount in 2024?", "compare with last year")
    assert isinstance(compared.plan, Comparison)
    assert first.result is not None
    assert compared.result is not None
    leading = [row[0] for row in first.result.rows]
    assert [row[0] for row in compared.result.rows] == leading
    assert len(leading) == 2
    assert "Of the 2 regions shown" in compared.text
    assert "Ranked from" in compared.text
    assert compared.chart is not None
    assert compared.chart.document["title"] == "Total amount by region, 2024 and 2023"


def test_a_series_compared_with_last_year_gets_its_year_before(talk: Talk) -> None:
    compared = talk("What is the total amount by month?", "compare with last year")[-1]
    assert compared.result is not None
    assert [column.name for column in compared.result.columns][-2:] == ["Year before", "Change %"]


def test_a_year_that_is_not_over_is_held_against_as_much_of_the_year_before(talk: Talk) -> None:
    compared = talk("What was the total amount by month in 2025?", "compare with last year")[-1]
    assert isinstance(compared.plan, Comparison)
    assert (compared.plan.current_label, compared.plan.baseline_label) == ("2025 so far", "2024 by then")
    assert isinstance(compared.plan.baseline, Between)
    assert compared.plan.baseline.high == Constant(value="2024-08-11", type="date")
    assert "2025 is not over, so it is held against as much of 2024" in compared.assumptions


def test_what_is_left_out_already_is_left_out_once(talk: Talk) -> None:
    assert (
        sentence(talk("What is the total amount by region?", "without Gizmo", "without Gizmo")[-1]).count("Gizmo") == 1
    )


def test_why_explains_the_change_that_was_asked_for(talk: Talk) -> None:
    compared, why = talk("What was the total amount in 2024?", "compare with last year", "why?")[1:]
    assert isinstance(compared.plan, Comparison)
    assert why.plan is not None
    assert why.plan.kind == "drivers"


def test_why_asks_about_the_years_and_not_about_what_they_are_called_in_a_table(talk: Talk) -> None:
    compared, why = talk("What was the total amount in 2025?", "compare with last year", "why?")[1:]
    assert isinstance(compared.plan, Comparison)
    assert compared.plan.baseline_label == "2024 by then"
    assert "by then" not in why.text
    assert why.plan is not None
    assert why.plan.kind in ("drivers", "clarify")


@pytest.mark.parametrize(
    "texts",
    [
        ["What was the total amount in the West in 2024?", "why?"],
        ["What was the total amount in the West in 2024?", "compare with last year", "why?"],
        ["Total amount by product in 2024", "only West", "as a pie", "why?"],
        ["Total amount by product in 2024", "only West", "compare with last year", "only the top 2", "why?"],
    ],
)
def test_why_explains_the_very_rows_of_the_answer_before(texts: list[str], talk: Talk) -> None:
    why = talk(*texts)[-1]
    assert isinstance(why.plan, Drivers), why.text
    assert "region is West" in plan_sentence(why.plan.comparison)
    assert why.plan.comparison.query.groups == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("and by region?", "Total amount by region in orders, 2024 compared with 2023"),
        ("only the West", "Total amount in orders, where region is West, 2024 compared with 2023"),
        ("compare with 2023", "Total amount in orders, 2024 compared with 2023"),
        ("by month", "Total amount by month of order date in orders, 2024 compared with 2023"),
    ],
)
def test_what_follows_an_explanation_goes_on_from_what_was_explained(text: str, words: str, talk: Talk) -> None:
    assert words in sentence(talk("What was the total amount in 2024?", "compare with last year", "why?", text)[-1])


def test_months_of_a_comparison_are_laid_beside_the_same_months(talk: Talk) -> None:
    compared = talk("What was the total amount in 2024?", "compare with last year", "and by month?")[-1]
    assert compared.result is not None
    assert compared.result.total_rows == 12
    assert all(row[1] is not None and row[2] is not None for row in compared.result.rows)


def test_a_comparison_of_some_rows_offers_to_say_why_these_changed(catalog: FixedCatalog, talk: Talk) -> None:
    compared = talk("What was the total amount in the West in 2024?", "compare with last year")[-1]
    assert compared.plan is not None
    (why, *_) = follow_ups(compared.plan, catalog, "compare with last year")
    given = talk(why, turns=(Turn("compare with last year", compared.plan),))[-1]
    assert isinstance(given.plan, Drivers), why
    assert "region is West" in plan_sentence(given.plan.comparison)


def test_why_of_what_did_not_change_is_declined_and_not_answered_with_the_same_again(talk: Talk) -> None:
    why = talk("How many different products are there?", "why?")[-1]
    assert why.status == "declined"


def test_a_follow_up_goes_on_from_the_plan_and_not_from_the_words(talk: Talk, catalog: FixedCatalog) -> None:
    counted = Query(
        source="orders",
        measures=(
            {"label": "Smallest amount", "expr": Aggregate(fn="min", of=ColumnRef(table="orders", column="amount"))},
        ),  # type: ignore[arg-type]
    )
    chosen = Turn("What is the total amount?", plan=counted)
    assert "Lowest amount by region" in sentence(talk("and by region?", turns=(chosen,))[0])


def test_a_question_that_stands_on_its_own_is_no_follow_up(talk: Talk) -> None:
    answers = talk("What is the total amount by region?", "How many orders are there in the West?")
    assert sentence(answers[-1]) == "Number of orders, where region is West."
