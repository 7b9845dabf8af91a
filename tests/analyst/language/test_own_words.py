"""Questions as people put them, over an invented tool hire with exports of several systems."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.analyst.language.asking import Desk

TODAY = date(2026, 3, 10)
PLACES = (
    ("Hull", "North", "UK"),
    ("Kent", "South", "United Kingdom"),
    ("Lyon", "East", "France"),
    ("Bonn", "West", "DE"),
)
KINDS = ("AX", "BY", "CZ")
GOODS = [(f"TO-{KINDS[n % 3]}-{chr(65 + n)}{10 + n}-R", f"Tool {n}", KINDS[n % 3], 5.0 + n) for n in range(12)]
VERSIONS = [(good, version) for n, good in enumerate(GOODS) for version in range(1 + n % 2)]
CLIENTS = [(f"C{n:03d}", f"Client {n}", *PLACES[n % 4]) for n in range(1, 11)]
DEPOTS = [(f"D{n}", f"Depot {n}", region) for n, region in enumerate(("Coast", "Hills", "Plain"), 1)]


def _days(number: int) -> tuple[date, date, date | None]:
    booked = date(2024, 1, 1).toordinal() + 11 * number
    handed = None if number % 13 == 0 else date.fromordinal(booked + 3 + number % 6)
    return date.fromordinal(booked), date.fromordinal(booked + 6), handed


HIRES = [
    (f"H{n:03d}", CLIENTS[n % 9][0], f"D{n % 3 + 1}", *_days(n), 10.0 + n % 7, "Refused" if n % 5 == 0 else "Kept")
    for n in range(60)
]
LINES = [
    (hire[0], GOODS[(n + k) % 10][0][6:], 1 + (n + k) % 4, 20.0 + n + k)
    for n, hire in enumerate(HIRES)
    for k in range(1 + n % 3)
]
FILES = {
    "goods.csv": ["good_key,good_name,cost", *(f"{k},{name},{cost + v}" for (k, name, _, cost), v in VERSIONS)],
    "kinds.csv": ["ID,kind,care", *(f"TO_{k},Kind {k},{'Yes' if k == 'AX' else 'No'}" for k in (*KINDS, "DW"))],
    "clients.csv": ["client_id,client_name,town,region,country", *(",".join(row) for row in CLIENTS)],
    "depots.csv": ["depot_id,depot_name,region", *(",".join(row) for row in DEPOTS)],
    "hires.csv": [
        "hire_id,client_id,depot_id,booked_date,due_date,delivered_date,freight,state",
        *(",".join("" if cell is None else str(cell) for cell in row) for row in HIRES),
    ],
    "hire_lines.csv": ["hire_id,good,quantity,sales", *(",".join(map(str, row)) for row in LINES)],
    "budget_plan_2025.csv": ["team,cost,profit,turnover", "A,10,4,20", "B,30,3,50", "C,20,9,90"],
}
PLACE = {hire[0]: next(c for c in CLIENTS if c[0] == hire[1]) for hire in HIRES}
KIND = {good[0][6:]: good[2] for good in GOODS}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {name: "\n".join(rows) + "\n" for name, rows in FILES.items()}
    return Desk(tmp_path_factory.mktemp("hire"), files, TODAY)


def sums(pairs: list[tuple[object, float]]) -> dict[object, float]:
    made: dict[object, float] = {}
    for key, value in pairs:
        made[key] = made.get(key, 0.0) + value
    return made


def told(desk: Desk, question: str) -> dict[object, object]:
    """First and last column of an answer's rows."""
    return {row[0]: row[-1] for row in desk.rows(question)}


def test_a_group_inside_a_longer_key_splits_a_figure(desk: Desk) -> None:
    sales = sums([(f"Kind {KIND[good]}", amount) for _, good, _, amount in LINES])
    assert told(desk, "sales by kind") == pytest.approx(sales)


def test_versions_of_a_thing_count_once_and_multiply_nothing(desk: Desk) -> None:
    assert desk.figure("How many goods are there?") == len(GOODS)
    names = {good[0][6:]: good[1] for good in GOODS}
    sales = sums([(names[good], amount) for _, good, _, amount in LINES])
    best = sorted(sales.items(), key=lambda entry: -entry[1])[:3]
    assert [(row[0], row[-1]) for row in desk.rows("top 3 goods by sales")] == [(n, pytest.approx(v)) for n, v in best]
    assert {row[0] for row in desk.rows("Which goods were never hired?")} in ({"Tool 10", "Tool 11"}, set())


def test_countries_by_name_and_code_are_one(desk: Desk) -> None:
    asked = desk.ask("number of clients by country")
    assert asked.result is not None
    assert {row[0]: row[-1] for row in asked.result.rows} == {"United Kingdom": 5, "France": 3, "DE": 2}
    assert any("“UK” counts as “United Kingdom”" in note for note in asked.evidence.notes)


