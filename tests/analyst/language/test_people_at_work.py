"""People who are counted, who lead others, and when they came."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from tests.analyst.language.asking import Desk, csv

OFFICES = [(1, "North", 2001), (2, "South", 1998), (3, "West", 2010)]
CLERKS = [
    (n, f"First{n}", f"Last{n}", 1 + n % 3, (2, 1, 1, 1, 2, 3)[n % 6] if n > 1 else "",
     date(2015 + n % 4, 1 + n % 12, 3), 1000 * n)
    for n in range(1, 13)
]  # fmt: skip
WORK = [(n, 1 + n % 4, n * 10) for n in range(1, 21)]
JOBS = [(1, "Alpha"), (2, "Beta"), (3, "Gamma"), (4, "Delta")]


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "offices.csv": csv("office_id,office_name,founded_year", OFFICES),
        "clerks.csv": csv("clerk_id,first_name,last_name,office_id,manager_id,hire_date,wage", CLERKS),
        "jobs.csv": csv("job_id,job_name", JOBS),
        "work.csv": csv("work_id,job_id,hours", WORK),
    }
    return Desk(tmp_path_factory.mktemp("office"), files, date(2026, 3, 10))


def test_people_are_counted_where_their_names_are(office: Desk) -> None:
    names = {number: name for number, name, _ in OFFICES}
    counted = Counter(names[clerk[3]] for clerk in CLERKS)
    assert {tuple(row) for row in office.rows("How many people work in each office?")} == set(counted.items())


def test_people_are_hired_in_the_year_of_their_own_date(office: Desk) -> None:
    years = Counter(clerk[5].year for clerk in CLERKS)
    assert {tuple(row) for row in office.rows("How many clerks were hired each year?")} == set(years.items())


def test_the_most_in_total_is_a_total(office: Desk) -> None:
    hours: Counter[str] = Counter()
    for _, job, figure in WORK:
        hours[dict(JOBS)[job]] += figure
    ((name, figure),) = hours.most_common(1)
    assert office.rows("Which job has the most hours in total?") == [[name, figure]]


def test_who_is_first_in_each_group_is_told_for_each(office: Desk) -> None:
    names = {number: name for number, name, _ in OFFICES}
    best = {names[clerk[3]]: clerk[1] for clerk in sorted(CLERKS, key=lambda clerk: clerk[6])}
    shown = office.rows("Who earns the highest wage in each office?")
    assert {(row[0], row[1]) for row in shown} == set(best.items())


def test_things_to_which_something_happened_are_not_all_of_them(tmp_path_factory: pytest.TempPathFactory) -> None:
    crates = csv("crate_id,crate_label,kind", [(n, f"Crate {n}", ("oak", "fir")[n % 2]) for n in range(1, 9)])
    sales = csv("sale_id,crate_id,price,sold_on", [(n, n, 5 * n, date(2025, n, 1)) for n in range(1, 4)])
    yard = Desk(tmp_path_factory.mktemp("yard"), {"crates.csv": crates, "sales.csv": sales}, date(2026, 3, 10))
    assert yard.figure("How many crates were sold?") == 3
    assert {row[0] for row in yard.rows("Which crates were sold?")} == {"Crate 1", "Crate 2", "Crate 3"}


def test_the_day_on_which_something_was_done_is_binned(tmp_path_factory: pytest.TempPathFactory) -> None:
    claims = [(n, date(2025, 1, 6), date(2025, 1, 7 + n % 3)) for n in range(1, 13)]
    files = {
        "claims.csv": csv("claim_id,date_claim_made,date_claim_settled", claims),
        "settlements.csv": csv("settlement_id,claim_id,amount", [(n, n, 10 * n) for n in range(1, 13)]),
    }
    desk = Desk(tmp_path_factory.mktemp("claims"), files, date(2026, 3, 10))
    shown = desk.rows("Bin the date a claim was settled into the weekday interval and count them for a bar chart")
    assert {row[0] for row in shown} == {"Tuesday", "Wednesday", "Thursday"}
