"""What must not be there, what may be the one or the other, and names that say more than people do."""

from __future__ import annotations

from datetime import date

import pytest

from tests.analyst.language.asking import Desk, csv

CHOIRS = csv("choir_id,choir_name,country,active_yn", [
    (1, "Alba", "Spain", 1), (2, "Brio", "Spain", 0), (3, "Coro", "Chile", 1), (4, "Duo", "Chile", 0),
])  # fmt: skip
SONGS = csv("song_id,choir_id,written_by,year_sung", [
    (1, 1, "Eva Holt", 2021), (2, 1, "Ugo Rasp", 2022), (3, 2, "Ugo Rasp", 2022), (4, 3, "Eva Holt", 2020),
])  # fmt: skip
MEMBERS = csv("member_id,Fname,LName,age,town", [
    (1, "Pia", "Stone", 20, "WestHaven"), (2, "Raj", "Stone", 31, "WestHaven"), (3, "Sam", "Flint", 44, "WestMill"),
    (4, "Tea", "Marl", 52, "Oldport"),
])  # fmt: skip
SINGS = csv("member_id,choir_id", [(1, 1), (1, 3), (2, 1), (3, 2)])


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {"choirs.csv": CHOIRS, "songs.csv": SONGS, "members.csv": MEMBERS, "sings_in.csv": SINGS}
    return Desk(tmp_path_factory.mktemp("hall"), files, date(2026, 3, 10))


def first(desk: Desk, question: str) -> set[object]:
    return {row[0] for row in desk.rows(question)}


@pytest.mark.parametrize(("question", "names"), [
    ("Which choirs do not sing any song written by Eva Holt?", {"Brio", "Duo"}),
    ("Show the names of all choirs except for choirs having a song in 2022", {"Coro", "Duo"}),
    ("List the names of choirs that have not gone through any songs", {"Duo"}),
])  # fmt: skip
def test_things_without_such_rows_need_not_have_others(hall: Desk, question: str, names: set[object]) -> None:
    assert first(hall, question) == names


def test_the_average_of_those_that_have_none(hall: Desk) -> None:
    assert hall.figure("What is the average age for all members who do not sing in any choirs?") == 52


@pytest.mark.parametrize(("question", "names"), [
    ("Which members are older than 50 or live in WestMill?", {"Sam", "Tea"}),
    ("Which choirs are from Chile or have a song written by Ugo Rasp?", {"Alba", "Brio", "Coro", "Duo"}),
    ("Which choirs have a song written by Ugo Rasp or are from Chile?", {"Alba", "Brio", "Coro", "Duo"}),
])  # fmt: skip
def test_either_of_two_conditions_is_enough(hall: Desk, question: str, names: set[object]) -> None:
    assert first(hall, question) == names


def test_of_what_things_have_many_both_are_meant(hall: Desk) -> None:
    assert first(hall, "Which members sing in Alba and Coro?") == {"Pia"}
    assert first(hall, "Which members sing in Alba or Coro?") == {"Pia", "Raj"}


def test_a_flag_is_said_without_its_mark(hall: Desk) -> None:
    assert first(hall, "Which choirs are active?") == {"Alba", "Coro"}
    assert hall.figure("How many choirs are not active?") == 2
    assert hall.rows("How many songs were written for each active choir?") != []


def test_abbreviated_names_are_said_in_full(hall: Desk) -> None:
    assert first(hall, "List the last names of the members") == {"Stone", "Flint", "Marl"}
    assert first(hall, "What are the first names of every member?") == {"Pia", "Raj", "Sam", "Tea"}


def test_words_written_as_one_are_said_apart(hall: Desk) -> None:
    assert hall.figure("How many members live in West Haven?") == 2


def test_another_name_with_the_same_beginning_is_another_place(hall: Desk) -> None:
    assert hall.ask("How many members live in West Lagoon?").status == "declined"


def test_the_extreme_of_each_group_is_a_figure_for_each(hall: Desk) -> None:
    assert {tuple(row) for row in hall.rows("each town's highest age")} == {
        ("WestHaven", 31), ("WestMill", 44), ("Oldport", 52),
    }  # fmt: skip


def test_who_does_it_is_called_by_the_verb(hall: Desk) -> None:
    assert {tuple(row) for row in hall.rows("How many songs did each writer write?")} == {
        ("Eva Holt", 2), ("Ugo Rasp", 2),
    }  # fmt: skip


def test_a_comparison_of_ages_is_no_number_of_things(hall: Desk) -> None:
    found = hall.rows("Find the number of members who are older than 30 for each choir")
    assert {(row[0], row[-1]) for row in found} == {("Alba", 1), ("Brio", 1)}


@pytest.mark.parametrize("question", [
    "What is the name and id of the choir with the most songs?",
    "Which choir has the most songs? Show both the name and the id.",
])  # fmt: skip
def test_the_name_of_a_thing_is_found_in_what_was_said(hall: Desk, question: str) -> None:
    assert hall.rows(question)[0][:2] == ["Alba", 1]


def test_what_is_said_behind_two_values_holds_for_both(hall: Desk) -> None:
    assert first(hall, "Which members in WestHaven or Oldport are older than 25?") == {"Raj", "Tea"}
    assert hall.figure("How many members aged 20 or 44 live in WestHaven?") == 1