def test_a_trailing_top_ranks_the_groups(desk: Desk) -> None:
    rows = desk.rows("average freight per depot, top 2")
    assert len(rows) == 2
    assert rows[0][-1] >= rows[1][-1]  # type: ignore[operator]


def test_ordered_by_splits_a_figure_that_has_no_order(desk: Desk) -> None:
    pieces = sums([(PLACE[hire][2], count) for hire, _, count, _ in LINES])
    assert told(desk, "Total quantity ordered by client town") == pieces


@pytest.mark.parametrize("question", ["units sold by kind", "pieces sold by kind"])
def test_pieces_sold_are_added_up(desk: Desk, question: str) -> None:
    pieces = sums([(f"Kind {KIND[good]}", count) for _, good, count, _ in LINES])
    assert told(desk, question) == pieces


def test_a_number_before_the_things_is_how_many_are_wanted(desk: Desk) -> None:
    assert len(desk.rows("Which 4 clients brought in the most sales?")) == 4


def test_one_date_of_a_row_is_held_against_another(desk: Desk) -> None:
    late = [hire for hire in HIRES if hire[5] is not None and hire[5] > hire[4]]
    assert desk.figure("How many hires were delivered after the due date?") == len(late)
    assert desk.figure("How many hires were delivered late?") == len(late)


def test_days_between_two_dates_are_a_figure(desk: Desk) -> None:
    days = [(hire[5] - hire[3]).days for hire in HIRES if hire[5] is not None]
    mean = pytest.approx(sum(days) / len(days), abs=0.01)
    assert desk.figure("average days between booking and delivery") == mean
    assert desk.figure("How long does it take to deliver a hire?") == mean


def test_what_never_happened_is_looked_for_among_what_happened(desk: Desk) -> None:
    assert [row[0] for row in desk.rows("Which clients have never bought anything?")] == ["Client 10"]


def test_a_dimension_of_two_tables_names_the_one_taken_and_offers_the_other(desk: Desk) -> None:
    asked = desk.ask("sales by region")
    assert any("clients" in text and "depots" in text for text in asked.assumptions)
    assert [choice.question for choice in asked.choices] == ["sales by depots region"]
    regions = sums([(DEPOTS[int(hire[2][1]) - 1][2], a) for hire in HIRES for h, _, _, a in LINES if h == hire[0]])
    assert told(desk, "sales by depots region") == pytest.approx(regions)


@pytest.mark.parametrize("name", ["budget_plan_2025", "the budget plan file", "budget_plan_2025.csv"])
def test_a_file_that_is_named_is_where_it_is_read(desk: Desk, name: str) -> None:
    assert desk.figure(f"total cost in {name}") == 60


def test_a_margin_is_a_total_over_a_total(desk: Desk) -> None:
    assert desk.figure("What is our profit margin?") == pytest.approx(10.0)
    assert desk.rows("Which team has the highest profit margin?")[0][0] == "A"


@pytest.mark.parametrize("question", ["How did freight grow from year to year?", "freight growth by year"])
def test_growth_goes_from_period_to_period(desk: Desk, question: str) -> None:
    years = sums([(hire[3].year, hire[6]) for hire in HIRES])
    rows = desk.rows(question)
    assert [row[0] for row in rows] == sorted(years, key=str)
    assert rows[1][-1] == pytest.approx(100 * (years[2025] / years[2024] - 1), abs=0.01)


def test_growth_in_a_year_is_held_against_as_much_of_the_year_before(desk: Desk) -> None:
    last = max(hire[3] for hire in HIRES)
    assert (last.year, last < date(2025, 12, 1)) == (2025, True)  # the data lack more than a month
    years = sums([(hire[3].year, hire[6]) for hire in HIRES if hire[3] <= last.replace(year=hire[3].year)])
    assert desk.rows("What was freight growth in 2025?")[0][:2] == [years[2025], years[2024]]


def test_rows_without_a_date_make_no_period_of_their_own(desk: Desk) -> None:
    asked = desk.ask("number of hires by month of delivered date")
    assert asked.result is not None
    assert all(row[0] is not None for row in asked.result.rows)
    assert any("left out" in text for text in asked.assumptions)


def test_rows_of_two_tables_are_counted_apart(desk: Desk) -> None:
    assert {tuple(row) for row in desk.rows("How many clients and hires are there?")} == {(len(CLIENTS), len(HIRES))}
    hires = sums([(hire[1], 1) for hire in HIRES])
    assert {(row[0], row[-1]) for row in desk.rows("number of depots and clients per region")} == {
        (depot[2], 0) for depot in DEPOTS
    }
    lines = sums([(PLACE[hire][1], 1) for hire, *_ in LINES])
    assert {(row[0], row[-2], row[-1]) for row in desk.rows("How many hires and hire lines did each client have?")} == {
        (client[1], hires.get(client[0], 0), lines.get(client[1], 0)) for client in CLIENTS
    }


