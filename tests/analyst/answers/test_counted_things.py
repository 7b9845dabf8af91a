"""What is counted is called by its noun: a key counts the things that it tells apart."""

from __future__ import annotations

import pytest

from apps.analyst.plan import Aggregate, Among, ColumnRef, Compare, Constant, DatePart, Missing, Part
from apps.analyst.plan.sentence import expr_words, predicate_words
from apps.analyst.telling.formats import counted_by, ordinal, plural

PARTS: tuple[DatePart, ...] = ("weekday", "month", "hour")


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("ticket_id", "tickets"),
        ("CustomerID", "customers"),
        ("country", "countries"),
        ("id", "invoices"),
        ("CNTRY", "CNTRY values"),
        ("nm", "nm values"),
        ("staff_id", "staff"),
        ("Order no", "orders"),
    ],
)
def test_a_key_counts_the_things_it_tells_apart(column: str, said: str) -> None:
    assert counted_by(column, "invoices") == said
    ref = ColumnRef(table="invoices", column=column)
    assert expr_words(Aggregate(fn="count", of=ref, distinct=True)) == f"number of different {said}"


def test_a_condition_of_a_count_follows_the_things() -> None:
    ticket, solved = (ColumnRef(table="tickets", column=name) for name in ("ticket_id", "solved_at"))
    words = expr_words(Aggregate(fn="count", of=ticket, where=Missing(of=solved)))
    assert words == "number of tickets where solved at is missing"


def test_a_place_in_an_order_has_its_word() -> None:
    places = {2: "second", 6: "sixth", 11: "11th", 12: "12th", 21: "21st", 22: "22nd", 103: "103rd", 111: "111th"}
    assert {place: ordinal(place) for place in places} == places


def test_words_that_are_plural_or_uncounted_stay() -> None:
    assert [plural(word) for word in ("orders", "box", "policy", "day", "staff")] == [
        "orders", "boxes", "policies", "days", "staff"
    ]  # fmt: skip
    assert [plural(word) for word in ("lab tech", "Branch", "Sales person")] == [
        "lab techs",
        "Branches",
        "Sales people",
    ]


def test_days_of_the_week_and_months_are_told_by_their_names() -> None:
    day, month, hour = (Part(part=part, of=ColumnRef(table="jobs", column="done_on")) for part in PARTS)
    six, seven = (Constant(value=n, type="number") for n in (6, 7))
    assert predicate_words(Among(of=day, values=(six, seven))) == "weekday of done on is Saturday or Sunday"
    assert predicate_words(Compare(left=month, op="=", right=six)) == "month of done on is June"
    assert predicate_words(Compare(left=hour, op=">=", right=six)).endswith("6")
