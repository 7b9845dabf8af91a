"""When two results say the same, and what several of them come to."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from apps.analyst.approaches.consensus import Vote, equal_numbers, same, standings, verdict
from apps.analyst.types import Result, ResultColumn, Scalar


def result(*rows: tuple[Scalar, ...], names: str = "region amount", units: tuple[str | None, ...] = ()) -> Result:
    """Rows whose first column tells them apart and whose others are figures."""
    columns = tuple(
        ResultColumn(
            name,
            "text" if not place else "float",
            "measure" if place else "dimension",
            units[place] if units else None,
        )
        for place, name in enumerate(names.split())
    )
    return Result(columns, rows, len(rows))


WEST_EAST = result(("West", 20.0), ("East", 10.0))


@pytest.mark.parametrize(
    "other",
    [
        result(("East", 10), ("West", 20)),
        result(("west ", Decimal("20.00")), ("EAST", Decimal("10"))),
        result(("West", 20.0), ("East", 10.0), names="area total"),
        result(("West", 20.0, 2), ("East", 10.0, 1), names="region amount deals"),
        result(("West", 20.0 + 1e-9), ("East", 10.0)),
    ],
    ids=["order", "case and type", "labels", "a figure that supports it", "the order of adding"],
)
def test_order_labels_and_spelling_are_no_differences(other: Result) -> None:
    assert same(WEST_EAST, other)
    assert same(other, WEST_EAST)


@pytest.mark.parametrize(
    "other",
    [
        result(("West", 20.0)),
        result(("West", 20.0), ("East", 11.0)),
        result(("West", 10.0), ("East", 20.0)),
        result(("West", 20.0), ("North", 10.0)),
        result(("West", 20.0), ("East", None)),
        result(("West",), ("East",), names="region"),
    ],
    ids=["a row less", "another figure", "figures swapped", "another name", "a figure missing", "no figure"],
)
def test_another_row_name_or_figure_is_a_difference(other: Result) -> None:
    assert not same(WEST_EAST, other)
    assert not same(other, WEST_EAST)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (12.4, 12.4137, True),
        (1238485, 1238484.6, True),
        (12, 12.4, False),
        (1_000_000, 1_000_400, False),
        (0.1 + 0.2, 0.3, True),
        (33.3, 33.4, False),
    ],
)
def test_a_figure_may_be_the_other_one_rounded(one: float, other: float, equal: bool) -> None:
    assert equal_numbers(one, other) is equal
    assert equal_numbers(other, one) is equal


def test_points_and_a_difference_of_ratios_are_one_figure() -> None:
    points = result(("West", 41.9), ("East", 12.25), units=(None, "percentage points"))
    assert same(points, result(("West", 0.419), ("East", 0.1225)))


def test_per_cent_and_ratio_are_one_figure() -> None:
    per_cent = result(("West", 41.9), ("East", 12.25), units=(None, "%"))
    assert same(per_cent, result(("West", 0.419), ("East", 0.1225)))
    assert not same(per_cent, result(("West", 0.419), ("East", 0.1325)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (date(2026, 7, 1), "Q3 2026"),
        (date(2026, 9, 1), "Sep 2026"),
        (date(2026, 9, 1), "2026-09"),
        (datetime(2026, 9, 1), date(2026, 9, 1)),
        (date(2026, 1, 1), 2026),
        (True, "yes"),
        (7, "7"),
    ],
)
def test_a_period_is_the_same_however_it_is_written(one: Scalar, other: Scalar) -> None:
    assert same(result((one, 5.0)), result((other, 5.0)))


def test_two_empty_results_agree_and_an_empty_one_agrees_with_no_other() -> None:
    assert same(result(), result())
    assert not same(result(), WEST_EAST)


def test_the_largest_group_is_named_first_and_its_most_trusted_answer_is_the_best() -> None:
    other = result(("West", 21.0), ("East", 10.0))
    placed = standings([Vote(other, selected=True), Vote(WEST_EAST, trust=1), Vote(WEST_EAST, trust=3)])
    assert [place.group for place in placed] == ["B", "A", "A"]
    assert [place.best for place in placed] == [False, False, True]


def test_the_selected_answer_is_the_best_of_its_group_and_wins_a_tie() -> None:
    other = result(("West", 21.0), ("East", 10.0))
    placed = standings([Vote(other, trust=3), Vote(WEST_EAST, selected=True)])
    assert [(place.group, place.best) for place in placed] == [("B", False), ("A", True)]


@pytest.mark.parametrize(
    ("groups", "said"),
    [(["A", "A", "A"], "agree"), (["B", "A", "A"], "disagree"), (["A", "A", "B"], "mixed"), (["A", "B"], "disagree")],
)
def test_the_verdict_is_that_of_the_specification(groups: list[str], said: str) -> None:
    assert verdict(groups, selected=0) == said