def test_orders_of_lines_are_counted_once_also_among_several_files(desk: Desk) -> None:
    assert desk.figure("How many hires were refused?") == sum(hire[-1] == "Refused" for hire in HIRES)


@pytest.mark.parametrize("question", ["total cost of won deals", "How does the cost of open tickets compare by team?"])
def test_things_that_no_file_knows_are_not_passed_over(desk: Desk, question: str) -> None:
    assert desk.ask(question).status == "declined"


def test_the_mean_over_orders_is_taken_in_each_group(desk: Desk) -> None:
    totals = sums([(hire, amount) for hire, _, _, amount in LINES])
    towns = {client[2] for client in CLIENTS}
    means = {
        town: [value for hire, value in totals.items() if PLACE[str(hire)][2] == town]
        for town in towns
        if any(PLACE[str(hire)][2] == town for hire in totals)
    }
    expected = {town: pytest.approx(sum(values) / len(values), abs=0.01) for town, values in means.items()}
    assert told(desk, "average hire value by town") == expected


def test_what_was_done_most_is_told_by_what_happened(desk: Desk) -> None:
    names = {good[0][6:]: good[1] for good in GOODS}
    lines = sums([(names[good], 1) for _, good, _, _ in LINES])
    assert desk.rows("Which good was hired most often?")[0][0] in {
        n for n, c in lines.items() if c == max(lines.values())
    }
    assert desk.rows("Which town do most of our clients come from?")[0][0] in {"Kent", "Lyon"}


def test_one_figure_as_a_share_of_another_is_their_ratio(desk: Desk) -> None:
    shares = told(desk, "cost as a percentage of turnover by team in the budget plan file")
    assert shares == {"A": pytest.approx(50), "B": pytest.approx(60), "C": pytest.approx(100 * 20 / 90, abs=0.01)}


def test_things_that_are_counted_are_called_by_their_name(desk: Desk) -> None:
    hires = sums([(hire[1], 1) for hire in HIRES])
    many = sum(count > 6 for count in hires.values())
    asked = desk.ask("How many clients placed more than 6 hires?")
    assert asked.result is not None
    assert asked.result.rows[0][0] == many
    assert f"{many} clients" in asked.text


def test_a_derived_figure_is_no_dimension(desk: Desk) -> None:
    assert desk.ask("Total quantity given in margin terms by profit margin").status == "declined"


def test_what_buyers_spend_on_average_is_a_mean_of_their_totals(desk: Desk) -> None:
    totals = sums([(PLACE[hire][0], amount) for hire, _, _, amount in LINES])
    assert desk.figure("average sales per client") == pytest.approx(sum(totals.values()) / len(totals), abs=0.01)
    town = {client[0]: client[2] for client in CLIENTS}
    kent = [value for client, value in totals.items() if town[str(client)] == "Kent"]
    assert told(desk, "average sales per client by town")["Kent"] == pytest.approx(sum(kent) / len(kent), abs=0.01)


def test_of_unconnected_files_the_one_that_bears_the_condition_is_read(tmp_path: Path) -> None:
    files = {
        "plan.csv": "Engine,Cost\n" + "\n".join(f"Engine {n % 5},{n}" for n in range(30)),
        "store.csv": "Engine ID,Shelf,Status\n"
        + "\n".join(f"{100 + n % 30},S{n % 3},{'Damaged' if n % 4 else 'Sound'}" for n in range(40)),
    }
    assert Desk(tmp_path, files, TODAY).figure("How many engines are damaged?") == len(
        {n % 30 for n in range(40) if n % 4}
    )


def test_a_thing_with_a_table_of_its_own_is_ranked_by_the_mean_of_its_hires(desk: Desk) -> None:
    spent = sums([(hire, amount) for hire, _, _, amount in LINES])
    each = {client: [spent[hire[0]] for hire in HIRES if hire[1] == client] for client in {hire[1] for hire in HIRES}}
    best = max(each, key=lambda client: sum(each[client]) / len(each[client]))
    rows = desk.rows("Which client has the highest average hire value?")
    assert rows[0][-1] == pytest.approx(sum(each[best]) / len(each[best]), abs=0.01)
    assert {client[0]: client[1] for client in CLIENTS}[best] in rows[0]
    freight = {d: [hire[6] for hire in HIRES if hire[2] == d] for d, _, _ in DEPOTS}
    dearest = max(DEPOTS, key=lambda depot: sum(freight[depot[0]]) / len(freight[depot[0]]))
    assert desk.rows("Which depot has the highest average freight per hire?")[0][0] == dearest[1]
