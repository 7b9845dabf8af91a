"""Periods that are held against each other are of one length, where the words allow it."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.reading.like_for_like import in_step, like_for_like
from apps.analyst.reading.linking import link
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY

ARRIVED = ("C", "bookings", "arr_dt")


def growth(one: tuple[str, str], other: tuple[str, str]) -> Sketch:
    """The growth of the number of bookings from one period to the other."""
    days = [("dates", ARRIVED, *map(date.fromisoformat, period)) for period in (other, one)]
    return ("agg", ("m1", ("growth", *(("given", ("count", ("T", "bookings")), d) for d in days))), ("any",))


MAY, LAST_MAY, YEAR = ("2025-05-01", "2025-06-01"), ("2024-05-01", "2024-06-01"), ("2024-01-01", "2025-01-01")


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("growth of bookings, May 2025 compared to a year ago", YEAR, LAST_MAY),
        ("how did bookings of May 2025 grow against last year", YEAR, LAST_MAY),
        ("how did bookings of May 2025 grow against last year", LAST_MAY, LAST_MAY),
        ("bookings of May 2025 vs the whole of 2024", YEAR, YEAR),
        ("growth from 2024 to May 2025", YEAR, YEAR),
    ],
)
def test_a_month_is_held_against_a_month(
    text: str, other: tuple[str, str], told: tuple[str, str], stays: FixedCatalog
) -> None:
    made = like_for_like(growth(other, MAY), link(Question(text, today=TODAY), stays))
    assert {(str(p[2]), str(p[3])) for p in walk(made) if p[0] == "dates"} == {MAY, told}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("April to June: by which percentage are bookings up or down against 2024", ("2024-04-01", "2025-04-01")),
        ("growth of bookings in the first quarter, 2025 over 2024", ("2024-01-01", "2025-01-01")),
        ("how did bookings in Jan and Feb 2025 compare with 2024, in %", ("2024-01-01", "2025-01-01")),
        ("growth of bookings, April-June 2025 vs a year earlier (arrival date)", ("2024-04-01", "2025-04-01")),
        ("March to May 25 against the same months of 24: change in bookings", ("2024-03-01", "2025-03-01")),
    ],
)
@pytest.mark.parametrize("pair", [(YEAR, MAY), (LAST_MAY, MAY), (MAY, YEAR)])
def test_what_is_held_against_each_other_is_the_pair_that_all_periods_say(
    pair: tuple[tuple[str, str], tuple[str, str]], text: str, told: tuple[str, str], stays: FixedCatalog
) -> None:
    made = in_step(growth(*pair), link(Question(text, today=TODAY), stays))
    later, earlier = (str(p[2]) for p in walk(made) if p[0] == "dates")
    assert sorted((earlier, later)) == sorted(told)
    assert (later > earlier) == (pair[1] > pair[0])


@pytest.mark.parametrize("text", ["growth from 2024 to May 2025", "growth of bookings in May 2025"])
def test_periods_stay_where_no_other_pair_is_said(text: str, stays: FixedCatalog) -> None:
    assert in_step(growth(YEAR, MAY), link(Question(text, today=TODAY), stays)) == growth(YEAR, MAY)
