"""How deals move, counted by hand: age, slippage, stage conversion and time, and what is said without the dates."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.types import Answer
from tests.analyst.metrics.conftest import DEALS, Ask

STAGED = """Deal Name,Stage,Amount,Created,Close Date,Owner,Date entered Qualified,Date entered Proposal,\
Date entered Closed Won
Acorn,Closed Won,1000,2025-01-01,2025-02-10,Ada,2025-01-01,2025-01-11,2025-02-10
Birch,Closed Lost,3000,2025-01-05,2025-04-05,Bob,2025-01-05,2025-01-25,
Cedar,Qualified,500,2025-05-05,2025-06-01,Ada,2025-05-05,,
Dogwood,Closed Won,700,2025-02-01,2025-03-03,Bob,2025-02-01,2025-02-21,2025-03-03
"""


def rows(found: Answer) -> list[tuple[object, ...]]:
    assert found.result is not None, found.text
    return [tuple(row) for row in found.result.rows]


@pytest.fixture
def staged(asked: Callable[..., Ask]) -> Ask:
    return asked(deals=STAGED)


def test_the_age_of_open_deals_runs_to_today(ask: Ask) -> None:
    # Elm 44, Fir 103 and Gum 13 days old on 15 May.
    said = ask("What is the average age of our open deals?")
    assert rows(said) == [(pytest.approx(160 / 3), 3)]
    assert "Age = days from Created to today" in said.assumptions
    assert {row[0]: row[1] for row in rows(ask("How old are our open deals by owner?"))} == {"Ada": 58.0, "Bob": 44.0}
    assert rows(ask("median age of open deals"))[0][0] == 44


def test_the_slippage_rate_counts_open_deals_past_their_close_date(ask: Ask) -> None:
    said = ask("What is our slippage rate?")
    assert rows(said) == [(pytest.approx(100 / 3), 1, 3, 2000)]
    assert any("moved dates are not to be seen" in text for text in said.assumptions)


def test_stages_convert_to_the_next(staged: Ask) -> None:
    said = staged("What is the stage conversion rate?")
    assert said.result is not None
    assert [column.name for column in said.result.columns] == ["Qualified to Proposal", "Proposal to Closed Won"]
    assert rows(said) == [(75.0, pytest.approx(200 / 3))]
    by_owner = {row[0]: row[1:] for row in rows(staged("stage conversion rates by owner"))}
    assert by_owner == {"Ada": (50.0, 100.0), "Bob": (100.0, 50.0)}


def test_time_in_stage_ends_with_the_next_or_today(staged: Ask) -> None:
    # Qualified: 10, 20, 20 days, and Cedar 10 days until 15 May; Proposal: 30, 10 and Birch 110 days.
    assert rows(staged("How long do deals stay in each stage?")) == [(15.0, 50.0)]


def test_without_the_dates_of_stages_it_is_said(ask: Ask) -> None:
    for text in ("What is the stage conversion rate?", "How long do deals stay in each stage?"):
        said = ask(text)
        assert said.status == "declined"
        assert "the dates on which deals entered each stage" in said.text


def test_without_a_create_date_no_age_is_made_up(asked: Callable[..., Ask]) -> None:
    lines = [",".join(line.split(",")[:3] + line.split(",")[4:]) for line in DEALS.strip().splitlines()]
    said = asked(deals="\n".join(lines) + "\n")("What is the average age of our open deals?")
    assert said.status == "declined"
    assert "I need a create date to know how old a deal is" in said.text
