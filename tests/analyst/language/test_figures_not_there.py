"""A figure that the data do not hold is not answered by another one; what was planned is held against what became."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv

TODAY = date(2025, 9, 1)
JOBS = [
    (k, f"Job {k}", ("Ann", "Bob", "Cid")[k % 3], date(2025, 1, 1) + timedelta(days=3 * k),
     date(2025, 1, 1) + timedelta(days=3 * k + (7 if k % 4 == 0 else 0)), ("active", "ended")[k % 2])
    for k in range(1, 41)
]  # fmt: skip
BILLS = [(k, 1 + k % 40, 100 + 7 * k, date(2025, 1, 4) + timedelta(days=2 * k), ("paid", "open", "overdue")[k % 3])
         for k in range(1, 80)]  # fmt: skip


@pytest.fixture(scope="module")
def agency(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "jobs.csv": csv("job_id,job_name,recruiter,original_start_date,start_date,status", JOBS),
        "bills.csv": csv("bill_no,job_id,amount,issued_on,state", BILLS),
    }
    return Desk(tmp_path_factory.mktemp("agency"), files, TODAY)


def test_how_much_was_done_is_money_and_no_number_of_rows(agency: Desk) -> None:
    march = sum(bill[2] for bill in BILLS if bill[3].month == 3)
    for question in ("How much did we bill in March 2025?", "How much have we billed in March 2025?"):
        assert agency.figure(question) == march


def test_what_was_planned_is_held_against_what_became_of_it(agency: Desk) -> None:
    late = Counter(job[2] for job in JOBS if job[4] > job[3])
    assert {row[0]: row[-1] for row in agency.rows("jobs past their original start date by recruiter")} == late


@pytest.mark.parametrize(
    "question",
    ["What is our monthly recurring revenue from active jobs?", "Why is Ann so high?", "margin of active jobs"],
)
def test_what_is_not_there_is_not_answered_by_something_else(agency: Desk, question: str) -> None:
    assert agency.ask(question).status != "answered"


def test_rows_of_costs_are_no_costs(tmp_path_factory: pytest.TempPathFactory) -> None:
    files = {"weekly_costs.csv": "section,w1,w2\nKitchen,50,60\nBar,20,30\nHall,5,9\n"}
    desk = Desk(tmp_path_factory.mktemp("costs"), files, TODAY)
    assert desk.ask("Total kitchen costs last quarter").status != "answered"


def test_what_is_not_in_a_state_is_in_any_other(agency: Desk) -> None:
    unpaid = [bill for bill in BILLS if bill[4] != "paid"]
    assert agency.figure("How many bills are unpaid?") == len(unpaid)
    assert agency.figure("total amount of unpaid bills") == sum(bill[2] for bill in unpaid)
    assert any("is not paid" in text for text in agency.ask("How many unpaid bills?").assumptions)
