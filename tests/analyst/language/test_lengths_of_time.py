"""Lengths of time: written as a clock shows them ("4:32", "1:02:15"), or kept as a figure of minutes."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

SWIMS = csv(
    "swimmer,club,lanes,finish time",
    [
        ("Alma Reed", "Osk", 4, "58:40"),
        ("Bo Lind", "Varn", 4, "1:02:15"),
        ("Cleo Moss", "Osk", 3, "1:10:05"),
        ("Dag Falk", "Brae", 3, "1:01:00"),
        ("Eva Holm", "Varn", 2, "DNF"),
    ],
)
SONGS = csv(
    "song,singer,length,first aired",
    [
        ("Low Tide", "Moss", "3:05", "18:30"),
        ("The Weir", "Reed", "4:10", "20:15"),
        ("Lantern", "Moss", "2:45", "09:05"),
    ],
)
swims = uploaded(swims=SWIMS)
songs = uploaded(songs=SONGS)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who had the fastest finish time?", "Alma Reed"),
        ("Which swimmer was the slowest?", "Cleo Moss"),
        ("Which swimmer of Varn had the longest finish time?", "Bo Lind"),
    ],
)
def test_hours_come_after_minutes(swims: Desk, question: str, name: str) -> None:
    assert swims.figure(question) == name


def test_the_extreme_of_lengths_is_told_as_it_is_written(swims: Desk) -> None:
    assert swims.figure("What is the fastest finish time?") == "58:40"


def test_lengths_are_added_up_and_averaged_in_seconds(songs: Desk) -> None:
    assert songs.figure("What is the total length of all songs?") == 600
    assert songs.figure("What is the average length of the songs by Moss?") == 175
    assert "600 seconds (10:00)" in songs.ask("What is the total length of all songs?").text


@pytest.mark.parametrize("limit", ["1:02:00", "62 minutes", "3720 seconds"])
def test_a_length_is_held_against_a_clock_or_a_number_with_its_unit(swims: Desk, limit: str) -> None:
    found = swims.rows(f"Which swimmers had a finish time under {limit}?")
    assert sorted(row[0] for row in found) == ["Alma Reed", "Dag Falk"]


def test_a_length_is_not_held_against_a_bare_number(swims: Desk) -> None:
    assert swims.ask("Which swimmers had a finish time under 60?").status != "answered"


def test_a_clock_is_not_held_against_other_figures(swims: Desk) -> None:
    assert swims.ask("Which swimmers had more than 1:02 lanes?").status != "answered"


def test_times_of_day_are_no_lengths(songs: Desk) -> None:
    assert songs.ask("What is the average first aired of all songs?").status != "answered"


def test_a_condition_says_the_length_as_a_clock(swims: Desk) -> None:
    assert "1:02:00" in swims.ask("Which swimmers had a finish time under 62 minutes?").text


def test_a_clock_without_a_column_is_held_against_the_only_lengths_there_are(swims: Desk) -> None:
    assert swims.figure("How many swimmers finished in less than 1:02:00?") == 2


TASTINGS = csv(
    "tasting id,held on,duration (minutes),replied,host",
    [
        (1, "2025-06-02", 20, "yes", "Ines"),
        (2, "2025-06-09", 30, "no", "Otto"),
        (3, "2025-06-16", 45, "yes", "Ines"),
        (4, "2025-06-23", 60, "no", "Ines"),
        (5, "2025-06-30", 90, "yes", "Otto"),
    ],
)
GUESTS = csv("guest id,first name,last name,bottles", [(1, "Alma", "Reed", 45), (2, "Bo", "Lind", 12)])
tastings = uploaded(tastings=TASTINGS, guests=GUESTS)


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many tastings lasted over 30 minutes?", 3),
        ("How many tastings were longer than 30 minutes?", 3),
        ("how many tastings over 45 minutes", 2),
        ("How many tastings took more than half an hour?", 3),
        ("How many tastings lasted at least an hour?", 2),
        ("How many tastings took longer than 1 hour?", 1),
        ("How many tastings took between 30 and 45 minutes?", 2),
        ("How many tastings took 45 minutes?", 1),
        ("How many tastings were exactly 20 minutes long?", 1),
        ("How many tastings of over 30 minutes did Ines host?", 2),
    ],
)
def test_a_length_is_held_against_the_figure_that_is_kept_in_a_unit_of_time(
    tastings: Desk, question: str, count: int
) -> None:
    assert tastings.figure(question) == count


def test_the_rows_of_a_length_are_listed_and_shared_out(tastings: Desk) -> None:
    assert tastings.rows("Which tastings were shorter than 40 minutes?") == [[1], [2]]
    assert tastings.figure("share of tastings longer than 30 minutes") == pytest.approx(60)


def test_what_is_not_in_the_data_has_no_length(tastings: Desk) -> None:
    assert tastings.ask("How many calls lasted over 20 minutes?").status == "declined"
    assert tastings.ask("average call length").status == "declined"


def test_a_rep_is_no_reply(tastings: Desk) -> None:
    assert "replied" not in tastings.ask("average duration by rep").text
    assert tastings.rows("average duration by replied")[0] == ["yes", pytest.approx(155 / 3, abs=0.01)]


def test_a_unit_in_a_name_stands_on_its_axis_once(tastings: Desk) -> None:
    options = tastings.ask("average duration by host as a bar chart").chart.document["options"]
    assert "Average duration (minutes)" in options.values()
