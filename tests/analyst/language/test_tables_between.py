"""Tables that only link others, figures without a unit, states without a status: what lies between the words."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2024, 8, 1)
KINDS = [(1, "Comedy"), (2, "Drama"), (3, "Western")]
FILMS = [(k, f"Film {k}", 40 + 15 * k) for k in range(1, 11)]
OF_KIND = [(film[0], 1 + film[0] % 3) for film in FILMS]
COPIES = [(100 + 4 * film[0] + n, film[0]) for film in FILMS for n in range(1 + film[0] % 4)]
RENTALS = [(k, COPIES[(k * k) % len(COPIES)][0], date(2024, 1, 1) + timedelta(days=k)) for k in range(1, 90)]
LOANS = [(k, 1 + k % 3, 5000 if k == 1 else 700 * (1 + k % 3)) for k in range(1, 31)]
BRANCHES = [(1, "Harbour"), (2, "Station"), (3, "Market")]
DEALS = [
    (k, f"Deal {k}", ("Closed Won", "Closed Lost", "Proposal")[k % 3], 1000 * k, date(2024, 1, 1), date(2024, 3, 1))
    for k in range(1, 20)
]
TICKETS = [
    (k, ("High", "Low")[k % 2], date(2024, 1, 1) + timedelta(days=2 * k),
     "" if k % 5 == 0 else date(2024, 1, 9) + timedelta(days=2 * k + 3 * (k % 7)))
    for k in range(1, 90)
]  # fmt: skip


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "kind.csv": csv("kind_id,name", KINDS),
        "film.csv": csv("film_id,title,length", FILMS),
        "film_kind.csv": csv("film_id,kind_id", OF_KIND),
        "inventory.csv": csv("inventory_id,film_id", COPIES),
        "rental.csv": csv("rental_id,inventory_id,rental_date", RENTALS),
    }
    return Desk(tmp_path_factory.mktemp("films"), files, TODAY)


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "deals.csv": csv("deal_id,deal_name,stage,amount,create_date,close_date", DEALS),
        "tickets.csv": csv("ticket_id,priority,opened_at,resolved_at", TICKETS),
    }
    return Desk(tmp_path_factory.mktemp("tickets"), files, TODAY)


def kind_of(film: int) -> str:
    return KINDS[OF_KIND[film - 1][1] - 1][1]


def test_a_table_that_only_links_others_is_shown_by_the_names_it_links(films: Desk) -> None:
    film_of = dict(COPIES)
    rented = Counter(kind_of(film_of[rental[1]]) for rental in RENTALS)
    assert films.figure("Which film kind is rented most often?") == rented.most_common(1)[0][0]
    rows = films.rows("How many films are there per film kind?")
    assert {row[0]: row[-1] for row in rows} == Counter(kind_of(film[0]) for film in FILMS)


def test_hours_of_lengths_without_a_unit_are_turned_into_the_unit_that_fits_and_it_is_said(films: Desk) -> None:
    long = {film[1] for film in FILMS if film[2] > 120}
    assert {row[0] for row in films.rows("Films longer than 2 hours")} == long
    assert films.figure("How many films are shorter than 1 hour?") == sum(film[2] < 60 for film in FILMS)
    assert any("taken as minutes" in text for text in films.ask("Films longer than 2 hours").assumptions)


def test_copies_in_the_inventory_are_counted_for_each_film(films: Desk) -> None:
    rows = films.rows("Number of copies of each film in the inventory")
    assert {row[0]: row[-1] for row in rows} == Counter(FILMS[film - 1][1] for _, film in COPIES)


def test_the_rows_of_the_thing_that_has_most_of_them_are_listed(tmp_path_factory: pytest.TempPathFactory) -> None:
    tracks = [(k, f"Song {k}", 1 + (k * k) % 4) for k in range(1, 16)]
    files = {
        "albums.csv": csv("album_id,title", [(1, "Dawn"), (2, "Noon"), (3, "Dusk"), (4, "Night")]),
        "tracks.csv": csv("track_id,name,album_id", tracks),
    }
    desk = Desk(tmp_path_factory.mktemp("music"), files, TODAY)
    most = Counter(album for *_, album in tracks).most_common(1)[0][0]
    for text in ("What are the names of the tracks on the album with the most tracks?",
                 "Which tracks are on the album with the most tracks?"):  # fmt: skip
        assert {row[0] for row in desk.rows(text)} == {name for _, name, album in tracks if album == most}


def test_the_most_money_is_what_all_rows_of_a_key_come_to(tmp_path_factory: pytest.TempPathFactory) -> None:
    files = {
        "branches.csv": csv("branch_id,branch_name", BRANCHES),
        "loans.csv": csv("loan_id,branch_id,amount", LOANS),
    }
    desk = Desk(tmp_path_factory.mktemp("loans"), files, TODAY)
    lent: Counter[int] = Counter()
    for _, branch, amount in LOANS:
        lent[branch] += amount
    branch, amount = lent.most_common(1)[0]
    assert amount > max(loan[2] for loan in LOANS)
    row = desk.rows("Which branch has lent the most money?")[0]
    assert row[0] in (branch, BRANCHES[branch - 1][1])
    assert row[-1] == amount


def test_the_verb_before_a_period_chooses_the_date(tickets: Desk) -> None:
    resolved = sum(ticket[3] != "" and ticket[3].month == 4 for ticket in TICKETS if isinstance(ticket[3], date))
    opened = sum(ticket[2].month == 4 for ticket in TICKETS)
    assert resolved != opened
    assert tickets.figure("How many tickets were resolved in April 2024?") == resolved
    assert tickets.figure("How many tickets resolved in April 2024?") == resolved
    assert tickets.figure("How many tickets were opened in April 2024?") == opened


def test_without_a_status_what_has_no_day_of_closing_is_open(tickets: Desk) -> None:
    assert tickets.figure("How many tickets are unresolved?") == sum(ticket[3] == "" for ticket in TICKETS)
    answer = tickets.ask("How many open tickets do we have by priority?")
    assert any("Open = without a value in resolved at" in text for text in answer.assumptions)


def test_what_is_in_store_is_no_value_of_an_order(tmp_path_factory: pytest.TempPathFactory) -> None:
    lines = [(k, 1 + k % 6, 1 + k % 4, 1 + k % 5, 10.0 + k % 4) for k in range(1, 41)]
    files = {
        "products.csv": csv("product_id,product_name,buy_price,quantity_in_stock,list_price",
                            [(k, f"Toy {k}", 3.0 * k, 100 * k, 5.0 * k) for k in range(1, 5)]),
        "orders.csv": csv("order_id,order_date", [(k, date(2024, 1, k)) for k in range(1, 7)]),
        "order_lines.csv": csv("line_id,order_id,product_id,quantity_ordered,price_each", lines),
    }  # fmt: skip
    desk = Desk(tmp_path_factory.mktemp("toys"), files, TODAY)
    truth: Counter[int] = Counter()
    for _, order, _, pieces, price in lines:
        truth[order] += int(pieces * price)
    assert {row[0]: row[-1] for row in desk.rows("What is the value of each order?")} == truth


def test_what_one_column_less_another_is_for_each_kind_is_no_two_averages(films: Desk) -> None:
    assert films.rows("Show the length minus film id for each kind") == []
