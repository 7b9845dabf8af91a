""" "Why?" after an answer that says who comes first is about the first one, not about a date that nobody named."""

from __future__ import annotations

import pytest

from apps.analyst.conversation.editing import NOTHING_TO_EXPLAIN
from apps.analyst.conversation.explaining_leaders import ALONE, LEVEL
from apps.analyst.conversation.previewing import previewed
from apps.analyst.plan import Clarify, Drivers
from apps.analyst.plan.conditions import is_of_group
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Turn
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import TODAY, Talk, sentence

CHANNELS = ("Shop", "Online")
SOLD = [  # region, channel, amounts: North leads by what it sells online, and has one order more than South
    ("North", "Shop", [100, 100]),
    ("North", "Online", [900, 500, 400]),
    ("South", "Shop", [100, 100]),
    ("South", "Online", [200, 200]),
    ("West", "Shop", [50]),
    ("West", "Online", [50, 50]),
    ("", "Online", [10]),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("why")
    rows, made = [], []
    for region, channel, amounts in SOLD:
        for amount in amounts:
            for part in (1, 2):
                made.append((region, channel, amount // 2, f"202{3 + part % 2}-{1 + len(made) % 12:02}-1{part}"))
    rows = [[n, *row, "Kite", "AB"[n % 2]] for n, row in enumerate(made, 1)]
    head = ["order_id", "region", "channel", "amount", "ordered_on", "kind", "desk"]
    return catalog_from_files([write(folder, "orders.csv", head, rows)], folder / "tables")


WHY = (
    "**North** has a higher total amount than South, the next: **2,000** against 600, a difference of 233% (+1,400). "
    "By channel, **Online** accounts for 100% of the difference (+1,400). "
)


@pytest.mark.parametrize(
    "texts",
    [
        ["Which region has the highest total amount?", "why?"],
        ["Which region has the highest total amount?", "why is that?"],
        ["Total amount by region", "why?"],
        ["Total amount by region", "top 2 only", "and why?"],
        ["Total amount by region", "sort by name", "why?"],
    ],
    ids=lambda texts: " / ".join(texts),
)
def test_the_first_is_held_against_the_next(texts: list[str], talk: Talk) -> None:
    why = talk(*texts)[-1]
    assert isinstance(why.plan, Drivers), why.text
    assert why.text.startswith(WHY)
    assert sentence(why).startswith("The difference in total amount in orders, North against South, split by channel")


def test_the_figures_are_those_of_the_two(talk: Talk) -> None:
    why = talk("Which region has the highest total amount?", "why?")[-1]
    assert why.result is not None
    assert [c.name for c in why.result.columns] == ["Channel", "North", "South", "Difference", "Share of difference"]
    assert why.result.rows == (("Online", 1800, 400, 1400, 100.0), ("Shop", 200, 200, 0, 0.0))
    assert why.headline is not None
    assert (why.headline.text, why.headline.change_text) == ("2,000", "+233% vs South")
    assert why.chart is not None
    assert why.chart.document["title"] == "Difference in total amount by channel, North against South"
    assert why.read_as is not None
    labels = [chip.label for chip in why.read_as.chips]
    assert "Difference in total amount" in labels
    assert "North against South" in labels
    assert not any("Ordered on" in label for label in labels)


def test_number_and_average_of_two_groups_are_set_against_each_other(talk: Talk) -> None:
    why = talk("Which region has the highest total amount?", "why?")[-1]
    assert "More orders (10 against 8) make up" in why.text
    assert "a higher average (200 against 75)" in why.text


def test_the_lowest_is_held_against_the_next_one_up(talk: Talk) -> None:
    why = talk("Which region has the lowest number of orders?", "why?")[-1]
    assert why.text.startswith("**West** has a lower number of orders than South, the next: **6** against 8")


def test_a_group_without_a_name_is_one_as_well(talk: Talk) -> None:
    lowest = talk("Number of orders by region, lowest first", "why?")[-1]
    assert lowest.text.startswith("**no region** has a lower number of orders than West, the next: **2** against 6")
    assert isinstance(lowest.plan, Drivers)
    assert is_of_group(lowest.plan.comparison.current)


def test_the_first_in_a_period_is_explained_within_it(talk: Talk) -> None:
    why = talk("Which region had the highest total amount in 2024?", "why?")[-1]
    assert why.text.startswith("**North** has a higher total amount in 2024 (ordered on) than South, the next: ")
    assert "**1,000** against 300" in why.text


def test_all_regions_in_a_period_are_explained_against_the_period_before(talk: Talk) -> None:
    why = talk("Total amount by region in 2024", "why?")[-1]
    assert isinstance(why.plan, Drivers)
    assert [why.plan.comparison.current_label[-4:], why.plan.comparison.baseline_label[-4:]] == ["2024", "2023"]


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("Total amount by kind", ALONE.format("Kite")),
        ("Number of orders by desk", LEVEL.format("A", "B")),
        ("Which channel has the highest number of regions?", None),
    ],
)
def test_what_cannot_be_explained_is_said(first: str, told: str | None, talk: Talk) -> None:
    why = talk(first, "why?")[-1]
    assert why.status == "declined"
    assert why.result is None
    assert told is None or why.text == told


def test_what_follows_goes_on_from_the_two_and_why_is_answered_again(talk: Talk) -> None:
    apart, again = talk("Which region has the highest total amount?", "why?", "by channel", "why?")[2:]
    assert apart.text.startswith("Between North and South, the total amount differs most for **Online** (+1,400, ")
    assert again.text.startswith(WHY)


def test_nothing_is_previewed_that_is_not_answered(talk: Talk, catalog: FixedCatalog) -> None:
    first = "Which region has the highest total amount?"
    turn = Turn(first, talk(first)[0].plan, "**North** has the highest total amount")
    assert previewed(Question("why?", TODAY, turns=(turn,)), catalog).parts == ()


def test_a_best_month_that_was_not_told_is_not_explained_by_the_last_quarter(talk: Talk) -> None:
    best = talk("Which month of ordered on had the highest total amount?")[0]
    assert not isinstance(best.plan, Clarify)
    untold = Turn("the best month", best.plan, "It was a good one.")
    assert talk("why?", turns=(untold,))[0].text == NOTHING_TO_EXPLAIN
