"""Which days two periods of a question mean together."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.periods import periods
from apps.analyst.reading.periods_joined import MOST, dated

TODAY, NEWEST = date(2025, 10, 8), date(2025, 10, 8)


def together(text: str) -> set[tuple[str, str]]:
    """The likeliest range of each stretch that is said by more than one mention."""
    tokens = tokens_of(text)
    found = periods(tokens, TODAY, NEWEST)
    return {(str(one.ranges[0][0]), str(one.ranges[0][1])) for one in dated(tokens, found)[len(found) :]}


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("orders July to September 2024", {("2024-07-01", "2024-10-01")}),
        ("Jul-Sep applications", {("2025-07-01", "2025-10-01")}),
        ("applications in July or August 2025", {("2025-07-01", "2025-09-01")}),
        ("applications in May or August 2025", set()),
        ("receipts from 1 Jan to 8 Oct 2025", {("2025-01-01", "2025-10-09")}),
        ("hours from March up to today", {("2025-03-01", "2025-10-09")}),
        ("orders in 2023 and 2024", {("2023-01-01", "2025-01-01")}),
        ("orders of last year and this year", {("2024-01-01", "2026-01-01")}),
        ("orders in March vs May", set()),
        ("orders in March and May", set()),
        ("orders between March and May", {("2025-03-01", "2025-06-01")}),
        ("yoy growth of orders Jan-Mar 2025", {("2025-01-01", "2025-04-01"), ("2024-01-01", "2024-04-01")}),
        ("orders 2024, growth year on year", {("2023-01-01", "2024-01-01")}),
        ("yoy growth by store", set()),
        ("yoy growth, March and May", set()),
    ],
)
def test_two_periods_with_nothing_but_a_joint_between_them_say_a_stretch(
    text: str, stretches: set[tuple[str, str]]
) -> None:
    assert together(text) == stretches


@pytest.mark.parametrize(
    ("text", "stretch"),
    [
        ("March orders, 2023 and 2025", ("2023-03-01", "2023-04-01")),
        ("hours from March up to today, this year against last year", ("2024-03-01", "2024-10-09")),
    ],
)
def test_a_part_of_a_year_is_meant_in_the_years_that_are_said_apart_from_it(
    text: str, stretch: tuple[str, str]
) -> None:
    assert stretch in together(text)


def test_what_is_named_by_itself_comes_first_and_keeps_its_place() -> None:
    tokens = tokens_of("July to September 2024")
    found = periods(tokens, TODAY, NEWEST)
    assert [one.ranges for one in dated(tokens, found)[: len(found)]] == [mention.ranges for mention in found]


def test_no_question_has_more_than_so_many_stretches() -> None:
    text = " to ".join(f"March {year}" for year in range(2001, 2025))
    tokens = tokens_of(text)
    found = periods(tokens, TODAY, NEWEST)
    assert len(dated(tokens, found)) == len(found) + MOST


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the second quarter of 2025 compared with the first", "2025-01-01", "2025-04-01"),
        ("last quarter against the same quarter a year earlier", "2024-07-01", "2024-10-01"),
        ("H1 vs H2 2024", "2024-01-01", "2024-07-01"),
        ("from the first to the second quarter of 2025", "2025-01-01", "2025-04-01"),
        ("created in the first and how many in the second quarter of 2025", "2025-01-01", "2025-04-01"),
        ("first vs second half of 2024", "2024-01-01", "2024-07-01"),
        ("January to August this year against last", "2024-01-01", "2024-09-01"),
        ("third quarter, this year over last", "2024-07-01", "2024-10-01"),
        ("fewer orders this month than last", "2025-09-01", "2025-10-01"),
    ],
)
def test_what_is_left_out_is_taken_from_the_period_beside_it(text: str, start: str, end: str) -> None:
    said = [(str(p.ranges[0][0]), str(p.ranges[0][1])) for p in periods(tokens_of(text), TODAY, NEWEST)]
    assert (start, end) in said


def test_the_first_of_something_else_is_no_period() -> None:
    tokens = tokens_of("in the second quarter of 2025, the first customer")
    assert len(periods(tokens, TODAY, NEWEST)) == 1
