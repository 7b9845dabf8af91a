"""How long something lasted, where a row tells the year in which it began and the one in which it ended."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded
from tests.analyst.language.conftest import TODAY

WARDENS = csv(
    "warden,rank,office started,office ended",
    [
        ("Ada Brook", "Chief", 1901, 1912),
        ("Ben Holt", "Chief", 1912, 1915),
        ("Cora Lind", "Deputy", 1915, 1935),
        ("Dan Moor", "Deputy", 1935, 1937),
        ("Eve North", "Chief", 1937, 1946),
    ],
)
wardens = uploaded(wardens=WARDENS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who has served the longest?", "Cora Lind"),
        ("Which warden had the shortest tenure?", "Dan Moor"),
        ("What is the average tenure of the chiefs?", 7.67),
    ],
)
def test_terms_are_the_years_between_the_two(wardens: Desk, question: str, answer: object) -> None:
    assert wardens.figure(question) == answer


def test_what_a_term_is_made_of_is_told(wardens: Desk) -> None:
    told = wardens.ask("What is the average tenure?")
    assert any("office started to office ended" in text for text in (*told.assumptions, *told.evidence.definitions))


def test_a_column_that_holds_the_term_is_taken(tmp_path_factory: pytest.TempPathFactory) -> None:
    head, *rows = WARDENS.splitlines()
    known = "\n".join([f"{head},tenure", *(f'{row},"{place + 1}"' for place, row in enumerate(rows))])
    desk = Desk(tmp_path_factory.mktemp("known"), {"wardens.csv": known}, TODAY)
    assert desk.figure("Which warden had the longest tenure?") == "Eve North"
