"""What is missing is named, what is not understood is not answered, and other data is left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from apps.analyst.computing.metrics.roles import find
from tests.analyst.metrics.conftest import DEALS, TARGETS, Ask, catalog_of

WITHOUT_CLOSE = (
    "Deal Name,Stage,Amount,Created,Owner\nA,Closed Won,10,2025-01-01,Ada\nB,Closed "
    "Lost,20,2025-01-02,Bob\nC,Open,5,2025-01-03,Ada\n"
)


def test_a_missing_close_date_is_named(asked: Callable[..., Ask]) -> None:
    found = asked(deals=WITHOUT_CLOSE)("How many deals did we win last quarter?")
    assert found.status == "declined"
    assert "close date" in found.text


def test_missing_targets_are_named(asked: Callable[..., Ask]) -> None:
    found = asked(deals=DEALS)("What is our quota attainment this quarter?")
    assert found.status == "declined"
    assert "target" in found.text


def test_stage_conversion_needs_a_history_of_stages(ask: Ask) -> None:
    found = ask("What is our stage conversion rate?")
    assert found.status == "declined"
    assert "entered each stage" in found.text


def test_targets_are_not_held_against_what_they_are_not_set_by(ask: Ask) -> None:
    assert ask("What is the quota attainment by stage this quarter?").status == "declined"


def test_a_word_without_a_place_in_the_data_declines_a_metric(ask: Ask) -> None:
    found = ask("What is our win rate in Texas?")
    assert found.status == "declined"
    assert "texas" in found.text


def test_data_without_won_and_lost_deals_is_no_crm(tmp_path: Path) -> None:
    cities = "City,Country,Population\nParis,France,2100000\nRome,Italy,2800000\n"
    assert find(catalog_of(tmp_path, cities=cities)) is None


def test_matches_that_are_won_and_lost_are_no_deals(tmp_path: Path) -> None:
    games = "Date,Opponent,Result,Score\n2025-01-01,Rovers,Won,3\n2025-01-08,United,Lost,1\n"
    assert find(catalog_of(tmp_path, games=games)) is None


def test_roles_are_found_under_other_labels(tmp_path: Path) -> None:
    text = DEALS.replace(
        "Stage,Amount,Created,Close Date,Owner", "Phase,Contract value,Opened on,Closing date,Account executive"
    )
    crm = find(catalog_of(tmp_path, opportunities=text, quotas=TARGETS))
    assert crm is not None
    parts = {role: part.name for role, part in crm.entities["deals"].parts.items()}
    assert parts["stage"] == "Phase"
    assert parts["amount"] == "Contract value"
    assert parts["created"] == "Opened on"
    assert parts["closed"] == "Closing date"
    assert parts["owner"] == "Account executive"
    assert crm.entities["targets"].grain == "quarter"
