"""What goes on from the mean of a rate adds amounts up, and what goes on from a sum averages rates."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Ask, Talk, sentence

FUNNELS = ("Newsletter", "Radio", "Fairs")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Mailings: letters sent and answered, the rate of these in percent, and what was spent."""
    folder = tmp_path_factory.mktemp("mailings")
    rows = []
    for n in range(150):
        sent, answered = 400 + 37 * (n * n % 91), 5 + n * 7 % 43
        rate, spend = f"{100 * answered / sent:.2f}%", f"{90 + 3.25 * (n * 5 % 67):.2f}"
        rows.append([date(2026, 1, 5) + timedelta(days=n), FUNNELS[n % 3], sent, answered, rate, spend])
    head = ["Day", "Funnel", "Sent", "Answered", "Response Rate", "Spend"]
    return catalog_from_files([write(folder, "mailings.csv", head, rows)], folder / "tables")


RATE = "What is the average response rate by funnel?"
SPEND = "Total spend by funnel in mailings"


@pytest.mark.parametrize("text", ["spend instead of response rate", "and the spend, not the response rate"])
def test_an_amount_behind_a_rate_is_added_up(text: str, ask: Ask) -> None:
    assert sentence(ask(RATE, text)).startswith(SPEND)


def test_the_mean_of_an_amount_stays_one_where_it_was_asked_for(ask: Ask) -> None:
    assert sentence(ask(RATE, "the average spend instead")).startswith("Average spend by funnel")
    assert sentence(ask("What is the average spend by funnel?", "and the number sent instead")).startswith("Average")


def test_a_rate_behind_an_amount_is_not_added_up(ask: Ask) -> None:
    assert "total response rate" not in sentence(ask("What is the total spend by funnel?", "response rate instead"))


def test_so_the_rules_change_it(talk: Talk) -> None:
    assert sentence(talk(RATE, "spend instead of response rate")[-1]).startswith(SPEND)
    assert "Average response rate" in sentence(talk("What is the total spend by funnel?", "response rate instead")[-1])
