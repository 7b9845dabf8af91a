"""Everyday phrases round orders and their lines, asked of a made-up nursery that sells plants."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

CLIENTS = [(number, f"Garden {number}", date(2020, 1, number)) for number in range(1, 9)]
ORDERS = [
    (100 + k, 1 + k % 6, date(2024, 1, 15) + timedelta(days=20 * k), ("Road", "Rail", "Sea")[k % 3]) for k in range(30)
]
LINES = [
    (1000 + 4 * k + j, order[0], ("Ash", "Box", "Elm")[(k + j) % 3], 5.0 + j, 1 + (k + 2 * j) % 4, 0.25 * (k % 2), j)
    for k, order in enumerate(ORDERS)
    for j in range(1 + k % 4)
]
DAY = {order[0]: order[2] for order in ORDERS}


def worth(line: tuple[int, int, str, float, int, float, int]) -> float:
    return line[3] * line[4] * (1 - line[5])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "customers.csv": csv("customer_id,customer_name,created_on", CLIENTS),
        "orders.csv": csv("order_id,customer_id,order_date,way", ORDERS),
        "order_details.csv": csv("detail_id,order_id,plant,unit_price,quantity,discount,units_on_order", LINES),
    }
    return Desk(tmp_path_factory.mktemp("nursery"), files, date(2026, 3, 10))


@pytest.mark.parametrize("phrase", ["over the whole period", "of all time", "so far", "to date"])
def test_a_phrase_for_all_the_time_there_is_restricts_nothing(desk: Desk, phrase: str) -> None:
    assert desk.figure(f"What was our revenue {phrase}?") == pytest.approx(sum(map(worth, LINES)))


def test_the_lines_of_orders_are_the_rows_of_their_details(desk: Desk) -> None:
    assert desk.figure("How many order lines are there?") == len(LINES)
    in_2025 = [line for line in LINES if DAY[line[1]].year == 2025]
    assert desk.figure("How many order lines were there in 2025?") == len(in_2025)
    assert desk.figure("What is the average discount on an order line?") == pytest.approx(
        sum(line[5] for line in LINES) / len(LINES), abs=0.01
    )


def test_how_many_of_them_one_has_on_average_is_a_mean_of_counts(desk: Desk) -> None:
    assert desk.figure("How many lines does an order have on average?") == pytest.approx(
        len(LINES) / len(ORDERS), abs=0.01
    )


def test_the_value_of_an_order_is_what_its_lines_come_to(desk: Desk) -> None:
    assert desk.figure("What is the average value of an order?") == pytest.approx(
        sum(map(worth, LINES)) / len(ORDERS), abs=0.01
    )


def test_lines_said_by_what_was_done_to_them_are_those_with_an_amount_of_it(desk: Desk) -> None:
    cut = [line for line in LINES if line[5] > 0]
    assert desk.figure("How many discounted lines are there?") == len(cut)
    assert desk.figure("How much revenue did discounted lines bring in?") == pytest.approx(sum(map(worth, cut)))


@pytest.mark.parametrize("done", ["bought something", "bought from us", "ordered something"])
def test_customers_who_bought_are_counted_by_when_they_bought(desk: Desk, done: str) -> None:
    buyers = {order[1] for order in ORDERS if order[2].year == 2025 and order[2].month <= 3}
    assert desk.figure(f"How many customers {done} in the first quarter of 2025?") == len(buyers)


def test_orders_that_were_placed_are_counted_by_their_own_date(desk: Desk) -> None:
    placed = [order for order in ORDERS if order[2].year == 2025]
    assert desk.figure("How many orders were placed in 2025?") == len(placed)


def test_customers_who_bought_nothing_are_the_others(desk: Desk) -> None:
    never = {client[0] for client in CLIENTS} - {order[1] for order in ORDERS}
    assert len(desk.rows("Which customers bought nothing?")) == len(never)
    assert desk.figure("How many customers never ordered anything?") == len(never)


def test_two_quarters_in_words_are_held_against_each_other(desk: Desk) -> None:
    def total(year: int) -> float:
        return sum(worth(line) for line in LINES if DAY[line[1]].year == year and DAY[line[1]].month <= 3)

    asked = "How did revenue in the first quarter of 2025 compare with the first quarter of 2024?"
    assert desk.rows(asked)[0][:2] == pytest.approx([total(2025), total(2024)])


def test_as_a_line_is_a_chart_though_the_data_knows_lines(desk: Desk) -> None:
    given = desk.ask("monthly revenue in 2024 as a line")
    assert given.result is not None
    assert [column.name for column in given.result.columns] == ["Order date (month)", "Total revenue"]


@pytest.mark.parametrize(
    "asked", ["How much did we make in 2024?", "Which way carries the most Ash?", "Which way carries more Ash?"]
)
def test_a_figure_or_a_degree_that_came_to_nothing_is_not_passed_over(desk: Desk, asked: str) -> None:
    assert desk.ask(asked).status != "answered"
