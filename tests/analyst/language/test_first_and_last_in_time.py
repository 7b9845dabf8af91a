"""What came first and last in time: rows, several of them, what they hold, and the figures of the latest period."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded
from tests.analyst.language.conftest import TODAY

REPAIRS = csv(
    "repair id,machine id,started on,hours",
    [
        (1, 1, "2025-01-05", 10),
        (2, 2, "2025-02-05", 20),
        (3, 1, "2025-06-29", 30),
        (4, 3, "2025-07-05", 40),
        (5, 2, "2025-05-05", 50),
        (6, 1, "2025-07-05", 2),
    ],
)
MACHINES = csv(
    "machine id,model,bought on", [(1, "Lathe", "2022-03-05"), (2, "Saw", "2023-02-05"), (3, "Press", "2020-01-05")]
)
GAMES = csv(
    "game,season,host,laps", [("Alpha", 2001, "Osk", 30), ("Beta", 2005, "Varn", 25), ("Gamma", 2003, "Brae", 42)]
)
CARE = csv("care id,date of care,cost of care", [(1, "2025-01-05", 110), (2, "2025-03-05", 407), (3, "2025-02-05", 90)])


workshop = uploaded(repairs=REPAIRS, machines=MACHINES)
games = uploaded(games=GAMES)


@pytest.mark.parametrize("latest", ["latest", "last", "most recent", "newest"])
def test_what_the_latest_thing_holds_is_that_of_one_row(games: Desk, latest: str) -> None:
    assert games.figure(f"How many laps did the {latest} game have?") == 25
    assert games.figure(f"Where was the host of the {latest} game?") == "Varn"


@pytest.mark.parametrize("latest", ["most recent", "latest", "last"])
def test_a_date_that_is_called_like_the_thing_is_not_what_is_asked_for(
    tmp_path_factory: pytest.TempPathFactory, latest: str
) -> None:
    desk = Desk(tmp_path_factory.mktemp("care"), {"care.csv": CARE}, TODAY)
    assert desk.figure(f"How much does the {latest} care cost?") == 407


@pytest.mark.parametrize("said", ["3 most recent", "most recent three", "three latest", "latest 3", "3 last", "last 3"])
def test_so_many_of_the_latest_are_listed(workshop: Desk, said: str) -> None:
    found = [row[0] for row in workshop.rows(f"Show the {said} repairs")]
    assert sorted(str(cell) for cell in found[:2]) == ["4", "6"]
    assert found[2:] == [3]


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("Which model had the most recent repair?", {"Press", "Lathe"}),
        ("Which model had the first repair?", {"Lathe"}),
        ("Which model had the most recent 2 repairs?", {"Press", "Lathe"}),
    ],
)
def test_a_thing_is_found_by_the_time_of_what_belongs_to_it(workshop: Desk, question: str, model: set[str]) -> None:
    assert {row[0] for row in workshop.rows(question)} == model


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What were the total hours in the most recent month?", 42),
        ("How many repairs were started in the latest month?", 2),
        ("How many repairs were started on the earliest date?", 1),
    ],
)
def test_figures_of_the_latest_period_are_of_its_rows_alone(workshop: Desk, question: str, figure: int) -> None:
    answered = workshop.ask(question)
    assert answered.status == "answered"
    assert workshop.rows(question)[0][-1] == figure
    assert f"**{figure}** for" in answered.text


def test_the_latest_year_is_told_as_the_latest(workshop: Desk) -> None:
    assert "**6** for 2025, the latest started on" in workshop.ask("How many repairs in the most recent year?").text


def test_figures_of_the_latest_period_are_told_by_group(workshop: Desk) -> None:
    rows = workshop.rows("What were the total hours by model in the most recent month?")
    assert {row[1]: row[2] for row in rows} == {"Press": 40, "Lathe": 2}


def test_what_is_last_in_the_file_is_not_told_for_what_was_last_in_another_table(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    files = {"repairs.csv": csv("repair id,machine id", [(1, 3), (2, 2), (3, 1)]), "machines.csv": MACHINES}
    desk = Desk(tmp_path_factory.mktemp("undated"), files, TODAY)
    assert desk.ask("Which machine had the last 2 repairs?").status != "answered"


def test_a_figure_of_all_rows_is_not_told_as_that_of_the_last(workshop: Desk) -> None:
    assert workshop.ask("What is the average of the hours of the last repair?").status != "answered"
