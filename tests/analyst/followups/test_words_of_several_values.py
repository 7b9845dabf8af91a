"""A word that stands in several values of one column means all of them, and that is said."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Ask, Talk, sentence

TICKETS = ("Adult Single", "Adult Family", "Child Single", "Child Family", "Dog")
COUNT = "How many passes are there by ticket?"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("ferry")
    return catalog_from_files([_passes(folder)], folder / "tables")


def _passes(folder: Path) -> Path:
    rows = []
    for n in range(300):
        sold = date(2025, 1, 3) + timedelta(days=n)
        rows.append([f"P{n:04d}", sold, TICKETS[n % 13 % 5], ("North Pier", "South Pier")[n % 3 % 2], 10 + n % 6])
    return write(folder, "passes.csv", ["pass_id", "sold_on", "ticket", "pier", "price"], rows)


def tickets(*texts: str, ask: Ask) -> list[str]:
    given = ask(*texts)
    assert given.result is not None, given.text
    return sorted(str(row[0]) for row in given.result.rows)


@pytest.mark.parametrize("text", ["drop the family ones", "without family", "not the family ones"])
def test_what_is_left_out_is_all_that_the_word_stands_in(text: str, ask: Ask) -> None:
    assert tickets(COUNT, text, ask=ask) == ["Adult Single", "Child Single", "Dog"]


@pytest.mark.parametrize("text", ["only family", "just the family ones", "and family?"])
def test_so_is_what_is_kept(text: str, ask: Ask) -> None:
    assert tickets(COUNT, text, ask=ask) == ["Adult Family", "Child Family"]


def test_it_is_said_what_was_taken(ask: Ask) -> None:
    given = ask(COUNT, "drop the family ones")
    assert "“family” was taken as ticket Adult Family or Child Family" in given.assumptions


def test_of_what_was_chosen_it_is_the_one_that_it_stands_in(talk: Talk) -> None:
    *_, given = talk(COUNT, "only Adult Family and Dog", "without family")
    assert "where ticket is Dog" in sentence(given)


def test_a_value_that_is_said_whole_is_that_one(ask: Ask) -> None:
    assert tickets(COUNT, "without child family", ask=ask) == ["Adult Family", "Adult Single", "Child Single", "Dog"]
