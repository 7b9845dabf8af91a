"""Each metric, counted by hand on eight deals and five targets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.types import Answer
from tests.analyst.metrics.conftest import DEALS, Ask


def rows(found: Answer) -> list[tuple[object, ...]]:
    assert found.result is not None, found.text
    return [tuple(row) for row in found.result.rows]


def test_win_rate_leaves_open_and_dropped_deals_out(ask: Ask) -> None:
    assert rows(ask("What is our win rate?")) == [(50.0, 2, 2)]


@pytest.mark.parametrize("text", ["win rate pls", "plz show our win rate", "Win rate, please"])
def test_manners_say_nothing_of_a_figure(ask: Ask, text: str) -> None:
    assert rows(ask(text)) == [(50.0, 2, 2)]


def test_win_rate_counts_by_close_date(ask: Ask) -> None:
    assert rows(ask("What was our win rate last quarter?")) == [(50.0, 1, 1)]
    assert rows(ask("win rate in April 2025")) == [(50.0, 1, 1)]


def test_win_rate_by_value_weighs_deals_by_amount(ask: Ask) -> None:
    assert rows(ask("What is our win rate by value?"))[0][0] == pytest.approx(100 * 4000 / 7000)


def test_a_close_rate_by_rep_is_a_win_rate_by_owner(ask: Ask) -> None:
    assert rows(ask("close rate by rep")) == [("Bob", 100.0, 1, 0), ("Ada", pytest.approx(100 / 3), 1, 2)]


def test_the_open_pipeline_has_no_dropped_deals(ask: Ask) -> None:
    assert rows(ask("What is our pipeline?")) == [(6800,)]
    assert rows(ask("How many open deals do we have?")) == [(3,)]


@pytest.mark.parametrize("name", ["Prob %", "Win prob", "Win %"])
def test_a_probability_that_is_written_short_is_one(asked: Callable[..., Ask], name: str) -> None:
    ask = asked(deals=DEALS.replace("Probability", name))
    assert rows(ask("What is the weighted pipeline?")) == [(pytest.approx(3200), 6800)]


def test_a_probability_in_percent_is_a_hundredth_of_it(asked: Callable[..., Ask]) -> None:
    head, *deals = DEALS.replace("Probability", "Prob %").splitlines()
    shares = (line.rsplit(",", 1) for line in deals)
    ask = asked(deals="\n".join([head, *(f"{line},{100 * float(share) + 0.5}" for line, share in shares)]))
    assert rows(ask("What is the weighted pipeline?")) == [(pytest.approx(3200 + 0.005 * 6800), 6800)]


def test_the_weighted_pipeline_multiplies_by_probability(ask: Ask) -> None:
    assert rows(ask("What is the weighted pipeline?")) == [(pytest.approx(3200), 6800)]


def test_the_sales_cycle_runs_from_creation_to_close_of_won_deals(ask: Ask) -> None:
    assert rows(ask("What is our average sales cycle?")) == [(65.0,)]


def test_won_counts_by_close_date_and_new_by_create_date(ask: Ask) -> None:
    assert rows(ask("How many deals did we win this quarter?")) == [(1,)]
    assert rows(ask("How many deals were created this quarter?")) == [(2,)]


def test_revenue_is_what_was_won_and_says_so(ask: Ask) -> None:
    found = ask("How much revenue did we make this quarter?")
    assert rows(found) == [(3000,)]
    assert any("Revenue is the amount of won deals" in text for text in found.assumptions)


def test_slipped_deals_are_open_past_their_close_date(ask: Ask) -> None:
    found = ask("Which open deals are past their close date?")
    assert [row[0] for row in rows(found)] == ["Fir"]


def test_won_deals_that_closed_in_a_period_are_won(ask: Ask) -> None:
    assert rows(ask("How many won deals closed in Q2 2025?"))[0][0] == 1
    assert rows(ask("How many deals closed in Q2 2025?"))[0][0] == 2


def test_silence_is_looked_up_among_what_happened(asked: Callable[..., Ask]) -> None:
    deals = "Deal ID,Deal Name,Stage,Amount,Created,Close Date,Original Close Date\n" + "\n".join((
        "1,Acorn,Closed Won,1000,2025-01-01,2025-03-10,2025-02-10",
        "2,Birch,Closed Lost,3000,2025-01-05,2025-04-05,2025-04-05",
        "3,Cedar,Proposal,500,2025-02-01,2025-07-01,2025-06-01",
        "4,Dogwood,Proposal,2500,2025-03-01,2025-06-20,2025-06-20",
        "5,Elm,Proposal,700,2025-03-02,2025-06-21,2025-05-20",
    ))  # fmt: skip
    calls = (
        "Call ID,Deal ID,Call Date\n1,3,2025-05-01\n2,3,2025-02-02\n3,4,2025-03-03\n4,1,2025-01-03\n5,2,2025-02-03\n"
    )
    ask = asked(deals=deals, sales_calls=calls)
    silent = ask("Which open deals have had no activity in the last 30 days?")
    assert {row[0] for row in rows(silent)} == {"Dogwood", "Elm"}
    assert "Activity is looked up in sales_calls" in silent.assumptions
    for text in (
        "Open deals past their original close date",
        "Which open deals have slipped past their original close date?",
    ):
        assert {row[0] for row in rows(ask(text))} == {"Cedar", "Elm"}, text


def test_deals_at_risk_have_slipped_or_gone_silent(ask: Ask) -> None:
    assert {row[0] for row in rows(ask("Which deals are at risk?"))} == {"Fir", "Gum"}


def test_silence_is_counted_in_the_days_asked_for(ask: Ask) -> None:
    assert {row[0] for row in rows(ask("Which open deals had no activity in the last 60 days?"))} == {"Gum"}


def test_attainment_holds_won_against_target(ask: Ask) -> None:
    assert rows(ask("What is our quota attainment this quarter?")) == [(pytest.approx(100 * 3000 / 5500), 3000, 5500)]


def test_owners_who_won_nothing_have_an_attainment_of_nought(ask: Ask) -> None:
    found = rows(ask("What is the quota attainment of each owner this quarter?"))
    assert found == [("Bob", 150.0, 3000, 2000), ("Ada", 0.0, 0, 2000), ("Cyn", 0.0, 0, 1500)] or set(found) == {
        ("Bob", 150.0, 3000, 2000),
        ("Ada", 0.0, 0, 2000),
        ("Cyn", 0.0, 0, 1500),
    }


def test_attainment_by_quarter_meets_each_target_once(ask: Ask) -> None:
    figures = [row[1:] for row in rows(ask("What is our target attainment by quarter?"))]
    assert figures == [(pytest.approx(100 / 3), 1000, 3000), (pytest.approx(100 * 3000 / 5500), 3000, 5500)]


def test_attainment_by_year_adds_the_quarters_up(ask: Ask) -> None:
    assert [row[2:] for row in rows(ask("What is our target attainment by year?"))] == [(4000, 8500)]


def test_coverage_is_open_amount_over_what_is_left_of_the_target(ask: Ask) -> None:
    first = rows(ask("What is our pipeline coverage this quarter?"))[0]
    assert first[0] == pytest.approx(6800 / 2500)


def test_a_period_in_a_follow_up_takes_the_place_of_the_earlier_one(ask: Ask) -> None:
    assert rows(ask("How many deals did we win this quarter, what about last quarter?")) == [(1,)]
    assert rows(ask("What is our win rate this quarter, what about last quarter?")) == [(50.0, 1, 1)]
