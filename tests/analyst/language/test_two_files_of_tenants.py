"""Two files that share nothing but names: leases and repair requests, each with several rows of a tenant."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

TODAY = date(2026, 6, 1)
TENANTS = [
    f"{first} {last}" for first in ("Amber", "Basil", "Clover", "Dill") for last in ("Atelier", "Bakery", "Press")
]
PLANS, STEWARDS = ("Basic", "Plus", "Loft"), ("Ines Roth", "Karl Behrens")
CYCLES = ("annual", "monthly")
LEASES = [
    (f"L-{n:03d}", TENANTS[n % 12], PLANS[n % 3], 300 + 70 * (n % 5), date(2025, 1, 1) + timedelta(days=9 * n),
     STEWARDS[n % 5 > 2], CYCLES[n % 3 == 1])
    for n in range(16)
]  # fmt: skip
URGENCY = ("Low", "Normal", "Urgent")
REQUESTS = [
    (f"R-{n:03d}", TENANTS[(5 * n) % 9], opened := date(2026, 1, 1) + timedelta(days=2 * n),
     "" if n % 4 == 0 else opened + timedelta(days=3), URGENCY[n % 3], 1 + n % 5, ("Billing", "Heating")[n % 2])
    for n in range(60)
]  # fmt: skip
house = uploaded(
    today=TODAY,
    leases=csv("Lease No,Tenant,Plan,Rent (EUR),Start,Building Floor Steward,Billing Cycle", LEASES),
    **{"repair requests": csv("Request,Tenant,Opened,Closed,Urgency,Stars,Topic", REQUESTS)},
)


def asked_by(*of: tuple) -> set[str]:
    return {request[1] for request in of}


def without(*of: tuple) -> set[str]:
    return set(TENANTS) - asked_by(*of)


def rent() -> Counter[str]:
    found: Counter[str] = Counter()
    for lease in LEASES:
        found[lease[1]] += lease[3]
    return found


def test_initials_stand_for_a_name_of_several_words(house: Desk) -> None:
    told = {row[0]: row[1] for row in house.rows("Total rent by BFS")}
    assert told == {who: sum(lease[3] for lease in LEASES if lease[5] == who) for who in STEWARDS}


def test_what_stands_in_several_rows_is_counted_once_where_the_rows_have_a_number_of_their_own(house: Desk) -> None:
    assert house.figure("How many tenants do we have?") == len(TENANTS) < len(LEASES)
    assert house.ask("How many leases do we have?").text == f"There are **{len(LEASES)} leases**."


@pytest.mark.parametrize(("text", "whose"), [("What is our rent?", TENANTS), ("Rent of Amber Atelier", TENANTS[:1])])
def test_the_rent_is_the_total_of_its_rows(house: Desk, text: str, whose: list[str]) -> None:
    assert house.figure(text) == sum(rent()[tenant] for tenant in whose)


def test_things_are_called_by_the_key_that_tells_them_apart(house: Desk) -> None:
    said = house.ask("How many requests are still open?")
    assert said.text == "There are **15 repair requests** where closed is missing."


@pytest.mark.parametrize(
    ("text", "none"),
    [
        ("Tenants without requests", without(*REQUESTS)),
        ("Which tenants have no repair requests?", without(*REQUESTS)),
        ("Tenants without open requests", without(*(r for r in REQUESTS if not r[3]))),
        ("Tenants without urgent requests", without(*(r for r in REQUESTS if r[4] == "Urgent"))),
        ("Tenants without requests in March", without(*(r for r in REQUESTS if r[2].month == 3))),
    ],
)
def test_those_without_are_those_of_the_other_file(house: Desk, text: str, none: set[str]) -> None:
    assert len(none) >= 3
    assert {row[0] for row in house.rows(text)} == none


def test_those_without_are_counted_once_each(house: Desk) -> None:
    assert house.figure("How many tenants have no requests?") == len(without(*REQUESTS))
    open_ones = [request for request in REQUESTS if not request[3]]
    assert house.figure("How many tenants have no open requests?") == len(without(*open_ones))


def test_a_figure_beside_another_is_one_of_each_group(house: Desk) -> None:
    told = {row[0]: row[1:] for row in house.rows("Rent and number of leases by plan")}
    assert told == {
        plan: [sum(lease[3] for lease in LEASES if lease[2] == plan), sum(lease[2] == plan for lease in LEASES)]
        for plan in PLANS
    }


def test_figures_of_both_files_stand_side_by_side_each_as_it_is_by_itself(house: Desk) -> None:
    requests = Counter(request[1] for request in REQUESTS)
    told = {row[0]: row[1:] for row in house.rows("Rent and number of requests by tenant")}
    assert told == {tenant: [rent()[tenant], requests[tenant]] for tenant in TENANTS}
    top = house.rows("Top 3 tenants by rent and their number of requests")
    assert [row[1:] for row in top] == [[rent()[row[0]], requests[row[0]]] for row in top]
    assert [row[1] for row in top] == sorted(rent().values(), reverse=True)[:3]


def test_stars_are_averaged_beside_a_total(house: Desk) -> None:
    told = {row[0]: row[1] for row in house.rows("Average stars and total rent by tenant")}
    first = [request[5] for request in REQUESTS if request[1] == TENANTS[0]]
    assert told[TENANTS[0]] == pytest.approx(sum(first) / len(first))


def test_the_best_and_the_worst_are_so_on_average(house: Desk) -> None:
    stars = {name: [request[5] for request in REQUESTS if request[1] == name] for name in asked_by(*REQUESTS)}
    means = {name: sum(given) / len(given) for name, given in stars.items()}
    assert means[str(house.figure("Which tenant gave the worst stars?"))] == min(means.values())
    assert means[str(house.figure("Which tenant has the best stars?"))] == max(means.values())


def test_a_word_of_a_values_own_column_is_no_value_of_another(house: Desk) -> None:
    asked = house.ask("What percentage of rent comes from annual billing?")
    annual = sum(lease[3] for lease in LEASES if lease[6] == "annual")
    assert list(map(float, asked.result.rows[0])) == pytest.approx(
        [100 * annual / sum(rent().values()), annual, sum(rent().values())]
    )


@pytest.mark.parametrize("text", ["Number of requests by plan", "Total rent by urgency", "Average stars by plan"])
def test_rows_that_share_but_a_name_say_nothing_of_each_other(house: Desk, text: str) -> None:
    assert house.ask(text).status == "declined"
