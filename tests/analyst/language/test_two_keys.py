"""Two keys of one table to another: the word that names the role chooses which of them is meant."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2024, 8, 1)
DEPOTS = [(1, "Northgate", "Norway"), (2, "Southwell", "Spain"), (3, "Eastham", "Estonia"), (4, "Westport", "Wales")]
PARCELS = [
    (500 + k, (1, 2, 3, 1)[k % 4], 1 + (k * k + k // 3) % 4, 10 * (1 + k % 7), date(2024, 1, 1) + timedelta(days=k))
    for k in range(60)
]
CLUBS = [(1, "Otters", "Bath"), (2, "Herons", "Wells"), (3, "Badgers", "Frome")]
GAMES = [
    (k, 1 + k % 3, 1 + (k + 1 + k // 3 % 2) % 3, (k * 7) % 5, (k * 3) % 4, date(2024, 1, 1) + timedelta(days=2 * k))
    for k in range(24)
]


@pytest.fixture(scope="module")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "depots.csv": csv("depot_id,depot_name,country", DEPOTS),
        "parcels.csv": csv("parcel_id,origin_depot_id,destination_depot_id,weight_kg,sent_on", PARCELS),
    }
    return Desk(tmp_path_factory.mktemp("parcels"), files, TODAY)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "clubs.csv": csv("club_id,club_name,town", CLUBS),
        "games.csv": csv("game_id,home_club_id,away_club_id,home_goals,away_goals,played_on", GAMES),
    }
    return Desk(tmp_path_factory.mktemp("games"), files, TODAY)


def sent(depot: int) -> list[tuple[int, int, int, int, date]]:
    return [parcel for parcel in PARCELS if parcel[1] == depot]


def received(depot: int) -> list[tuple[int, int, int, int, date]]:
    return [parcel for parcel in PARCELS if parcel[2] == depot]


def test_from_and_to_choose_the_key(parcels: Desk) -> None:
    assert len(sent(1)) != len(received(1))
    assert parcels.figure("How many parcels were sent from Northgate?") == len(sent(1))
    assert parcels.figure("How many parcels went to Northgate?") == len(received(1))
    assert parcels.figure("What is the total weight of parcels arriving at Eastham?") == sum(p[3] for p in received(3))


def test_both_keys_may_be_spoken_of_in_one_question(parcels: Desk) -> None:
    both = [p for p in PARCELS if p[1] == 1 and p[2] == 3]
    assert 0 < len(both) < min(len(sent(1)), len(received(3)))
    answer = parcels.ask("How many parcels went from Northgate to Eastham?")
    assert parcels.figure("How many parcels went from Northgate to Eastham?") == len(both)
    assert any("matched by origin and destination" in told for told in answer.assumptions)


def test_a_group_is_told_by_the_role_before_it(parcels: Desk) -> None:
    rows = parcels.rows("Number of parcels by destination country")
    assert {row[0]: row[1] for row in rows} == {depot[2]: len(received(depot[0])) for depot in DEPOTS}


def test_who_never_received_and_who_never_sent_are_not_the_same(parcels: Desk) -> None:
    assert len(received(4)) > len(sent(4)) == 0
    assert parcels.rows("Which depots have no departing parcels?") == [["Westport"]]
    answer = parcels.ask("Which depots have never received a parcel?")
    assert (answer.status, parcels.rows("Which depots have never received a parcel?")) == ("answered", [])


def test_where_no_role_is_said_the_answer_says_which_was_taken(parcels: Desk) -> None:
    answer = parcels.ask("Average weight of parcels per depot")
    assert answer.status == "answered"
    assert any("Depots are matched by" in told and "not by" in told for told in answer.assumptions)


def test_home_and_away_are_roles_as_well(games: Desk) -> None:
    home = [game for game in GAMES if game[1] == 2]
    away = [game for game in GAMES if game[2] == 2]
    assert games.figure("How many home goals did the Herons score?") == sum(game[3] for game in home)
    assert games.figure("How many away goals did the Herons score?") == sum(game[4] for game in away)
