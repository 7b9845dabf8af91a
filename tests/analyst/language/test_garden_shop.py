"""How people of a shop speak: what was sold, what it is worth, whose it is, how often, by which date."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2025, 6, 1)
CLIENTS = [(k, f"Client {k}", ("Bergen", "Lund", "Oslo")[k % 3], f"Firm {k}") for k in range(1, 13)]
CARRIERS = [(1, "Blue Vans"), (2, "Night Carts")]
STAFF = [(1, "Ada", "Holm"), (2, "Bo", "Lindt"), (3, "Cleo", "Moss")]
FAMILIES = [(1, "Ferns"), (2, "Roses"), (3, "Herbs")]
PLANTS = [
    (k, f"Plant {k}", 1 + k % 3, 10 + k, (0, 4, 30, 12)[k % 4], 10, ("Yes", "No")[k % 2],
     ("", date(2025, 1, k))[k % 3 == 0])
    for k in range(1, 13)
]  # fmt: skip
ORDERS = [
    (100 + k, 1 + (k * k) % 7, 1 + k % 3, 1 + k % 2, date(2023, 1, 10) + timedelta(days=17 * k),
     "" if k % 9 == 0 else date(2023, 1, 10) + timedelta(days=17 * k + k % 5), 5 + k % 11)
    for k in range(1, 41)
]  # fmt: skip
LINES = [
    (100 + order, 1 + (order + 5 * line) % 12, 8 + (order + line) % 9, 1 + (order * line) % 6,
     (0, 0.1, 0.25)[(order + line) % 3])
    for order in range(1, 41)
    for line in range(1, 2 + order % 3)
]  # fmt: skip


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "clients.csv": csv("client_id,client_name,region,company_name", CLIENTS),
        "carriers.csv": csv("carrier_id,company_name", CARRIERS),
        "employees.csv": csv("employee_id,first_name,last_name", STAFF),
        "families.csv": csv("family_id,family_name", FAMILIES),
        "plants.csv": csv(
            "plant_id,plant_name,family_id,unit_price,units_in_stock,reorder_level,frost_cover,end_date", PLANTS
        ),
        "orders.csv": csv("order_id,client_id,employee_id,carrier_id,order_date,sent_date,freight", ORDERS),
        "order_lines.csv": csv("order_id,plant_id,unit_price,quantity,discount", LINES),
    }  # fmt: skip
    return Desk(tmp_path_factory.mktemp("garden"), files, TODAY)


ORDER = {order[0]: order for order in ORDERS}
PLANT = {plant[0]: plant for plant in PLANTS}


def value(line: tuple[int, int, int, int, float]) -> float:
    return line[2] * line[3] * (1 - line[4])


def totals(key: Callable[[tuple[int, int, int, int, float]], object]) -> dict[object, float]:
    found: dict[object, float] = defaultdict(float)
    for line in LINES:
        found[key(line)] += value(line)
    return found


@pytest.mark.parametrize("verb", ["sell", "earn", "make", "bring in"])
def test_what_was_earned_is_asked_for_by_its_verb(garden: Desk, verb: str) -> None:
    year = totals(lambda line: ORDER[line[0]][4].year)[2024]
    assert garden.figure(f"What did we {verb} in 2024?") == pytest.approx(year, abs=0.01)
    assert garden.figure("What was 2024's revenue?") == pytest.approx(year, abs=0.01)


def test_discounts_that_are_shares_are_asked_for_as_money(garden: Desk) -> None:
    given = sum(float(str(line[2])) * line[3] * line[4] for line in LINES)
    assert garden.figure("How much did we give away in discounts?") == pytest.approx(given, abs=0.01)
    assert garden.figure("What is the total discount?") == pytest.approx(given, abs=0.01)
    mean = sum(line[4] for line in LINES) / len(LINES)
    assert garden.figure("average discount") == pytest.approx(mean, abs=0.01)


def test_stock_is_worth_its_price_and_held_against_its_level(garden: Desk) -> None:
    assert garden.figure("How much is our stock worth?") == sum(plant[3] * plant[4] for plant in PLANTS)
    low = {plant[1] for plant in PLANTS if plant[4] < plant[5]}
    assert {row[0] for row in garden.rows("Which plants are below their reorder level?")} == low
    covered = [plant for plant in PLANTS if plant[6] == "Yes"]
    assert garden.figure("How many plants need frost cover?") == len(covered)
    there = [plant for plant in covered if plant[4]]
    assert garden.figure("How many plants that need frost cover do we still have in stock?") == len(there)


def test_of_two_nouns_the_second_is_meant(garden: Desk) -> None:
    families = dict(FAMILIES)
    expected = totals(lambda line: families[PLANT[line[1]][2]])
    found = {row[0]: float(str(row[-1])) for row in garden.rows("Revenue by plant family, largest first")}
    assert found == pytest.approx(expected, abs=0.01)
    freight = defaultdict(list)
    for order in ORDERS:
        freight[dict(CARRIERS)[order[3]]].append(order[6])
    found = {row[0]: float(str(row[-1])) for row in garden.rows("average freight per carrying company")}
    assert found == pytest.approx({name: sum(of) / len(of) for name, of in freight.items()}, abs=0.01)
    surnames = {clerk[0]: clerk[2] for clerk in STAFF}
    people = Counter(surnames[order[2]] for order in ORDERS)
    assert {row[1]: row[-1] for row in garden.rows("How many orders did each sales rep handle?")} == people


def test_what_sells_best_is_judged_by_what_is_said(garden: Desk) -> None:
    pieces = Counter[object]()
    for line in LINES:
        pieces[PLANT[line[1]][1]] += line[3]
    assert garden.rows("best selling plant by quantity")[0][1] == max(pieces.values())
    regions = {client[0]: client[2] for client in CLIENTS}
    best = totals(lambda line: regions[ORDER[line[0]][1]])
    assert garden.rows("What is our best region by revenue?")[0][0] == max(best, key=lambda name: best[name])


def test_the_largest_order_belongs_to_somebody(garden: Desk) -> None:
    worth = totals(lambda line: line[0])
    largest = max(worth, key=lambda order: worth[order])
    names = {client[0]: client[1] for client in CLIENTS}
    for question in ("Which client placed the largest order?", "Biggest single order ever, and who placed it"):
        row = garden.rows(question)[0]
        assert row[:2] == [largest, names[ORDER[largest][1]]]
        assert row[-1] == pytest.approx(worth[largest], abs=0.01)
    year = max((o for o in worth if ORDER[o][4].year == 2023), key=lambda order: worth[order])
    assert garden.rows("What was the largest order in 2023?")[0][0] == year


def test_how_often_somebody_bought_counts_orders_and_not_their_lines(garden: Desk) -> None:
    often = Counter(order[1] for order in ORDERS)
    assert garden.figure("How many clients bought more than three times?") == sum(n > 3 for n in often.values())
    once = {client[1] for client in CLIENTS if often[client[0]] == min(often.values())}
    number = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}[min(often.values())]
    assert {row[0] for row in garden.rows(f"Which clients placed only {number} orders?")} == once


def test_how_long_it_takes_may_be_said_in_any_order(garden: Desk) -> None:
    days = [(order[5] - order[4]).days for order in ORDERS if order[5]]
    for question in ("How long does it take us on average to send an order?", "How long does it take to send orders?"):
        assert float(str(garden.figure(question))) == pytest.approx(sum(days) / len(days), abs=0.01)


def test_the_most_is_never_what_is_not_known(tmp_path_factory: pytest.TempPathFactory) -> None:
    rows = [(k, ("", "", "North", "", "South", "South")[k % 6], 5) for k in range(60)]
    files = {"visits.csv": csv("visit_id,side,minutes", rows)}
    desk = Desk(tmp_path_factory.mktemp("visits"), files, TODAY)
    assert desk.rows("Which side has the most visits?")[0] == ["South", 20]


def test_what_somebody_spent_and_what_different_things_were_sold(garden: Desk) -> None:
    spent = totals(lambda line: ORDER[line[0]][1])
    assert garden.figure("How much did Client 2 spend with us?") == pytest.approx(spent[2], abs=0.01)
    lund = sum(spent[client[0]] for client in CLIENTS if client[2] == "Lund")
    assert garden.figure("How much did clients in Lund spend?") == pytest.approx(lund, abs=0.01)
    assert garden.figure("How many different plants did we sell?") == len({line[1] for line in LINES})


def test_a_mean_said_behind_is_a_mean_and_a_value_has_no_date(garden: Desk) -> None:
    spent = totals(lambda line: ORDER[line[0]][1])
    mean = sum(spent.values()) / len(spent)
    assert garden.figure("Revenue per client on average") == pytest.approx(mean, abs=0.01)
    worth = totals(lambda line: line[0])
    in_2023 = [worth[order] for order in worth if ORDER[int(str(order))][4].year == 2023]
    found = garden.figure("average order value in 2023")
    assert float(str(found)) == pytest.approx(sum(in_2023) / len(in_2023), abs=0.01)


def test_a_verb_names_no_column_and_when_asks_for_its_own_date(garden: Desk) -> None:
    regions = {client[0]: client[2] for client in CLIENTS}
    orders = Counter(regions[order[1]] for order in ORDERS)
    assert garden.rows("Which region do we send the most orders to?")[0] == list(orders.most_common(1)[0])
    sent = max(order[5] for order in ORDERS if order[5])
    assert garden.figure("When did we last send an order?") == sent.isoformat()
