"""Rates of what is marked yes or no: reply rate, conversion rate; and what was done to things, by whom and when."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

TODAY = date(2026, 6, 1)
PEOPLE = [(f"P-{n:02d}", f"Person {n}") for n in range(1, 9)]
SENDERS = ("Ines Roth", "Karl Behrens", "Maja Lind")
LETTERS = [
    (900 + n, PEOPLE[n % 8][0], SENDERS[n % 3], date(2026, 1, 1) + timedelta(days=3 * n), "yes" if n % 4 == 1 else "no",
     "yes" if n % 5 in (1, 2) else "no")
    for n in range(48)
]  # fmt: skip
post = uploaded(
    today=TODAY,
    people=csv("Person no,Name", PEOPLE),
    letters=csv("Letter no,Person no,Sender,Sent on,Replied,Converted", LETTERS),
)


def share(column: int, of: list[tuple]) -> float:
    return 100 * sum(row[column] == "yes" for row in of) / len(of)


@pytest.mark.parametrize(("text", "column"), [("Reply rate by sender", 4), ("Conversion rate by sender", 5)])
def test_a_rate_is_the_share_of_each_groups_rows(post: Desk, text: str, column: int) -> None:
    told = {row[0]: row[1] for row in post.rows(text)}
    for sender in SENDERS:
        assert told[sender] == pytest.approx(share(column, [row for row in LETTERS if row[2] == sender]))


def test_a_share_of_things_that_do_something_is_a_rate(post: Desk) -> None:
    told = {row[0]: row[1] for row in post.rows("What share of our letters converts, by sender?")}
    assert told[SENDERS[0]] == pytest.approx(share(5, [row for row in LETTERS if row[2] == SENDERS[0]]))


def test_a_rate_of_all_is_one_figure(post: Desk) -> None:
    assert post.figure("What is our reply rate?") == pytest.approx(share(4, LETTERS))


def test_what_was_done_to_things_restricts_them_and_then_when_it_was(post: Desk) -> None:
    replied = {row[1] for row in LETTERS if row[4] == "yes" and row[3].month == 3}
    names = {name for number, name in PEOPLE if number in replied}
    asked = {name for row in post.rows("Which people replied to a letter in March?") for name in row}
    assert names <= asked <= names | {number for number, _ in PEOPLE}


def test_a_name_behind_by_tells_groups_apart_where_it_names_nobody(post: Desk) -> None:
    told = {row[0]: row[1] for row in post.rows("Letters replied by sender")}
    assert told == {sender: sum(row[2] == sender and row[4] == "yes" for row in LETTERS) for sender in SENDERS}


def test_a_verb_that_nothing_is_known_of_is_not_passed_over(post: Desk) -> None:
    assert post.ask("Which people were fined?").status == "declined"
