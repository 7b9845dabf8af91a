"""Two named rows held against one another: both figures are told, and none of one row alone."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

TOWERS = csv(
    "tower,town,height (m),levels,mass (t),completed,rank",
    [
        ("Ash Tower", "Osk", 88, 21, 5200, 1991, 3),
        ("Beech Tower", "Varn", 134, 34, 8100, 2011, 1),
        ("Cherry Spire", "Osk", 61, 21, 3000, 2003, 4),
        ("Damson Tower", "Brae", 120, 30, 7400, 1958, 2),
        ("Elder Mast", "Brae", "", 1, 900, 1970, 5),
    ],
)
RUNNERS = csv(
    "runner,club,born,time,medals",
    [
        ("Alma Reed", "Osk", "1991-03-04", "58:40", 4),
        ("Bo Lind", "Varn", "1988-07-21", "1:02:15", 2),
        ("Cleo Moss", "Osk", "1995-01-30", "1:10:05", 2),
        ("Dag Falk", "Varn", "1984-11-11", "1:01:00", 7),
    ],
)
towers = uploaded(towers=TOWERS)
runners = uploaded(runners=RUNNERS)


@pytest.mark.parametrize(
    ("question", "both"),
    [
        ("Is Ash Tower taller than Cherry Spire?", [["Ash Tower", 88], ["Cherry Spire", 61]]),
        ("Does Ash Tower have more levels than Damson Tower?", [["Damson Tower", 30], ["Ash Tower", 21]]),
        ("Do Ash Tower and Cherry Spire have the same levels?", [["Ash Tower", 21], ["Cherry Spire", 21]]),
        ("Does Ash Tower have more or fewer levels than Beech Tower?", [["Beech Tower", 34], ["Ash Tower", 21]]),
        ("How much taller is Beech Tower than Ash Tower?", [["Beech Tower", 134], ["Ash Tower", 88]]),
        ("How much heavier is Beech Tower than Damson Tower?", [["Beech Tower", 8100], ["Damson Tower", 7400]]),
    ],
)
def test_both_figures_are_told_where_one_row_is_held_against_another(
    towers: Desk, question: str, both: list[list[object]]
) -> None:
    assert sorted(map(str, towers.first(question))) == sorted(map(str, both))


def test_groups_are_held_against_one_another_too(runners: Desk) -> None:
    assert sorted(map(str, runners.first("Did Varn win more medals than Osk?"))) == ["['Osk', 6]", "['Varn', 9]"]


def test_which_of_two_it_is_is_told_with_both(runners: Desk) -> None:
    told = runners.ask("Who has more medals, Dag Falk or Bo Lind?", learned=True)
    assert told.result is not None
    assert told.result.rows == (("Dag Falk", 7), ("Bo Lind", 2))


def test_a_claim_with_a_word_that_is_not_understood_is_not_judged(runners: Desk) -> None:
    assert runners.ask("Did Bo Lind quarrel with the chairman of Osk?", learned=True).status != "answered"
