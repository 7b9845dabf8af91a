"""Lengths of time that are written as a clock shows them: "4:32", "1:02:15"."""

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


def test_the_difference_of_two_lengths(songs: Desk) -> None:
    assert songs.figure("What is the difference in length between The Weir and Low Tide?") == 65
    assert songs.figure("Which song is longer, Low Tide or Lantern?") == "Low Tide"


def test_times_of_day_are_no_lengths(songs: Desk) -> None:
    assert songs.ask("What is the average first aired of all songs?").status != "answered"


def test_a_condition_says_the_length_as_a_clock(swims: Desk) -> None:
    assert "1:02:00" in swims.ask("Which swimmers had a finish time under 62 minutes?").text


def test_a_clock_without_a_column_is_held_against_the_only_lengths_there_are(swims: Desk) -> None:
    assert swims.figure("How many swimmers finished in less than 1:02:00?") == 2
