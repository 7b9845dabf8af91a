"""Aggregates that a question lists are all told."""

from __future__ import annotations

import pytest

from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.listed_figures import listed, with_listed

RATE = ("C", 3)
TEAMS = ("k1", ("C", 1))


@pytest.mark.parametrize(
    ("text", "aggregates"),
    [
        ("average, lowest and highest rate for each team", ("avg", "min", "max")),
        ("rate by team: mean, min, max", ("avg", "min", "max")),
        ("how long are meetings on average and at most", ("avg", "max")),
        ("the smallest and the largest order", ("min", "max")),
        ("total and average amount by owner", ("sum", "avg")),
    ],
)
def test_aggregates_in_a_row_are_a_list(text: str, aggregates: tuple[str, ...]) -> None:
    assert listed(tokens_of(text)) == aggregates


@pytest.mark.parametrize(
    "text",
    ["highest average rate by team", "highest total amount", "at most 5 and at least 3 orders", "average rate by team"],
)
def test_what_ranks_or_bounds_is_no_list(text: str) -> None:
    assert listed(tokens_of(text)) == ()


def test_a_sketch_with_one_aggregate_of_a_list_gets_all_in_their_order() -> None:
    one = ("group", TEAMS, ("m1", ("avg", RATE)), ("any",), ("nohaving",), ("all",))
    made = with_listed(one, ("avg", "min", "max"))
    assert made[2] == ("m3", ("avg", RATE), ("min", RATE), ("max", RATE))


def test_a_list_with_the_highest_is_no_ranking() -> None:
    ranked = (
        "group",
        TEAMS,
        ("m1", ("avg", RATE)),
        ("any",),
        ("nohaving",),
        ("first", ("desc",), ("by1",), ("onlyone",)),
    )
    assert with_listed(ranked, ("avg", "max"))[-1] == ("all",)


def test_figures_that_stand_beside_the_list_stay() -> None:
    count = ("count", ("T", 0))
    made = with_listed(("agg", ("m2", count, ("sum", RATE)), ("any",)), ("sum", "max"))
    assert made[1] == ("m3", count, ("sum", RATE), ("max", RATE))


def test_aggregates_of_two_values_are_left_alone() -> None:
    apart = ("agg", ("m2", ("avg", RATE), ("max", ("C", 4))), ("any",))
    assert with_listed(apart, ("avg", "max")) == apart
