"""Which days the words of a question mean."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.periods import periods

TODAY, NEWEST = date(2025, 6, 18), date(2025, 6, 17)


def said(text: str) -> list[tuple[str, str]]:
    """The likeliest range of each period, as ISO days; the end is the first day that is no longer meant."""
    return [(str(p.ranges[0][0]), str(p.ranges[0][1])) for p in periods(tokens_of(text), TODAY, NEWEST)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("orders in may 2025", "2025-05-01", "2025-06-01"),
        ("orders, May 25", "2025-05-01", "2025-06-01"),
        ("revenue jan-24", "2024-01-01", "2024-02-01"),
        ("Q2 2024 bookings", "2024-04-01", "2024-07-01"),
        ("first quarter of 2025", "2025-01-01", "2025-04-01"),
        ("2024 sales", "2024-01-01", "2025-01-01"),
        ("h2 2024", "2024-07-01", "2025-01-01"),
        ("sold on 5 march 2025", "2025-03-05", "2025-03-06"),
        ("sold on March 5th 2025", "2025-03-05", "2025-03-06"),
        ("since 2025-03-05", "2025-03-05", "2025-03-06"),
        ("last month", "2025-05-01", "2025-06-01"),
        ("this quarter", "2025-04-01", "2025-07-01"),
        ("past 90 days", "2025-03-21", "2025-06-19"),
        ("the next 30 days", "2025-06-18", "2025-07-19"),
        ("sales ytd", "2025-01-01", "2025-06-19"),
        ("this year so far", "2025-01-01", "2025-06-19"),
        ("yesterday", "2025-06-17", "2025-06-18"),
        ("last week", "2025-06-09", "2025-06-16"),
        ("this year's sales", "2025-01-01", "2026-01-01"),
        ("last month’s orders by store", "2025-05-01", "2025-06-01"),
        ("the last three full months", "2025-03-01", "2025-06-01"),
        ("in each of the last two calendar years", "2023-01-01", "2025-01-01"),
        ("last calendar month", "2025-05-01", "2025-06-01"),
        ("invoices paid in 09/2024", "2024-09-01", "2024-10-01"),
        ("invoices paid in 11/2024", "2024-11-01", "2024-12-01"),
        ("first ten months of 2024", "2024-01-01", "2024-11-01"),
        ("the first two quarters this year", "2025-01-01", "2025-07-01"),
        ("last two months of 2024", "2024-11-01", "2025-01-01"),
        ("growth over the first five months", "2025-01-01", "2025-06-01"),
        ("visits 1-14 november 2024", "2024-11-01", "2024-11-15"),
        ("due between 20 and 26 October", "2024-10-20", "2024-10-27"),
        ("from 1st to 14th of March 25", "2025-03-01", "2025-03-15"),
        ("July 1 to 14, 2024", "2024-07-01", "2024-07-15"),
        ("opt-outs last 90d", "2025-03-21", "2025-06-19"),
        ("delay, prev month", "2025-05-01", "2025-06-01"),
        ("orders since Monday", "2025-06-16", "2025-06-17"),
        ("takings since the quarter began", "2025-04-01", "2025-06-19"),
        ("that lapse in the 90 days from now", "2025-06-18", "2025-09-17"),
        ("stood up in the 90 days to 14 November 2024", "2024-08-17", "2024-11-15"),
        ("late in the thirty days up to today", "2025-05-20", "2025-06-19"),
        ("submitted over 3 weeks ago", "2025-05-28", "2025-06-19"),
        ("joined two years ago", "2023-01-01", "2024-01-01"),
        ("invoices older than 45 days", "2025-05-04", "2025-06-19"),
        ("expected till year end", "2025-01-01", "2026-01-01"),
        ("due by the end of the month", "2025-06-01", "2025-07-01"),
        ("sold 24q4", "2024-10-01", "2025-01-01"),
        ("charges of '24", "2024-01-01", "2025-01-01"),
    ],
)
def test_a_period_is_read_as_a_range_of_days(text: str, start: str, end: str) -> None:
    assert said(text) == [(start, end)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("due in the next 14 days", "2025-06-18", "2025-07-03"),
        ("due within the next 30 days", "2025-06-18", "2025-07-19"),
        ("due in the coming two weeks", "2025-06-18", "2025-07-03"),
        ("lapsing within 10 days of today", "2025-06-18", "2025-06-29"),
        ("leases that end in the next 3 months", "2025-06-18", "2025-09-19"),
        ("over the upcoming fortnight", "2025-06-18", "2025-07-03"),
        ("the next 14 days after today", "2025-06-19", "2025-07-03"),
        ("in the next 14 days, starting tomorrow", "2025-06-19", "2025-07-03"),
        ("within 14 days, not counting today", "2025-06-19", "2025-07-03"),
        ("due in the 30 days after today", "2025-06-19", "2025-07-19"),
        ("due next week", "2025-06-23", "2025-06-30"),
        ("due in the last 14 days", "2025-06-05", "2025-06-19"),
        ("the two weeks after 1 July 2025", "2025-07-02", "2025-07-16"),
    ],
)
def test_days_to_come_begin_today_unless_that_is_left_out(text: str, start: str, end: str) -> None:
    assert said(text)[0] == (start, end)


def test_a_month_without_a_year_is_the_latest_that_has_begun() -> None:
    assert said("orders in april") == [("2025-04-01", "2025-05-01")]
    assert said("orders in november") == [("2024-11-01", "2024-12-01")]


def test_a_slashed_day_may_be_read_in_two_ways() -> None:
    found = periods(tokens_of("on 03/04/2025"), TODAY, NEWEST)
    assert [str(r[0]) for r in found[0].ranges] == ["2025-04-03", "2025-03-04"]


def test_the_last_three_months_may_be_whole_ones() -> None:
    found = periods(tokens_of("last 3 months"), TODAY, NEWEST)
    assert [(str(a), str(b)) for a, b in found[0].ranges][:2] == [
        ("2025-03-19", "2025-06-19"),
        ("2025-03-01", "2025-06-01"),
    ]


def test_two_periods_of_one_question_stay_apart() -> None:
    assert said("june 2024 vs june 2025") == [("2024-06-01", "2024-07-01"), ("2025-06-01", "2025-07-01")]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("orders in the first week of march 2025", "2025-03-01", "2025-03-08"),
        ("orders first week march 2025", "2025-03-01", "2025-03-08"),
        ("orders in the last week of february", "2025-02-22", "2025-03-01"),
        ("calls of the third week of may", "2025-05-15", "2025-05-22"),
        ("orders in the second half of october 2024", "2024-10-16", "2024-11-01"),
        ("the first half of april", "2025-04-01", "2025-04-16"),
        ("the second half of 2024", "2024-07-01", "2025-01-01"),
        ("mid-June 2024", "2024-06-11", "2024-06-21"),
        ("late may", "2025-05-21", "2025-06-01"),
        ("early 2024", "2024-01-01", "2024-05-01"),
        ("late 2024", "2024-09-01", "2025-01-01"),
        ("mid Q1 2025", "2025-02-01", "2025-03-01"),
        ("late orders in may 2025", "2025-05-01", "2025-06-01"),
        ("last week", "2025-06-09", "2025-06-16"),
        ("orders in the first ten days of march", "2025-03-01", "2025-03-11"),
        ("the last two weeks of may 2025", "2025-05-18", "2025-06-01"),
        ("first fortnight of april", "2025-04-01", "2025-04-15"),
        ("the last day of february", "2025-02-28", "2025-03-01"),
        ("final quarter of 2024", "2024-10-01", "2025-01-01"),
        ("the first week of last month", "2025-05-01", "2025-05-08"),
        ("the second Monday of march 2025", "2025-03-10", "2025-03-11"),
        ("the last Friday of may", "2025-05-30", "2025-05-31"),
    ],
)
def test_a_part_of_a_period_is_not_the_whole(text: str, start: str, end: str) -> None:
    assert said(text) == [(start, end)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("orders in the week of march 12", "2025-03-10", "2025-03-17"),
        ("the week beginning 12 march 2025", "2025-03-12", "2025-03-19"),
        ("week ending 2025-03-16", "2025-03-10", "2025-03-17"),
        ("the weekend of 10 may", "2025-05-10", "2025-05-12"),
        ("week 12 of 2025", "2025-03-17", "2025-03-24"),
        ("sales in the year to march 2025", "2024-04-01", "2025-04-01"),
        ("the year to 31 march 2025", "2024-04-01", "2025-04-01"),
        ("three months ending may", "2025-03-01", "2025-06-01"),
        ("quarter ended march 2025", "2025-01-01", "2025-04-01"),
        ("last 12 months to april 2025", "2024-05-01", "2025-05-01"),
        ("the 30 days before 15 march 2025", "2025-02-13", "2025-03-15"),
        ("the two weeks after 1 may 2025", "2025-05-02", "2025-05-16"),
        ("the three months from january 2025", "2025-01-01", "2025-04-01"),
        ("takings up to the end of april this year", "2025-01-01", "2025-05-01"),
    ],
)
def test_a_stretch_is_named_by_the_day_or_month_that_it_ends_or_begins_with(text: str, start: str, end: str) -> None:
    assert said(text) == [(start, end)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("bookings this week last year", "2024-06-17", "2024-06-24"),
        ("same month last year", "2024-06-01", "2024-07-01"),
        ("last year's q4", "2024-10-01", "2025-01-01"),
        ("last year in march", "2024-03-01", "2024-04-01"),
        ("last q2", "2024-04-01", "2024-07-01"),
        ("last june", "2024-06-01", "2024-07-01"),
        ("last march", "2025-03-01", "2025-04-01"),
        ("last friday", "2025-06-13", "2025-06-14"),
        ("next monday", "2025-06-23", "2025-06-24"),
        ("last weekend", "2025-06-14", "2025-06-16"),
        ("the day before yesterday", "2025-06-16", "2025-06-17"),
        ("two days ago", "2025-06-16", "2025-06-17"),
        ("the past fortnight", "2025-06-05", "2025-06-19"),
        ("the last couple of weeks", "2025-06-05", "2025-06-19"),
        ("the past year and a half", "2023-12-19", "2025-06-19"),
        ("since the beginning of the year", "2025-01-01", "2025-06-19"),
        ("fy25 bookings", "2025-01-01", "2026-01-01"),
        ("summer 2024", "2024-06-01", "2024-09-01"),
        ("how busy were we last winter", "2024-12-01", "2025-03-01"),
        ("in the spring", "2025-03-01", "2025-06-01"),
    ],
)
def test_days_are_named_by_today_and_by_the_time_of_year(text: str, start: str, end: str) -> None:
    assert said(text) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    [
        "sales from the spring campaign", "how far did orders fall", "the fall in orders",
        "revenue by week of order date", "month to month change", "3 days after the order date",
        "orders within 30 days from sign up",
        "mid range bikes", "the first day of absence", "orders ending in 5", "winter coats sold",
    ],
)  # fmt: skip
def test_words_of_time_that_name_no_days_are_no_periods(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("orders up to march", [True]),
        ("orders up until the end of march", [True]),
        ("sales through march", [True]),
        ("who signed up in march", [False]),
        ("calls that came through in march", [False]),
        ("from january until march", [False, False]),
        ("until march, and in may", [True, False]),
        ("due by march", [False]),
    ],
)
def test_a_period_ends_what_is_meant_where_no_beginning_is_said(text: str, ends: list[bool]) -> None:
    assert [p.ends for p in periods(tokens_of(text), TODAY, NEWEST)] == ends


@pytest.mark.parametrize(
    ("text", "narrow"),
    [
        ("orders in the first week of march", True),
        ("orders in the second half of last year", True),
        ("orders this week last year", True),
        ("orders by quarter against the same quarter last year", False),
        ("orders in march", False),
        ("orders in q1 2025", False),
    ],
)
def test_a_period_that_holds_the_words_of_another_is_known_as_such(text: str, narrow: bool) -> None:
    assert [p.narrow for p in periods(tokens_of(text), TODAY, NEWEST)] == [narrow]


def test_a_length_that_rows_are_grouped_by_does_not_end_with_a_month() -> None:
    assert said("revenue per week to march 2025") == [("2025-03-01", "2025-04-01")]
    assert said("from march to may this year") == [("2025-03-01", "2025-04-01"), ("2025-05-01", "2025-06-01")]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("what will sales be in may", "2026-05-01"),
        ("how much will come in during august", "2025-08-01"),
        ("what we'll book in june", "2025-06-01"),
        ("our takings will be what in the first quarter", "2026-01-01"),
        ("leases that won't renew on march 5", "2026-03-05"),
        ("what did sales do in may", "2025-05-01"),
        ("what did we book in august", "2024-08-01"),
    ],
)
def test_what_will_be_lies_ahead(text: str, start: str) -> None:
    assert said(text)[0][0] == start


@pytest.mark.parametrize(
    "text", ["what may be wrong with 12 orders", "top 5 stores", "24 hour parking", "orders over 2500"]
)
def test_plain_numbers_are_no_periods(text: str) -> None:
    assert [p for p in said(text) if p[0] != "2025-05-01"] == []


@pytest.mark.parametrize(
    "text", ["31 february 2025", "2025-13-45", "99/99/9999", "q9 2024", "fy", "last", "next next next 5", "'"]
)
def test_days_that_are_none_are_passed_over(text: str) -> None:
    assert all(start < end for start, end in said(text))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("January to May 2025 against the same months of 2024", "2024-01-01", "2024-06-01"),
        ("jul-sep 2024 vs same period 2023", "2023-07-01", "2023-10-01"),
        ("first five months of 2025 on those of 2024", "2024-01-01", "2024-06-01"),
        ("revenue this year vs same period last year", "2024-01-01", "2024-06-19"),
        ("this quarter compared with the same time last year", "2024-04-01", "2024-06-19"),
        ("this quarter against the same quarter last year", "2024-04-01", "2024-07-01"),
        ("Q1 this year against the same quarter last year", "2024-01-01", "2024-04-01"),
        ("sales last month vs the month before", "2025-04-01", "2025-05-01"),
        ("sales last month compared to the month before that", "2025-04-01", "2025-05-01"),
        ("this quarter against the quarter before", "2025-01-01", "2025-04-01"),
        ("the previous month with the one before it", "2025-04-01", "2025-05-01"),
        ("April-June 2024 against a year earlier", "2023-04-01", "2023-07-01"),
        ("hours in the week before this one", "2025-06-09", "2025-06-16"),
        ("the month before last", "2025-04-01", "2025-05-01"),
        ("jobs in the week before the last week", "2025-06-02", "2025-06-09"),
        ("signed in October, last year and this year", "2025-10-01", "2025-11-01"),
        ("the month prior to last month, by region", "2025-04-01", "2025-05-01"),
    ],
)
def test_the_same_part_of_another_year_is_a_period(text: str, start: str, end: str) -> None:
    assert said(text)[-1] == (start, end)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("top 10 2025 deals", 2025),
        ("the same customers as in 2024", 2024),
        ("those of 12 staff", None),
        ("days before expiry", None),
        ("in the month before departure", None),
        ("orders on Mondays", None),
    ],
)
def test_numbers_and_likeness_beside_a_year_are_no_part_of_it(text: str, year: int | None) -> None:
    assert said(text) == ([(f"{year}-01-01", f"{year + 1}-01-01")] if year is not None else [])


def test_a_day_after_a_month_is_no_year() -> None:
    assert said("ending 18 oct - 15 jan") == [("2024-10-18", "2024-10-19"), ("2025-01-15", "2025-01-16")]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("january to march 2024", ("2024-01-01", "2024-02-01"), ("2024-03-01", "2024-04-01")),
        ("nov vs dec 2023 sales", ("2023-11-01", "2023-12-01"), ("2023-12-01", "2024-01-01")),
        ("from q2 to q3 2023", ("2023-04-01", "2023-07-01"), ("2023-07-01", "2023-10-01")),
    ],
)
def test_a_month_takes_the_year_of_the_one_it_stands_with(
    text: str, first: tuple[str, str], last: tuple[str, str]
) -> None:
    assert said(text) == [first, last]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("January-June, 2025 against 2024", ("2024-01-01", "2024-07-01")),
        ("q1 2025 vs 2024", ("2024-01-01", "2024-04-01")),
        ("Jan to Oct 2024 against the same months of 2023", ("2023-01-01", "2023-11-01")),
        ("this year vs last", ("2024-01-01", "2025-01-01")),
        ("sales in 2025 vs 2024", ("2024-01-01", "2025-01-01")),
        ("joined in March 2025 and 2024", ("2024-01-01", "2025-01-01")),
    ],
)
def test_a_part_of_a_year_is_held_against_the_same_part(text: str, last: tuple[str, str]) -> None:
    assert said(text)[-1] == last


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("growth Oct 24-Sep 25", [("2024-10-01", "2024-11-01"), ("2025-09-01", "2025-10-01")]),
        ("clicks Jan 25 - Mar 25", [("2025-01-01", "2025-02-01"), ("2025-03-01", "2025-04-01")]),
    ],
)
def test_two_digits_after_months_are_years_where_as_days_they_would_run_backward(
    text: str, ranges: list[tuple[str, str]]
) -> None:
    assert said(text) == ranges


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("sales in 2023 compared with the previous year", ("2022-01-01", "2023-01-01")),
        ("march 2024 over the prior month", ("2024-02-01", "2024-03-01")),
        ("more in Dec 2024 than the December before", ("2023-12-01", "2024-01-01")),
        ("this quarter against the previous quarter", ("2025-01-01", "2025-04-01")),
        ("sales in 2023 by store and orders of the previous year", ("2024-01-01", "2025-01-01")),
    ],
)
def test_the_previous_one_is_counted_from_what_it_is_held_against(text: str, second: tuple[str, str]) -> None:
    assert said(text)[1] == second


def test_how_old_something_is_says_a_number_too() -> None:
    (mention,) = periods(tokens_of("members older than 5 years"), TODAY, NEWEST)
    assert mention.counted


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("policies that end within 30 days", "2025-06-18", "2025-07-19"),
        ("on hold for over 30 days", "2025-05-19", "2025-06-19"),
        ("open for more than two weeks", "2025-06-04", "2025-06-19"),
        ("deals without activity for 60 days", "2025-04-19", "2025-06-19"),
        ("accounts untouched 60d+", "2025-04-20", "2025-06-19"),
    ],
)
def test_a_length_of_time_until_or_since_a_day_may_be_a_period(text: str, start: str, end: str) -> None:
    (mention,) = periods(tokens_of(text), TODAY, NEWEST)
    assert mention.counted
    assert [str(day) for day in mention.ranges[0]] == [start, end]


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("won LQ by rep", [("2025-01-01", "2025-04-01")]),
        ("quota ty", [("2025-01-01", "2026-01-01")]),
        ("loss reasons L90D", [("2025-03-21", "2025-06-19")]),
        ("bookings by month, T12M", [("2024-06-19", "2025-06-19")]),
        ("mails by rep 90d", [("2025-03-21", "2025-06-19")]),
        ("wins this q vs last q", [("2025-04-01", "2025-07-01"), ("2025-01-01", "2025-04-01")]),
        ("new leads since 1/25", [("2025-01-01", "2025-02-01")]),
        ("takings 04/25", [("2025-04-01", "2025-05-01")]),
        ("won 24 vs 25", [("2024-01-01", "2025-01-01"), ("2025-01-01", "2026-01-01")]),
        ("won 24 vs 30", []),
        ("trial of 5d", []),
        ("t 12 m screws", []),
    ],
)
def test_periods_may_be_written_by_their_first_letters(text: str, ranges: list[tuple[str, str]]) -> None:
    assert said(text) == ranges


@pytest.mark.parametrize(("text", "narrow"), [("jobs ty", True), ("jobs L12M", True), ("jobs this year", False)])
def test_what_passes_over_a_period_in_short_misreads_it(text: str, narrow: bool) -> None:
    assert [p.narrow for p in periods(tokens_of(text), TODAY, NEWEST)] == [narrow]


def test_a_length_of_time_that_something_takes_is_none() -> None:
    assert periods(tokens_of("tickets resolved in 30 days"), TODAY, NEWEST) == []


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("summer 24 (arrivals)", "2024-06-01", "2024-09-01"),
        ("2024 to date", "2024-01-01", "2025-06-19"),
        ("YTD 2024", "2024-01-01", "2024-06-19"),
        ("budget to the end of April this year", "2025-01-01", "2025-05-01"),
        ("budget, to April this year", "2025-01-01", "2025-05-01"),
        ("in the week beginning Monday 31 March", "2025-03-31", "2025-04-07"),
        ("hours, w/c 31 March", "2025-03-31", "2025-04-07"),
        ("hours w/e 6 April by crew", "2025-03-31", "2025-04-07"),
        ("between Monday 2 and Sunday 8 June", "2025-06-02", "2025-06-09"),
    ],
)
def test_further_ways_to_say_a_time(text: str, start: str, end: str) -> None:
    assert said(text) == [(start, end)]


def test_now_is_a_day_where_a_time_begins_with_it() -> None:
    assert said("each month from now to the end of march")[0] == ("2025-06-18", "2025-06-19")
    assert said("which are open right now") == []


def test_a_bound_in_signs_is_no_period() -> None:
    assert said("stuck for >45d") == []
    assert len(said("orders of the last 45d")) == 1
