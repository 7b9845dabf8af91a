"""Two named rows held against one another, and claims about one: what is answered is a word or a difference."""

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
BALLOTS = csv(
    "year,Reed,Moss,voters",
    [(1970, 4, 30, 120400), (1974, 6, 30, 131000), (1978, 9, 27, 129500)],
)
towers = uploaded(towers=TOWERS)
runners = uploaded(runners=RUNNERS)
ballots = uploaded(ballots=BALLOTS)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Is Ash Tower taller than Cherry Spire?", "Yes"),
        ("Does Ash Tower have more levels than Damson Tower?", "No"),
        ("Was Damson Tower completed before Ash Tower?", "Yes"),
        ("Is Cherry Spire older than Ash Tower?", "No"),
        ("Do Ash Tower and Cherry Spire have the same levels?", "Yes"),
        ("Are Ash Tower and Cherry Spire in the same town?", "Yes"),
        ("Does Beech Tower rank higher than Damson Tower?", "Yes"),
        ("Does Ash Tower have more or fewer levels than Beech Tower?", "fewer"),
    ],
)
def test_whether_something_is_so_of_two_rows_is_told_in_a_word(towers: Desk, question: str, word: str) -> None:
    assert towers.figure(question) == word


def test_the_word_comes_with_both_figures(towers: Desk) -> None:
    text = towers.ask("Is Ash Tower taller than Cherry Spire?").text
    assert text.startswith("**Yes**")
    assert "88 m for Ash Tower" in text
    assert "61 m for Cherry Spire" in text


def test_years_are_told_without_thousands_separators(towers: Desk) -> None:
    assert "1958 for Damson Tower" in towers.ask("Was Damson Tower completed before Ash Tower?").text


def test_nothing_is_claimed_of_a_figure_that_is_missing(towers: Desk) -> None:
    text = towers.ask("Is Elder Mast taller than Ash Tower?").text
    assert text.startswith("That cannot be said")


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Is Alma Reed older than Bo Lind?", "No"),
        ("Was Alma Reed faster than Dag Falk?", "Yes"),
        ("Did Cleo Moss have a better time than Bo Lind?", "No"),
        ("Did Varn win more medals than Osk?", "Yes"),
    ],
)
def test_who_is_older_was_born_earlier_and_who_is_faster_needed_less_time(
    runners: Desk, question: str, word: str
) -> None:
    assert runners.figure(question) == word


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How much taller is Beech Tower than Ash Tower?", 46),
        ("How much heavier is Beech Tower than Damson Tower?", 700),
        ("How much older is Damson Tower than Ash Tower?", 33),
        ("How many years earlier was Ash Tower completed than Beech Tower?", 20),
    ],
)
def test_how_much_more_an_adjective_measures(towers: Desk, question: str, figure: int) -> None:
    assert towers.figure(question) == figure


def test_what_was_the_same_in_two_years_and_what_grew(ballots: Desk) -> None:
    assert ballots.figure("Was Moss in 1970 the same as in 1974?") == "Yes"
    assert ballots.figure("Did the number of voters increase from 1974 to 1978?") == "No"
    assert ballots.rows("Did Reed grow from 1970 to 1978, and by how much?") == [["Yes", 5, 4, 9]]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Is Damson Tower in Brae?", ["Yes", "Brae"]),
        ("Does Bo Lind run for Osk?", ["No", "Varn"]),
        ("Does Damson Tower have more than 35 levels?", ["No", 30]),
    ],
)
def test_a_claim_about_one_row_is_held_against_it(
    towers: Desk, runners: Desk, question: str, row: list[object]
) -> None:
    desk = runners if "Lind" in question else towers
    assert desk.rows(question) == [row]


def test_a_claim_with_a_word_that_is_not_understood_is_not_judged(runners: Desk) -> None:
    assert runners.figure("Did Bo Lind quarrel with the chairman of Osk?") not in ("Yes", "No")
