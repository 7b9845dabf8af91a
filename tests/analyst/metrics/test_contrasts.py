"""One thing held against another: yes or no, two people, one and all, above the average, this but not that."""

from __future__ import annotations

import pytest

from apps.analyst.plan import Comparison, SetOperation
from apps.analyst.types import Answer
from tests.analyst.metrics.conftest import Ask


def first(said: Answer) -> tuple[float, ...]:
    assert said.result is not None, said.text
    return tuple(float(str(value)) for value in said.result.rows[0][:2])


def names(said: Answer) -> list[object]:
    assert said.result is not None, said.text
    return [row[0] for row in said.result.rows]


@pytest.mark.parametrize(
    ("text", "verdict", "figures"),
    [
        ("Did we sell more in Q2 2025 than in Q1 2025?", "Yes", (3000, 1000)),
        ("Did we win more deals this quarter than last quarter?", "No", (1, 1)),
        ("Did we lose fewer deals in April 2025 than in March 2025?", "No", (1, 1)),
        ("Were there more won deals in Q2 2025 than in Q1 2025?", "No", (1, 1)),
        ("Is our win rate higher than last quarter?", "No", (50, 100)),  # as much of that quarter as of this one
        ("Was the amount of won deals lower in Q1 2025 than in Q2 2025?", "No", (3000, 1000)),
        ("Has the amount of won deals increased this quarter?", "Yes", (3000, 1000)),
        ("Did the amount of won deals grow from Q1 2025 to Q2 2025, and by how much?", "Yes", (3000, 1000)),
        ("Did the amount of won deals fall between Q1 2025 and Q2 2025?", "No", (3000, 1000)),
    ],
)
def test_yes_or_no_comes_with_both_figures(ask: Ask, text: str, verdict: str, figures: tuple[float, float]) -> None:
    said = ask(text)
    assert said.text.startswith(f"**{verdict}:** ")
    assert first(said) == figures


def test_how_much_something_grew_is_a_comparison(ask: Ask) -> None:
    for text in ("By how many percent did the amount of won deals grow from Q1 2025 to Q2 2025?",
                 "How much has the amount of won deals grown from Q1 2025 to Q2 2025?",
                 "What percentage did our amount of won deals rise from Q1 2025 to Q2 2025?"):  # fmt: skip
        said = ask(text)
        assert isinstance(said.plan, Comparison), text
        assert first(said) == (3000, 1000)


def test_two_people_stand_side_by_side(ask: Ask) -> None:
    said = ask("Compare the win rate of Ada with Bob")
    assert isinstance(said.plan, Comparison)
    assert (said.plan.current_label, said.plan.baseline_label) == ("Ada", "Bob")
    assert first(said) == pytest.approx((100 / 3, 100))


def test_one_is_held_against_all_and_against_the_rest(ask: Ask) -> None:
    overall = ask("What is the win rate of Ada compared to the overall win rate?")
    assert first(overall) == pytest.approx((100 / 3, 50))
    rest = ask("What is the amount of won deals of Bob compared to the rest?")
    assert first(rest) == (3000, 1000)
    assert rest.text.startswith("The total amount of won deals is **3,000** for Bob")


def test_groups_above_their_average(ask: Ask) -> None:
    above = ask("Which owners are above average in amount of open deals?")
    assert names(above) == ["Bob"]
    assert any("The average is taken over all owners" in text for text in above.assumptions)
    assert names(ask("Which owners have a below-average amount of open deals?")) == ["Ada"]


def test_who_moved_most_comes_first(ask: Ask) -> None:
    assert names(ask("Which owners improved most this quarter compared to last quarter?"))[0] == "Bob"
    fell = ask("Which owners declined most in amount of won deals?")
    assert names(fell)[0] == "Ada"
    assert any("this quarter is held against last quarter" in text for text in fell.assumptions)


def test_those_with_this_but_not_that(ask: Ask) -> None:
    never = ask("Which owners have never lost a deal?")
    assert isinstance(never.plan, SetOperation)
    assert names(never) == ["Bob"]
    assert never.text == "1 owner has deals but no lost deals: **Bob**."
    assert names(ask("Which owners have won deals but no lost deals?")) == ["Bob"]
    both = ask("Which owners have both won deals and open deals?")
    assert names(both) == ["Ada", "Bob"]
    assert ask("Which owners have lost deals but no open deals?").text == "No owner has lost deals but no open deals."


def test_what_was_open_before_is_not_known(ask: Ask) -> None:
    said = ask("Why is the pipeline down compared to last quarter?")
    assert said.status == "declined"
    assert "not what was open before" in said.text


def test_rows_are_not_compared_with_rows_of_their_own_table(ask: Ask) -> None:
    said = ask("Which owners earn more than their manager?")
    assert said.status == "declined"
    assert "other rows of the same table" in said.text


def test_a_side_that_cannot_be_read_is_not_guessed(ask: Ask) -> None:
    assert ask("Compare the win rate of Ada with Zed").status == "declined"
    assert ask("Did we sell more in Q2 2025 than our rivals?").status == "declined"
