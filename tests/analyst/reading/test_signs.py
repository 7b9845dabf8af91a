"""Signs that people type in haste are read as the words they stand for."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from apps.analyst.conversation.readas.marks import spans_of
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("deals")
    rows = [
        f"{n},{('Ada', 'Bo')[n % 2]},{('Won', 'Lost', 'Open')[n % 3]},{n * 10},2025-0{1 + n % 9}-11" for n in range(40)
    ]
    (folder / "deals.csv").write_text("\n".join(["deal_no,rep,stage,amount,closed_on", *rows]), encoding="utf-8")
    return catalog_from_files([folder / "deals.csv"], folder / "tables")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("$ per rep", "amount per rep"),
        ("won £", "won amount"),
        ("€/deal", "amount per deal"),
        ("amount / deal by rep", "amount per deal by rep"),
        ("deals w/o a rep", "deals without a rep"),
        ("reps w/ 3 deals", "reps with 3 deals"),
        ("won/lost by rep", "won and lost by rep"),
        ("avg/max amount", "avg and max amount"),
        ("jan/feb deals", "jan and feb deals"),
    ],
)
def test_a_sign_is_read_as_its_word(typed: str, read: str, deals: FixedCatalog) -> None:
    assert link(Question(typed, today=date(2025, 10, 1)), deals).tokens == read.split()


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("amount over time", "amount by month"),
        ("won deals over time by rep", "won deals by month by rep"),
        ("amount per quarter over time", "amount per quarter over time"),
        ("deals over time limit", "deals over time limit"),
    ],
)
def test_along_time_is_by_month_where_no_length_of_period_is_named(typed: str, read: str, deals: FixedCatalog) -> None:
    assert link(Question(typed, today=date(2025, 10, 1)), deals).tokens == read.split()


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("over $500", ["over", "$500"]),
        ("since 01/02/2025", ["since", "01/02/2025"]),
        ("2024/25 vs 2023 / 24", ["2024", "25", "vs", "2023", "24"]),
        ("insured y/n", ["insured", "y", "n"]),
    ],
)
def test_signs_within_numbers_days_and_lone_letters_are_no_words(typed: str, read: list[str]) -> None:
    assert tokens_of(typed) == read


def test_every_word_that_is_read_has_its_place_in_what_was_typed(deals: FixedCatalog) -> None:
    typed = "$ per rep, w/o ada / bo"
    spans = spans_of(typed)
    assert [typed[start:end] for start, end in spans] == ["$", "per", "rep", "w/o", "ada", "/", "bo"]
    assert len(spans) == len(link(Question(typed, today=date(2025, 10, 1)), deals).tokens)
