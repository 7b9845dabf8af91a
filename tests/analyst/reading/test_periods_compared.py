"""Which days the two sides of a comparison mean, where one of them leaves something to the other."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.periods import periods

TODAY, NEWEST = date(2025, 6, 18), date(2025, 6, 17)


def said(text: str, today: date = TODAY, newest: date = NEWEST) -> list[tuple[str, str]]:
    """The likeliest range of each period, as ISO days; the end is the first day that is no longer meant."""
    return [(str(p.ranges[0][0]), str(p.ranges[0][1])) for p in periods(tokens_of(text), today, newest)]


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("Q1 compared with Q2 2024", "2024-01-01", "2024-04-01"),
        ("orders in Q1 as compared to Q2 of 2024", "2024-01-01", "2024-04-01"),
        ("did Q3 do better relative to Q4 2023", "2023-07-01", "2023-10-01"),
        ("March sales vs April 2023 sales", "2023-03-01", "2023-04-01"),
        ("compare March with April 2023", "2023-03-01", "2023-04-01"),
        ("March 2023 vs April", "2023-03-01", "2023-04-01"),
        ("takings of Q1 2024 against Q2", "2024-01-01", "2024-04-01"),
        ("H1 24 vs H1 25", "2024-01-01", "2025-01-01"),
        ("H1 vs H2 2023", "2023-01-01", "2023-07-01"),
        ("December vs January 2024", "2023-12-01", "2024-01-01"),
        ("Q4 vs Q1 2025", "2024-10-01", "2025-01-01"),
        ("Q1 2025 vs Q4", "2025-01-01", "2024-10-01"),
        ("5 March against 6 March 2023", "2023-03-05", "2023-03-06"),
        ("first week of March vs first week of April 2023", "2023-03-01", "2023-04-01"),
        ("March vs March 2024", "2025-03-01", "2024-03-01"),
    ],
)
def test_a_side_without_its_year_takes_that_of_the_other(text: str, one: str, other: str) -> None:
    assert [start for start, _ in said(text)] == [one, other]


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("jan, feb and mar 2024", ["2024-01-01", "2024-02-01", "2024-03-01"]),
        ("Q1, Q2 and Q3 2023", ["2023-01-01", "2023-04-01", "2023-07-01"]),
        ("oct to march 2024", ["2023-10-01", "2024-03-01"]),
        ("oct 2023 to march", ["2023-10-01", "2024-03-01"]),
        ("from 1 March to 8 Oct 2023", ["2023-03-01", "2023-10-08"]),
    ],
)
def test_months_in_a_row_have_the_year_of_the_one_that_names_it(text: str, starts: list[str]) -> None:
    assert [start for start, _ in said(text)] == starts


@pytest.mark.parametrize(
    "text",
    [
        "members of april who left in may 2023",
        "who ordered in april and has not come back since may 2023",
        "april vs last month",
        "april compared with 2024 as a whole quota",
    ],
)
def test_a_month_keeps_its_own_year_beside_what_it_is_not_held_against(text: str) -> None:
    assert said(text)[0] == ("2025-04-01", "2025-05-01")


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("jan-aug this year vs jan-aug last year", [("2025-01-01", "2025-09-01"), ("2024-01-01", "2024-09-01")]),
        ("summer (Jun-Aug) 2023 versus 2024", [("2023-06-01", "2023-09-01"), ("2024-06-01", "2024-09-01")]),
        ("Jan-Mar against Apr-Jun 2023", [("2023-01-01", "2023-04-01"), ("2023-04-01", "2023-07-01")]),
        (
            "compare January to March 2024 with April to June 2024",
            [("2024-01-01", "2024-04-01"), ("2024-04-01", "2024-07-01")],
        ),
        ("Jan to May 2025 compared to 2024", [("2025-01-01", "2025-06-01"), ("2024-01-01", "2024-06-01")]),
        (
            "holiday season (Nov + Dec 2024) vs the two months before",
            [("2024-11-01", "2025-01-01"), ("2024-09-01", "2024-11-01")],
        ),
        ("November & December 2024 against July", [("2024-11-01", "2025-01-01"), ("2024-07-01", "2024-08-01")]),
        ("Q2 2024 vs the three months before that", [("2024-04-01", "2024-07-01"), ("2024-01-01", "2024-04-01")]),
        ("last 30 days vs the 30 days before", [("2025-05-20", "2025-06-19"), ("2025-04-20", "2025-05-20")]),
        ("last 30 days vs the previous 30 days", [("2025-05-20", "2025-06-19"), ("2025-04-20", "2025-05-20")]),
        ("Q1 2025 against two years earlier", [("2025-01-01", "2025-04-01"), ("2023-01-01", "2023-04-01")]),
        ("last 3 months vs the three before", [("2025-03-19", "2025-06-19"), ("2024-12-19", "2025-03-19")]),
        ("last 3 months vs the prior 3 months", [("2025-03-19", "2025-06-19"), ("2024-12-19", "2025-03-19")]),
        ("today vs yesterday", [("2025-06-18", "2025-06-19"), ("2025-06-17", "2025-06-18")]),
    ],
)
def test_each_side_of_a_comparison_is_one_period(text: str, sides: list[tuple[str, str]]) -> None:
    assert said(text) == sides


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("July to September applications, last year against this year", [("07-01", "10-01")] * 2),
        ("1 January to 12 March: hire amount 2024 against 2025", [("01-01", "03-13")] * 2),
        ("summer (Jun-Aug arrivals) 2024 versus 2025", [("06-01", "09-01")] * 2),
        ("March orders 2024 vs 2025", [("03-01", "04-01")] * 2),
        ("Q1 revenue, this year compared to last year", [("01-01", "04-01")] * 2),
    ],
)
def test_a_part_that_is_said_apart_from_two_years_is_meant_in_both(text: str, days: list[tuple[str, str]]) -> None:
    sides = said(text)[-2:]
    assert {start[:4] for start, _ in sides} == {"2024", "2025"}
    assert [(start[5:], end[5:]) for start, end in sides] == days


def test_a_year_is_whole_where_its_part_goes_on_to_another_day_or_is_one_of_several() -> None:
    up_to = said("hours from March up to today, this year against last year")
    assert up_to[-2:] == [("2025-01-01", "2026-01-01"), ("2024-01-01", "2025-01-01")]
    several = said("orders of March, of May and of July by shop, 2024 vs 2023")
    assert several[-2:] == [("2024-01-01", "2025-01-01"), ("2023-01-01", "2024-01-01")]


@pytest.mark.parametrize(
    "text", ["growth from Jan to Mar 2024", "Jan - Mar 2024 by store", "change between Jan and Feb 2024"]
)
def test_the_ends_of_a_range_that_is_held_against_nothing_stay_two(text: str) -> None:
    assert len(said(text)) == 2


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("this year to date vs the same stretch of last year", ("2024-01-01", "2024-06-19")),
        ("YTD 2025 vs the same period of 2024", ("2024-01-01", "2024-06-19")),
        ("YTD closed sales 2025 vs the same period of 2024", ("2024-01-01", "2024-06-19")),
        ("2025 ytd against 2024 ytd", ("2024-01-01", "2024-06-19")),
        ("YTD this year vs YTD last year", ("2024-01-01", "2024-06-19")),
        ("this year so far compared with the same time a year earlier", ("2024-01-01", "2024-06-19")),
        ("so far this year vs the same point last year", ("2024-01-01", "2024-06-19")),
        ("ytd vs the corresponding period of the year before", ("2024-01-01", "2024-06-19")),
        ("ytd against the equivalent months a year ago", ("2024-01-01", "2024-06-19")),
        ("year to date vs last year to date", ("2024-01-01", "2024-06-19")),
        ("YTD vs prior YTD", ("2024-01-01", "2024-06-19")),
        ("MTD against last MTD", ("2025-05-01", "2025-05-19")),
        ("2023 against 2024 YTD", ("2024-01-01", "2024-06-19")),
        ("this month so far vs the same stretch last month", ("2025-05-01", "2025-05-19")),
        ("this month to date vs last month to date", ("2025-05-01", "2025-05-19")),
        ("this quarter to date vs the same days of the previous quarter", ("2025-01-01", "2025-03-19")),
        ("Q3 2024 compared to the same quarter the year before", ("2023-07-01", "2023-10-01")),
        ("Q3 2024 vs the same quarter last year", ("2023-07-01", "2023-10-01")),
        ("Q3 2023 vs the same period of the prior year", ("2022-07-01", "2022-10-01")),
        ("Q3 2024 vs the same quarter two years earlier", ("2022-07-01", "2022-10-01")),
        ("Mar to May 2024 against the same period in 2022", ("2022-03-01", "2022-06-01")),
    ],
)
def test_the_same_stretch_of_another_year_or_month_ends_where_the_first_does(text: str, other: tuple[str, str]) -> None:
    assert said(text)[-1] == other


def test_the_last_month_to_date_is_one_in_january_too() -> None:
    early = date(2025, 1, 15)
    assert said("mtd against last mtd", early, early)[-1] == ("2024-12-01", "2024-12-16")


def test_the_same_stretch_is_found_late_in_the_year_too() -> None:
    late = date(2025, 12, 24)
    assert said("ytd vs the same period last year", late, late)[-1] == ("2024-01-01", "2024-12-25")


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("in november v December so far", [("2025-11-01", "2025-12-01"), ("2025-12-01", "2025-12-09")]),
        ("December to date against November", [("2025-12-01", "2025-12-09"), ("2025-11-01", "2025-12-01")]),
        ("Q4 so far", [("2025-10-01", "2025-12-09")]),
        ("this week so far", [("2025-12-08", "2025-12-09")]),
        ("2025 to date", [("2025-01-01", "2025-12-09")]),
        ("since March 2025 to date", [("2025-03-01", "2025-04-01")]),
        ("may 2024 so far", [("2024-05-01", "2024-06-01")]),
    ],
)
def test_what_is_running_ends_today_where_that_is_said(text: str, sides: list[tuple[str, str]]) -> None:
    assert said(text, date(2025, 12, 8), date(2025, 11, 30)) == sides


@pytest.mark.parametrize(
    ("text", "likeliest"),
    [
        (
            "applications Jan to Apr this year against last year",
            [("2025-01-01", "2025-05-01"), ("2024-01-01", "2024-05-01")],
        ),
        ("Q1 this year against last year", [("2025-01-01", "2025-04-01"), ("2024-01-01", "2024-04-01")]),
        (
            "were gifts of the last quarter of 2024 ahead of those in the last quarter of 2023",
            [("2024-10-01", "2025-01-01"), ("2023-10-01", "2024-01-01")],
        ),
    ],
)
def test_a_part_of_a_year_is_held_against_the_same_part(text: str, likeliest: list[tuple[str, str]]) -> None:
    assert said(text) == likeliest
