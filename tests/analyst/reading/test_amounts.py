"""Numbers are read as people say them."""

from __future__ import annotations

import pytest

from apps.analyst.reading.amounts import amounts
from apps.analyst.reading.linking import tokens_of

SAID = [
    ("longer than twenty-one days", [(21, "days")]),
    ("above a hundred and twenty promises", [(120, "")]),
    ("over two thousand five hundred", [(2500, "")]),
    ("over thirty-five thousand", [(35_000, "")]),
    ("more than sixty-five percent", [(65, "percent")]),
    ("at least 40%", [(40, "%")]),
    ("longer than nine and a half hours", [(9.5, "hours")]),
    ("rated 3 and a half or better", [(3.5, "")]),
    ("moisture over .5", [(0.5, "")]),
    ("answered in under half an hour", [(0.5, "hour")]),
    ("over in less than a quarter of an hour", [(0.25, "hour")]),
    ("past a quarter of a million", [(250_000, "")]),
    ("half a million", [(500_000, "")]),
    ("over a million", [(1_000_000, "")]),
    ("took over 48h", [(48, "h")]),
    ("beyond a day", [(1, "day")]),
    ("over a fortnight late", [(1, "fortnight")]),
    ("sold to over 65s", [(65, "")]),
    ("parcels above 20kg", [(20, "")]),
    ("the a4 sheets", []),
    ("between two and five", [(2, ""), (5, "")]),
    ("1,200 and 3.5k", [(1200, ""), (3500, "")]),
    ("in the third quarter", []),
    ("a day later", []),
]


@pytest.mark.parametrize(("text", "numbers"), SAID, ids=[text for text, _ in SAID])
def test_numbers_in_figures_and_words(text: str, numbers: list[tuple[float, str]]) -> None:
    assert [(amount.value, amount.unit) for amount in amounts(tokens_of(text), [])] == numbers


@pytest.mark.parametrize(
    ("text", "value"), [("over a fifth were lost", 0.2), ("two fifths", 0.4), ("half of them", 0.5)]
)
def test_parts_of_a_whole_are_marked_as_such(text: str, value: float) -> None:
    (amount,) = amounts(tokens_of(text), [])
    assert amount.part
    assert amount.value == pytest.approx(value)
    assert value * 100 in amount.spellings()


def test_a_length_of_time_may_stand_in_a_condition_in_any_unit() -> None:
    (amount,) = amounts(tokens_of("more than 3 weeks"), [])
    assert {21, 504, 3} <= set(amount.spellings())
    (amount,) = amounts(tokens_of("loads over 3 seconds"), [])
    assert 3000 in set(amount.spellings())
