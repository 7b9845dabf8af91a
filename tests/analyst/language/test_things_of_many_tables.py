"""Bookings and complaints of members: two tables that have nothing in common but whose they are."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

TODAY = date(2026, 6, 1)
GRADES, URGENCY = ("Guest", "Patron"), ("Mild", "Grave")
MEMBERS = [(f"Member {n}", GRADES[n % 2], date(2024, 1, 1) + timedelta(days=30 * n)) for n in range(1, 13)]
BOOKINGS = [
    (100 + n, f"Member {1 + n % 10}", date(2026, 1, 1) + timedelta(days=2 * n), 20 + n, ("Open", "Paid")[n % 3 > 0])
    for n in range(45)
]
COMPLAINTS = [
    (500 + n, f"Member {2 + (n * n) % 9}", day := date(2026, 2, 1) + timedelta(days=n),
     "" if n % 5 == 0 else day + timedelta(days=4 + n % 3), URGENCY[n % 4 == 1])
    for n in range(50)
]  # fmt: skip
club = uploaded(
    today=TODAY,
    members=csv("Member name,Grade,Created on", MEMBERS),
    bookings=csv("Booking no,Member name,Created on,Amount (EUR),State", BOOKINGS),
    complaints=csv("Complaint no,Member name,Created on,Settled on,Urgency", COMPLAINTS),
)
BOOKED, COMPLAINED = (Counter(row[1] for row in rows) for rows in (BOOKINGS, COMPLAINTS))


def test_more_of_one_than_of_the_other_holds_both_numbers_against_each_other(club: Desk) -> None:
    told = {row[0]: row[1:] for row in club.rows("Which members have more complaints than bookings?")}
    assert told == {name: [COMPLAINED[name], BOOKED[name]] for name, _, _ in MEMBERS if COMPLAINED[name] > BOOKED[name]}
    fewer = club.rows("Which members have fewer bookings than complaints?")
    assert {row[0] for row in fewer} == set(told)


def test_how_long_it_takes_is_counted_from_the_rows_own_date(club: Desk) -> None:
    """Members have been created on some day too."""
    settled = [(row[3] - row[2]).days for row in COMPLAINTS if row[3]]
    assert club.figure("How long does it take to settle a complaint?") == pytest.approx(sum(settled) / len(settled))


@pytest.mark.parametrize("text", ["Total booking amount by urgency", "Number of bookings by complaint urgency"])
def test_rows_of_one_thing_are_not_split_by_other_rows_of_it(club: Desk, text: str) -> None:
    assert club.ask(text).status == "declined"


def test_those_of_a_kind_are_what_is_asked_for(club: Desk) -> None:
    open_ones = {row[1] for row in BOOKINGS if row[4] == "Open"}
    grave = {row[1] for row in COMPLAINTS if row[4] == "Grave"}
    patrons = {name for name, grade, _ in MEMBERS if grade == "Patron"}
    asked = {row[0] for row in club.rows("Which patrons have grave complaints and open bookings?")}
    assert asked == patrons & grave & open_ones != set()


def test_figures_of_both_are_those_of_each_by_itself(club: Desk) -> None:
    told = {row[0]: row[1:] for row in club.rows("Total booking amount and number of complaints by member")}
    amounts: Counter[str] = Counter()
    for row in BOOKINGS:
        amounts[row[1]] += row[3]
    assert told == {name: [amounts[name], COMPLAINED[name]] for name, _, _ in MEMBERS}
    first = club.rows("Total booking amount and number of complaints")
    assert first == [[sum(amounts.values()), len(COMPLAINTS)]]


def test_a_condition_on_one_of_them_is_not_asked_of_the_other(club: Desk) -> None:
    asked = club.ask("Total amount of open bookings and number of complaints by member")
    told = {row[0]: row[1:] for row in asked.result.rows}
    name = next(row[1] for row in BOOKINGS if row[4] == "Open")
    assert told[name] == (sum(row[3] for row in BOOKINGS if row[1] == name and row[4] == "Open"), COMPLAINED[name])
    assert any("State is asked of bookings only" in told for told in asked.assumptions)


def test_a_mean_number_says_who_is_left_out(club: Desk) -> None:
    asked = club.ask("How many complaints does a member have on average?")
    assert [list(row) for row in asked.result.rows] == [[pytest.approx(len(COMPLAINTS) / len(COMPLAINED))]]
    assert any("those without any are left out" in told for told in asked.assumptions)
