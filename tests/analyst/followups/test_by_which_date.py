"""By which date a period goes that a message names after an answer without one."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Talk, sentence


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("joinery")
    return catalog_from_files([_quotes(folder)], folder / "tables")


def _quotes(folder: Path) -> Path:
    rows = []
    for n in range(300):
        created = date(2024, 6, 3) + timedelta(days=n)
        closed = created + timedelta(days=30 + n % 200)
        stage = ("Drawing", "Won", "Lost", "Won", "Priced")[n % 7 % 5]
        owner, wood = ("Ilmari", "Saga", "Veera")[n % 11 % 3], ("Oak", "Ash", "Birch")[n % 4 % 3]
        rows.append([f"Q{n:04d}", created, closed, owner, stage, wood, 400 + 25 * (n % 31)])
    head = ["quote_id", "created_date", "close_date", "owner", "stage", "wood", "amount"]
    return write(folder, "quotes.csv", head, rows)


@pytest.mark.parametrize(
    ("first", "named"),
    [
        ("How many quotes are there with stage Won by owner?", "close date"),
        ("How many quotes are there with stage Lost?", "close date"),
        ("What is the win rate by owner?", "close date"),
        ("How many quotes are there where stage is not Won or Lost?", "close date"),
        ("How many quotes are there by wood?", "created date"),
        ("How many quotes are there with stage Drawing?", "created date"),
    ],
)
@pytest.mark.parametrize("text", ["just 2025", "only in March 2025"])
def test_rows_that_are_chosen_by_how_they_ended_go_by_when_they_did(
    first: str, named: str, text: str, talk: Talk
) -> None:
    assert f"{named} is in" in sentence(talk(first, text)[1])


def test_so_they_do_by_month(talk: Talk) -> None:
    assert "by month of close date" in sentence(talk("How many quotes are there with stage Won?", "by month")[1])


def test_a_date_that_is_named_or_was_gone_by_is_kept(talk: Talk) -> None:
    first = "How many quotes are there with stage Won and created date in 2024?"
    assert "created date is in 2025" in sentence(talk(first, "and in 2025?")[1])
