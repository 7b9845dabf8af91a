"""Which end is the worst, by what the rows were chosen for."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Talk, sentence

LOWEST, HIGHEST = "only the lowest", "only the highest"


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("swimming")
    return catalog_from_files([_lessons(folder)], folder / "tables")


def _lessons(folder: Path) -> Path:
    rows = []
    for n in range(300):
        booked = date(2025, 1, 3) + timedelta(days=n)
        state = ("attended", "attended", "no_show", "paid")[n % 11 % 4]
        off = booked + timedelta(days=4) if n % 3 == 0 else ""
        paid = "" if n % 5 == 0 else booked + timedelta(days=2)
        rows.append(
            [f"L{n:04d}", booked, off, paid, ("Otter", "Seal", "Heron")[n % 7 % 3], state, 10 + n % 6, n % 5 + 1]
        )
    head = ["lesson_id", "booked_on", "canceled_at", "paid_on", "pool", "state", "fee", "rating"]
    return write(folder, "lessons.csv", head, rows)


@pytest.mark.parametrize(
    ("first", "worst"),
    [
        ("How many lessons were canceled in 2025?", HIGHEST),
        ("How many lessons were paid in 2025?", LOWEST),
        ("How many lessons are there with state no_show?", HIGHEST),
        ("How many lessons are there with state attended?", LOWEST),
        ("How many lessons are there with state no_show or attended?", LOWEST),
        ("How many lessons are there where state is not no_show?", LOWEST),
        ("What is the average rating of lessons with state no_show?", LOWEST),
    ],
)
def test_the_worst_of_what_nobody_wants_have_most_of_it(first: str, worst: str, talk: Talk) -> None:
    answers = talk(first, "by pool", "which one is worst?")
    assert answers[1].status == "answered"
    assert worst in sentence(answers[2])


def test_the_best_of_it_have_least(talk: Talk) -> None:
    assert LOWEST in sentence(talk("How many lessons were canceled in 2025?", "by pool", "which one is best?")[2])
