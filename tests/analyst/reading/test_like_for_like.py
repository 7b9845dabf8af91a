"""Periods that are held against each other are of one length, where the words allow it."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.reading.like_for_like import like_for_like
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
