"""Bills of members and what they paid, in tables of their own."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

TODAY = date(2026, 3, 10)
KINDS = ("Single", "Family", "Club")
MEMBERS = [(f"M{n:02d}", f"Member {n}", KINDS[n % 3]) for n in range(1, 13)]
BILLS = [
    (f"B{n:03d}", MEMBERS[n % 11][0], date(2025, 1, 1) + timedelta(days=5 * n), 40 + 3 * (n % 7), 14) for n in range(60)
]
PAID = [
    (n, bill[0], bill[2] + timedelta(days=3 + (7 * n) % 25), ("card", "cash")[n % 2])
    for n, bill in enumerate(BILLS)
    if n % 6
]
KIND = {member[0]: member[2] for member in MEMBERS}
BILL = {bill[0]: bill for bill in BILLS}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {
        "members.csv": csv("member_id,member_name,kind", MEMBERS),
        "bills.csv": csv("bill_no,member_id,billed_on,amount,days_allowed", BILLS),
        "settlements.csv": csv("settlement_id,bill_no,settled_on,method", PAID),
    }
    return Desk(tmp_path_factory.mktemp("bills"), files, TODAY)


def days(kind: str = "") -> float:
    taken = [(paid - BILL[bill][2]).days for _, bill, paid, _ in PAID if kind in ("", KIND[BILL[bill][1]])]
    return sum(taken) / len(taken)


@pytest.mark.parametrize(
    "question",
    [
        "Average days from bill to settlement",
        "How many days after the bill do members settle?",
        "average number of days between billing and settlement",
        "How long do members take to settle?",
    ],
)
def test_days_lie_between_a_date_and_that_of_what_the_row_belongs_to(desk: Desk, question: str) -> None:
    assert desk.figure(question) == pytest.approx(days(), abs=0.01)


def test_days_between_two_tables_are_told_by_group(desk: Desk) -> None:
    rows = desk.rows("Average days from bill to settlement by kind")
    assert {row[0]: row[-1] for row in rows} == {kind: pytest.approx(days(kind), abs=0.01) for kind in KINDS}
    asked = desk.ask("Average days from bill to settlement")
    assert "Counted in days from billed on to settled on" in asked.assumptions


DUE = csv(
    "invoice_no,client,invoiced_on,due_on,amount",
    [
        ("A1", "Osk", "2025-01-01", "2025-01-15", 100),
        ("A2", "Osk", "2025-01-02", "2025-01-16", 200),
        ("A3", "Varn", "2025-01-03", "2025-01-17", 300),
        ("A4", "Varn", "2025-01-04", "2025-01-18", 400),
    ],
)
RECEIVED = csv(
    "receipt,invoice_no,paid_on,part",
    [
        (1, "A1", "2025-01-10", 100),
        (2, "A2", "2025-02-01", 150),
        (3, "A2", "2025-02-20", 50),
        (4, "A3", "2025-01-18", 300),
    ],
)
late = uploaded(invoices=DUE, receipts=RECEIVED)


def test_late_is_after_the_day_that_what_the_row_belongs_to_was_due(late: Desk) -> None:
    asked = late.ask("How many invoices were paid late?")
    assert [list(row) for row in asked.result.rows] == [[2]]
    assert asked.assumptions == ("Late means that the paid on is after the due on",)
    assert late.figure("What is the total amount of the invoices that were paid late?") == 500
    assert sorted(late.rows("Which invoices were paid late?")) == [["A2"], ["A3"]]


def test_what_was_late_may_be_counted_itself(late: Desk) -> None:
    assert late.figure("How many receipts were late?") == 3
    assert late.figure("share of receipts that were late") == pytest.approx(75)


ERRANDS = csv(
    "errand,due on,paid on,shipped on",
    [
        (1, "2025-03-10", "2025-03-20", "2025-03-08"),
        (2, "2025-03-10", "2025-03-30", "2025-03-12"),
        (3, "2025-03-10", "2025-03-01", "2025-03-09"),
        (4, "2025-03-10", "2025-03-11", "2025-03-02"),
    ],
)
errands = uploaded(errands=ERRANDS)


def test_what_is_said_to_be_late_is_what_is_looked_at(errands: Desk) -> None:
    assert errands.figure("How many errands were paid late?") == 3
    assert errands.figure("How many errands were shipped late?") == 1


def test_what_was_paid_and_what_was_not_is_looked_up_where_payments_are(late: Desk) -> None:
    assert late.figure("How many invoices were paid?") == 3
    assert late.figure("How many unpaid invoices are there?") == 1
    assert late.figure("What is the total amount of unpaid invoices?") == 400


CRATES = csv("crate no,client,value", [("C1", "Osk", 10), ("C2", "Osk", 20), ("C3", "Varn", 40)])
DROPS = csv("crate no,delivered on", [("C1", "2025-01-05"), ("C3", "2025-01-09")])
crates = uploaded(**{"shop crates": CRATES, "deliveries": DROPS})
crates_alone = uploaded(**{"shop crates": CRATES})


def test_what_is_undelivered_is_never_passed_over(crates: Desk, crates_alone: Desk) -> None:
    assert crates.figure("What is the total value of undelivered crates?") == 20
    assert crates.rows("Which crates are not delivered yet?") == [["C2"]]
    assert crates_alone.ask("What is the total value of undelivered crates?").status == "declined"
