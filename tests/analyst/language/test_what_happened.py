"""What has happened and what has not: dates that rows lack, flags in words, kinds of things, and who never did."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2024, 8, 1)
HALLS = [
    (1, "Opal Hall", "Ghent", 900),
    (2, "Mill", "Bruges", 300),
    (3, "Pier", "Ghent", 1200),
    (4, "Barn", "Ypres", 90),
]
SHOWS = [(k, f"Piece {k}", 1 + k % 3, ("Comedy", "Opera", "Circus")[k % 3], 60 + 15 * (k % 5)) for k in range(1, 13)]
GUESTS = [(k, f"First{k}", f"Last{k}", ("gold", "plain", "frozen")[k % 3]) for k in range(1, 25)]
SEATS = [
    (k, 1 + (k * k) % 11, 1 + (k * 5) % 20, date(2024, 1, 1) + timedelta(days=k), 10 + 5 * (k % 4),
     ("no", "no", "yes")[k % 3], "" if k % 4 else date(2024, 2, 1) + timedelta(days=k))
    for k in range(1, 121)
]  # fmt: skip
CASES = [
    (k, ("low", "high")[k % 2], date(2024, 1, 1) + timedelta(days=k),
     "" if k % 3 == 0 else date(2024, 2, 1) + timedelta(days=2 * k))
    for k in range(1, 40)
]  # fmt: skip


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "halls.csv": csv("hall_id,hall_name,town,places", HALLS),
        "shows.csv": csv("show_id,title,hall_id,show_type,minutes", SHOWS),
        "guests.csv": csv("guest_id,first_name,last_name,membership", GUESTS),
        "tickets.csv": csv("ticket_id,show_id,guest_id,bought_on,price_paid,refunded,cancelled_on", SEATS),
        "cases.csv": csv("case_id,priority,opened_on,closed_on", CASES),
    }
    return Desk(tmp_path_factory.mktemp("theatre"), files, TODAY)


def test_a_date_that_rows_lack_tells_what_has_happened(theatre: Desk) -> None:
    cancelled = [seat for seat in SEATS if seat[6]]
    assert theatre.figure("How many tickets have been cancelled?") == len(cancelled)
    assert theatre.figure("How many tickets were not cancelled?") == len(SEATS) - len(cancelled)
    share = theatre.figure("What percentage of tickets are cancelled?")
    assert float(str(share)) == pytest.approx(100 * len(cancelled) / len(SEATS))


def test_what_is_still_open_has_no_end(theatre: Desk) -> None:
    unsolved = [case for case in CASES if not case[3]]
    assert theatre.figure("How many cases are still open?") == len(unsolved)
    high = [case for case in unsolved if case[1] == "high"]
    assert theatre.figure("How many high priority cases are not closed?") == len(high)


def test_yes_and_no_in_words_are_flags(theatre: Desk) -> None:
    refunded = sum(seat[5] == "yes" for seat in SEATS)
    assert theatre.figure("How many tickets were refunded?") == refunded
    assert theatre.figure("How many unrefunded tickets are there?") == len(SEATS) - refunded


def test_both_parts_of_a_name_are_listed_and_none_comes_first(theatre: Desk) -> None:
    bought = {seat[2] for seat in SEATS}
    rows = theatre.rows("List the first and last names of the guests who never bought a ticket.")
    assert sorted(rows) == sorted([g[1], g[2]] for g in GUESTS if g[0] not in bought)


def test_names_of_things_of_a_kind_are_the_things_own_names(theatre: Desk) -> None:
    frozen = {guest[0] for guest in GUESTS if guest[3] == "frozen"}
    went = {seat[2] for seat in SEATS if seat[1] == 5}
    rows = theatre.rows("List the names of frozen guests who bought tickets for Piece 5.")
    assert sorted(row[:2] for row in rows) == sorted([g[1], g[2]] for g in GUESTS if g[0] in frozen & went)


def test_a_stored_kind_in_the_plural_is_what_is_counted(theatre: Desk) -> None:
    long = [show for show in SHOWS if show[3] == "Comedy" and show[4] >= 75]
    assert theatre.figure("How many comedies last at least 75 minutes?") == len(long)


def test_who_or_what_has_none_may_be_a_column_of_another_table(theatre: Desk) -> None:
    used = {show[2] for show in SHOWS}
    assert theatre.rows("Which town has no shows?") == [[hall[2]] for hall in HALLS if hall[0] not in used]
    visited = {seat[1] for seat in SEATS}
    rows = theatre.rows("Which shows did nobody book?")
    assert sorted(row[0] for row in rows) == sorted(show[1] for show in SHOWS if show[0] not in visited)


def test_what_was_paid_for_each_ticket_is_revenue(theatre: Desk) -> None:
    kind = {show[0]: show[3] for show in SHOWS}
    money: defaultdict[str, int] = defaultdict(int)
    for seat in SEATS:
        money[kind[seat[1]]] += seat[4]
    assert {row[0]: row[1] for row in theatre.rows("Total ticket revenue per show type")} == money


def test_an_order_at_the_end_is_no_first_row(theatre: Desk) -> None:
    rows = theatre.rows("List the titles and minutes of all shows, longest first.")
    assert [row[1] for row in rows] == sorted((show[4] for show in SHOWS), reverse=True)


def test_how_many_are_shown_may_be_said_at_the_end(theatre: Desk) -> None:
    rows = theatre.rows("Which show types are most common among shows? Show 2.")
    assert len(rows) == 2
    assert {row[0] for row in rows} <= set(Counter(show[3] for show in SHOWS))


def test_a_rate_of_a_stored_state_is_told_for_each_group(theatre: Desk) -> None:
    rate = theatre.figure("What is the frozen rate of guests?")
    assert float(str(rate)) == pytest.approx(100 * sum(g[3] == "frozen" for g in GUESTS) / len(GUESTS), abs=0.01)
    rows = theatre.rows("What is the frozen rate by last name?")
    assert {row[0]: float(str(row[1])) for row in rows} == {g[2]: 100.0 * (g[3] == "frozen") for g in GUESTS}


def test_who_sold_none_did_not_sell(theatre: Desk) -> None:
    sold = {seat[1] for seat in SEATS}
    rows = theatre.rows("Which shows sold no tickets?")
    assert sorted(row[0] for row in rows) == sorted(show[1] for show in SHOWS if show[0] not in sold)


def test_the_top_figures_are_ranked_by_themselves(theatre: Desk) -> None:
    rows = theatre.rows("What are the top 2 hall places?")
    assert [row[-1] for row in rows] == sorted((hall[3] for hall in HALLS), reverse=True)[:2]
