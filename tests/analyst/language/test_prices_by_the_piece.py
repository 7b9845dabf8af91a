"""A price "per seat" says what the pieces are called; states go by the date that is called like them."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2025, 9, 1)
SHOWS = [(k, f"Show {k}", ("Play", "Circus", "Opera")[k % 3]) for k in range(1, 10)]
BOOKINGS = [
    (k, 1 + (k * k) % 9, f"Guest {k % 7}", 1 + k % 5, (20, 35, 50)[k % 3], date(2024, 1, 5) + timedelta(days=5 * k),
     ("confirmed", "cancelled", "confirmed")[k % 3],
     date(2024, 2, 20) + timedelta(days=6 * k) if k % 3 == 1 else "")
    for k in range(1, 61)
]  # fmt: skip
NOTES = [(k, ("Call", "Visit", "Letter")[k % 3], ("Ann", "Bob")[k % 2], 1 + k % 9) for k in range(1, 40)]


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "shows.csv": csv("show_id,title,kind", SHOWS),
        "bookings.csv": csv("booking_id,show_id,guest,seats,price_per_seat,booked_on,state,cancelled_on", BOOKINGS),
        "contacts_made.csv": csv("contact_id,contact_type,assigned_to,show_id", NOTES),
    }
    return Desk(tmp_path_factory.mktemp("theatre"), files, TODAY)


def kind(show: int) -> str:
    return next(row[2] for row in SHOWS if row[0] == show)


@pytest.mark.parametrize("question", ["seat revenue by kind of show", "revenue by kind", "What did we sell by kind?"])
def test_a_price_per_piece_makes_a_revenue(theatre: Desk, question: str) -> None:
    expected: dict[str, float] = defaultdict(float)
    for booking in BOOKINGS:
        expected[kind(booking[1])] += booking[3] * booking[4]
    answered = theatre.ask(question)
    assert answered.result is not None
    assert {row[0]: float(str(row[1])) for row in answered.result.rows} == pytest.approx(expected)
    assert any("price per seat times seats" in text for text in answered.assumptions)


def test_what_was_sold_is_added_up(theatre: Desk) -> None:
    seats = Counter[object]()
    for booking in BOOKINGS:
        seats[f"Show {booking[1]}"] += booking[3]
    assert {row[0]: row[-1] for row in theatre.rows("seats sold per show")} == seats
    spent = Counter[str]()
    for booking in BOOKINGS:
        spent[booking[2]] += booking[3] * booking[4]
    assert theatre.rows("Who is our best guest by revenue?")[0] == list(spent.most_common(1)[0])


@pytest.mark.parametrize("question", ["cancelled bookings by month", "How many bookings were cancelled, by month?"])
def test_a_state_goes_by_the_date_that_is_called_like_it(theatre: Desk, question: str) -> None:
    months = Counter(booking[7].strftime("%Y-%m-01") for booking in BOOKINGS if isinstance(booking[7], date))
    assert {row[0]: row[-1] for row in theatre.rows(question)} == months
    spring = [b for b in BOOKINGS if isinstance(b[7], date) and date(2024, 3, 1) <= b[7] < date(2024, 6, 1)]
    assert theatre.figure("How many cancelled bookings from March to May 2024?") == len(spring)


def test_what_a_row_is_assigned_to_is_its_owner(theatre: Desk) -> None:
    visits = Counter(note[2] for note in NOTES if note[1] == "Visit")
    assert {row[0]: row[-1] for row in theatre.rows("How many visits per rep?")} == visits


LESSONS = [
    (k, f"S{k % 9}", ("Ivo", "Nora")[k % 2], date(2025, 1, 2) + timedelta(days=k), 10 + k % 4) for k in range(80)
]
PUPILS = [(f"S{k}", f"Pupil {k}") for k in range(9)]


def test_what_is_booked_brings_in_its_price(tmp_path: Path) -> None:
    files = {
        "lesson_bookings.csv": csv("booking_id,pupil_id,teacher,held_on,price", LESSONS),
        "pupils.csv": csv("pupil_id,pupil_name", PUPILS),
    }
    brought = Counter[str]()
    for lesson in LESSONS:
        brought[lesson[2]] += lesson[4]
    answered = Desk(tmp_path, files, TODAY).ask("Which teacher brought in the most revenue?")
    assert answered.result is not None
    assert [(row[0], float(str(row[1]))) for row in answered.result.rows] == brought.most_common(1)
    assert "Revenue is the price of each row." in answered.assumptions


def test_what_is_only_offered_at_a_price_brings_in_nothing(tmp_path: Path) -> None:
    files = {
        "classes.csv": csv("class_id,pupil_id,teacher,added_on,price", LESSONS),
        "pupils.csv": csv("pupil_id,pupil_name", PUPILS),
    }
    assert Desk(tmp_path, files, TODAY).ask("Which teacher brought in the most revenue?").status == "declined"
