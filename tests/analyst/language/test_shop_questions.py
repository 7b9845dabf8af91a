"""Everyday questions of a shop with several tables: what was sold, what is in stock, who looks after whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2026, 3, 10)
PLANTS = [
    (1, "Fern", "Shade", 6.0, 2.5, "Moss, Peat"),
    (2, "Rose", "Sun", 12.0, 7.0, "Sand, Loam"),
    (3, "Iris", "Sun", 9.0, 3.0, "Peat, Loam"),
    (4, "Hosta", "Shade", 8.0, 5.0, "Loam"),
    (5, "Cactus", "Desert", 5.0, 1.0, "Sand, Gravel"),
]
ORDERS = [
    (100 + k, date(2025, 1, 1) + timedelta(days=3 * k), f"{9 + k % 5:02d}:{(7 * k) % 60:02d}:00", 1 + k % 4)
    for k in range(40)
]
LINES = [
    (1000 + 3 * k + j, order[0], 1 + (k + j * j) % 4, 1 + (k * j) % 3)
    for k, order in enumerate(ORDERS)
    for j in range(1 + k % 3)
]
CLERKS = [
    (1, "Ada", "Stone", "Director", date(2012, 5, 1), ""),
    (2, "Ben", "Ruiz", "Account Manager", date(2015, 2, 1), 1),
    (3, "Cleo", "Marsh", "Account Manager", date(2014, 7, 1), 1),
    (4, "Dan", "Okafor", "Gardener", date(2010, 1, 1), 2),
]
CLIENTS = [
    (1, "Green Door", "Lea", "Hall", "555-1", 2),
    (2, "Old Mill", "Tom", "Reed", "", 3),
    (3, "Sea View", "Ida", "Cole", "555-3", 3),
    (4, "Hill Top", "Max", "Lund", "", ""),
]
STOCK = [(shop, plant[0], (shop * plant[0]) % 3 * 4) for shop in (1, 2, 3) for plant in PLANTS]
PAID = [(k, 1 + k % 3, date(2025, 2, 1) + timedelta(days=9 * k), 10.0 * k) for k in range(1, 13)]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "plants.csv": csv("plant_id,plant_name,kind,price,cost,soils", PLANTS),
        "orders.csv": csv("order_id,order_date,time,client_id", ORDERS),
        "order_lines.csv": csv("line_id,order_id,plant_id,quantity", LINES),
        "clerks.csv": csv("clerk_number,first_name,last_name,title,hire_date,reports_to", CLERKS),
        "clients.csv": csv(
            "client_id,client_name,contact_first_name,contact_last_name,phone,account_rep_clerk_number", CLIENTS
        ),
        "stocks.csv": csv("shop_id,plant_id,quantity", STOCK),
        "payments.csv": csv("payment_id,client_id,paid_on,amount", PAID),
    }
    return Desk(tmp_path_factory.mktemp("shop"), files, TODAY)


def per(
    key: Callable[[tuple[int, int, int, int]], object], pieces: Callable[[tuple[int, int, int, int]], float]
) -> Counter[object]:
    found: Counter[object] = Counter()
    for line in LINES:
        found[key(line)] += pieces(line)  # type: ignore[assignment]
    return found


def plant_of(line: tuple[int, int, int, int]) -> tuple[int, str, str, float, float, str]:
    return PLANTS[line[2] - 1]


def day_of(line: tuple[int, int, int, int]) -> date:
    return next(order[1] for order in ORDERS if order[0] == line[1])


def names(desk: Desk, text: str) -> set[object]:
    return {row[0] for row in desk.rows(text)}


def test_what_was_done_behind_a_dimension_is_no_further_dimension(desk: Desk) -> None:
    truth = per(lambda line: plant_of(line)[2], lambda line: line[3])
    assert {row[0]: row[1] for row in desk.rows("What is the total quantity of each kind ordered?")} == truth


def test_a_contribution_is_a_share(desk: Desk) -> None:
    truth = per(lambda line: plant_of(line)[2], lambda line: line[3] * plant_of(line)[3])
    rows = desk.rows("Calculate the percentage contribution of each kind to total revenue.")
    whole = sum(truth.values())
    assert {str(row[0]): round(float(str(row[-1])), 6) for row in rows} == {
        str(kind): round(100 * money / whole, 6) for kind, money in truth.items()
    }


def test_pieces_of_each_day_are_averaged_over_the_days(desk: Desk) -> None:
    truth = per(day_of, lambda line: line[3])
    figure = desk.figure("What is the average number of plants ordered per day?")
    assert float(str(figure)) == pytest.approx(sum(truth.values()) / len(truth), abs=0.01)


def test_the_day_of_the_week_on_which_most_is_sold(desk: Desk) -> None:
    truth = per(lambda line: day_of(line).strftime("%A"), lambda line: line[3])
    most = max(truth.values())
    assert names(desk, "On which day of the week do we sell the most plants?") == {
        day for day, pieces in truth.items() if pieces == most
    }


def test_hours_are_read_from_times_of_day(desk: Desk) -> None:
    truth = Counter(int(order[2][:2]) for order in ORDERS)
    rows = desk.rows("What is the distribution of orders by hour of the day?")
    assert {int(float(str(row[0]))): row[1] for row in rows} == truth


def test_profit_is_what_remains_of_the_revenue_and_the_answer_says_so(desk: Desk) -> None:
    truth = per(lambda line: plant_of(line)[1], lambda line: line[3] * (plant_of(line)[3] - plant_of(line)[4]))
    answer = desk.ask("Which plant made the most profit?")
    assert desk.figure("Which plant made the most profit?") == truth.most_common(1)[0][0]
    assert answer.evidence is not None
    assert any("profit is what remains" in text for text in (*answer.evidence.definitions, *answer.assumptions))


def test_what_was_never_sold_is_told_apart_from_what_is_not_in_stock(desk: Desk) -> None:
    assert names(desk, "Which plants have never been sold?") == {"Cactus"}
    gone = {PLANTS[plant - 1][1] for _, plant, pieces in STOCK if pieces == 0}
    assert names(desk, "Which plants are out of stock in at least one shop?") == gone
    assert desk.figure("How many pieces are in stock?") == sum(pieces for *_, pieces in STOCK)


def test_a_word_in_a_list_of_words_is_looked_for_where_it_stands(desk: Desk) -> None:
    assert desk.figure("How many plants contain sand?") == sum("Sand" in plant[5] for plant in PLANTS)


def test_what_is_not_known_of_somebody_is_missing(desk: Desk) -> None:
    assert desk.figure("How many clients don't have a phone number?") == 2
    assert names(desk, "List all clients without an account rep.") == {"Hill Top"}


def test_clients_are_called_by_their_own_name(desk: Desk) -> None:
    truth: Counter[str] = Counter()
    for _, client, _, amount in PAID:
        truth[CLIENTS[client - 1][1]] += int(amount)
    rows = desk.rows("Report the total payments by client, showing the two largest.")
    assert [(row[0], row[-1]) for row in rows] == truth.most_common(2)


def test_a_word_of_a_column_stands_for_those_whose_rows_hold_it(desk: Desk) -> None:
    rows = desk.rows("How many clients does each account manager have?")
    assert {(row[0], row[1]): row[-1] for row in rows} == {("Ben", "Ruiz"): 1, ("Cleo", "Marsh"): 2}
    assert {tuple(row[:2]) for row in desk.rows("List the names of clerks who are Account Managers.")} == {
        ("Ben", "Ruiz"),
        ("Cleo", "Marsh"),
    }


def test_superiors_are_found_by_rank_and_words_are_no_names(desk: Desk) -> None:
    found = desk.first("Who reports to the director?")
    assert {tuple(row[:2]) for row in found} == {("Ben", "Ruiz"), ("Cleo", "Marsh")}
    assert [row[:2] for row in desk.rows("Who is the senior most clerk based on hire date?")] == [["Dan", "Okafor"]]


def test_after_a_figure_is_no_comparison_of_days(desk: Desk) -> None:
    assert "is over" not in desk.ask("What is the total revenue for each client after cost?").text


def test_the_busiest_month_is_the_one_with_most_of_what_is_counted(desk: Desk) -> None:
    truth = Counter(order[1].strftime("%Y-%m") for order in ORDERS)
    rows = desk.rows("What is the busiest month by number of orders?")
    assert {str(row[0])[:7] for row in rows} == {m for m, count in truth.items() if count == max(truth.values())}


def test_a_share_of_what_was_sold_is_one_of_pieces(desk: Desk) -> None:
    sun = sum(line[3] for line in LINES if plant_of(line)[2] == "Sun")
    share = desk.figure("What percentage of plants sold were of the kind Sun?")
    assert float(str(share)) == pytest.approx(100 * sun / sum(line[3] for line in LINES), abs=0.01)


def test_two_conditions_on_what_is_far_speak_of_one_row(desk: Desk) -> None:
    rose = {line[1] for line in LINES if plant_of(line)[1] == "Rose"}
    march = {order[0] for order in ORDERS if order[1].month == 3}
    truth = {CLIENTS[order[3] - 1][1] for order in ORDERS if order[0] in rose & march}
    assert names(desk, "Which clients ordered Rose in March 2025?") == truth


def test_the_amount_of_a_payment_is_meant_where_payments_exceed_a_figure(desk: Desk) -> None:
    assert desk.figure("How many payments exceeded 60?") == sum(amount > 60 for *_, amount in PAID)


def test_what_of_two_sells_most_is_one_of_the_two(desk: Desk) -> None:
    truth = per(lambda line: plant_of(line)[2], lambda line: line[3] * plant_of(line)[3])
    assert desk.figure("What did we sell most in 2025, Sun or Shade?") == max(("Sun", "Shade"), key=lambda k: truth[k])


def test_the_most_frequent_come_first(desk: Desk) -> None:
    rows = desk.rows("Number of payments by client, most frequent first")
    assert [row[-1] for row in rows] == sorted(Counter(payment[1] for payment in PAID).values(), reverse=True)


def test_small_words_are_no_names_of_people(tmp_path_factory: pytest.TempPathFactory) -> None:
    rentals = [(k, 1 + k % 2, 1 + k % 3, date(2025, 1, 1 + k % 9)) for k in range(1, 31)]
    files = {
        "films.csv": csv("film_id,title,length", [(1, "Sky", 90), (2, "Sea", 120), (3, "Sun", 60)]),
        "clients.csv": csv("client_id,last_name,active", [(1, "LONG", 1), (2, "DAY", 0), (3, "REED", 1)]),
        "rentals.csv": csv("rental_id,film_id,client_id,rental_date", rentals),
    }
    desk = Desk(tmp_path_factory.mktemp("films"), files, TODAY)
    assert [row[0] for row in desk.rows("List the 2 longest films.")] == ["Sea", "Sky"]
    days = Counter(rental[3].strftime("%A") for rental in rentals)
    busiest = names(desk, "What is the busiest day of the week for rentals?")
    assert busiest == {day for day, count in days.items() if count == max(days.values())}
    assert desk.figure("How many clients are inactive?") == 1
    assert names(desk, "Which films have never been rented?") == {"Sun"}
