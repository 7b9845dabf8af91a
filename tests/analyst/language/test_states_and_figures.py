"""States said before their thing, figures that words only lean on, and what would count rows more than once."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.language.asking import Desk, csv
from tests.analyst.language.conftest import plain

TODAY = date(2024, 8, 1)
FIRMS = [(k, f"Firm {k}", ("France", "Spain", "Italy")[k % 3]) for k in range(1, 13)]
SOURCES = ("Fair", "Web", "Partner")
DEALS = [
    (k, f"Deal {k}", ("Won", "Lost", "Open", "Won")[(k * k + k // 5) % 4], 1000 * k, SOURCES[(k // 2) % 3],
     ("Basic", "Plus")[k % 2], date(2024, 1, 1 + k % 28), date(2024, 3 + k % 4, 5))
    for k in range(1, 41)
]  # fmt: skip
CASES = [(k, f"Firm {1 + k % 7}", ("Billing", "Access", "Bug")[k % 3], 30 if k == 4 else 4 + 3 * (k % 3))
         for k in range(1, 40)]  # fmt: skip
MAILS = [(k, f"Firm {1 + k % 12}", str(k % 2 == 0)) for k in range(1, 30)]
PAYMENTS = [(k, 1 + k % 9, date(2023 + k % 2, 1 + k % 12, 3), 10.0 * k) for k in range(1, 60)]
ORDERS = [(k, 1 + k % 5, date(2024, 1 + k % 6, 4)) for k in range(1, 25)]
LINES = [(k, 1 + k % 24, 1 + k % 4, 5.0 + k % 3) for k in range(1, 70)]


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "deals.csv": csv("deal_id,deal_name,stage,amount,deal_source,product,create_date,close_date", DEALS),
        "tickets.csv": csv("ticket_id,company_name,category,days_to_close", CASES),
    }
    return Desk(tmp_path_factory.mktemp("sales"), files, TODAY)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "customers.csv": csv("customer_id,customer_name,country", FIRMS),
        "payments.csv": csv("payment_id,customer_id,payment_date,amount", PAYMENTS),
        "orders.csv": csv("order_id,customer_id,order_date", ORDERS),
        "order_lines.csv": csv("line_id,order_id,quantity,price", LINES),
    }
    return Desk(tmp_path_factory.mktemp("shop"), files, TODAY)


def talk(desk: Desk, *texts: str) -> Answer:
    """The last answer of a conversation."""
    warehouse, turns = LocalWarehouse(), list[Turn]()
    for text in texts:
        question = Question(text, today=TODAY, turns=tuple(turns))
        given = answer(question, catalog=desk.catalog, warehouse=warehouse, learned=False, onward=False)
        turns.append(Turn(text, given.plan, given.text))
    warehouse.close()
    return given


def test_the_longest_on_average_is_no_single_longest(sales: Desk) -> None:
    days: dict[str, list[int]] = {}
    for _, _, kind, taken in CASES:
        days.setdefault(kind, []).append(taken)
    slowest = max(days, key=lambda kind: sum(days[kind]) / len(days[kind]))
    assert slowest != next(case[2] for case in CASES if case[3] == 30)
    assert sales.figure("Which ticket category takes longest to close on average?") == slowest


def test_what_brings_in_revenue_is_won(sales: Desk) -> None:
    won: Counter[str] = Counter()
    for deal in DEALS:
        won[deal[5]] += deal[3] if deal[2] == "Won" else 0
    assert sales.figure("Which product brings in the most revenue?") == won.most_common(1)[0][0]


def test_the_source_of_deals_is_asked_for_and_not_the_deals(sales: Desk) -> None:
    rates = {
        source: sum(d[2] == "Won" for d in DEALS if d[4] == source)
        / sum(d[2] in ("Won", "Lost") for d in DEALS if d[4] == source)
        for source in SOURCES
    }
    row = sales.rows("Which deal source has the best win rate?")[0]
    assert row[0] == max(rates, key=lambda source: rates[source])
    assert float(str(row[1])) == pytest.approx(100 * max(rates.values()), abs=0.01)


def test_by_a_figure_after_a_count_is_that_figure(sales: Desk) -> None:
    given = talk(sales, "How many deals did we win in 2024?", "by amount")
    assert given.result is not None
    assert plain(given.result.rows[0][0]) == sum(deal[3] for deal in DEALS if deal[2] == "Won")


def test_how_much_they_paid_is_money(shop: Desk) -> None:
    french = {firm[0] for firm in FIRMS if firm[2] == "France"}
    truth = sum(paid[3] for paid in PAYMENTS if paid[1] in french and paid[2].year == 2024)
    assert float(str(shop.figure("How much did customers in France pay in 2024?"))) == pytest.approx(truth)


def test_who_never_made_something_has_none_of_it(shop: Desk) -> None:
    paying = {paid[1] for paid in PAYMENTS}
    truth = {firm[1] for firm in FIRMS if firm[0] not in paying}
    assert {row[0] for row in shop.rows("Which customers have never made a payment?")} == truth


def test_a_figure_of_other_rows_is_no_dimension_that_counts_rows_again(shop: Desk) -> None:
    whole = sum(line[2] * line[3] for line in LINES)
    given = talk(shop, "Total revenue by country", "by amount")
    figures = [plain(row[-1]) for row in given.result.rows] if given.result is not None else []
    assert sum(float(str(figure)) for figure in figures) <= whole


def test_a_state_belongs_to_the_thing_behind_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    cases = [(k, f"Firm {1 + k % 7}", ("Open", "Closed", "Waiting")[k % 3]) for k in range(1, 40)]
    files = {
        "cases.csv": csv("case_id,firm_name,case_status", cases),
        "mails.csv": csv("mail_id,firm_name,opened", MAILS),
        "firms.csv": csv("firm_id,firm_name,country", FIRMS),
    }
    desk = Desk(tmp_path_factory.mktemp("cases"), files, TODAY)
    truth = {case[1] for case in cases if case[2] == "Open"}
    assert {row[0] for row in desk.rows("Which firms have open cases?")} == truth
