"""Time phrases and the days they stand for, seen from Tuesday, 15 July 2025."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.language.periods import find_periods
from apps.analyst.language.tokens import tokenize

TODAY = date(2025, 7, 15)
PHRASES = [
    ("in 2017", "2017-01-01", "2018-01-01"),
    ("in March 2024", "2024-03-01", "2024-04-01"),
    ("on 5 May 2020", "2020-05-05", "2020-05-06"),
    ("on May 5th, 2020", "2020-05-05", "2020-05-06"),
    ("on 2024-02-29", "2024-02-29", "2024-03-01"),
    ("in Q3 2024", "2024-07-01", "2024-10-01"),
    ("in the first quarter of 2018", "2018-01-01", "2018-04-01"),
    ("in the second half of 2021", "2021-07-01", "2022-01-01"),
    ("in the 1990s", "1990-01-01", "2000-01-01"),
    ("since 2020", "2020-01-01", None),
    ("before March 2020", None, "2020-03-01"),
    ("after 2013", "2014-01-01", None),
    ("between 2007 and 2011", "2007-01-01", "2012-01-01"),
    ("from March 2020 to June 2021", "2020-03-01", "2021-07-01"),
    ("since March", "2025-03-01", None),
    ("since September", "2024-09-01", None),
    ("before June", None, "2025-06-01"),
    ("from March to May", "2025-03-01", "2025-06-01"),
    ("between August and October", "2024-08-01", "2024-11-01"),
    ("from November to February", "2024-11-01", "2025-03-01"),
    ("last quarter", "2025-04-01", "2025-07-01"),
    ("this month", "2025-07-01", "2025-08-01"),
    ("last week", "2025-07-07", "2025-07-14"),
    ("yesterday", "2025-07-14", "2025-07-15"),
    ("year to date", "2025-01-01", "2025-07-16"),
    ("last 7 days", "2025-07-08", "2025-07-16"),
    ("last twelve months", "2024-07-15", "2025-07-16"),
]


@pytest.mark.parametrize(("phrase", "low", "high"), PHRASES)
def test_a_phrase_stands_for_its_days(phrase: str, low: str | None, high: str | None) -> None:
    found = find_periods(tokenize(f"sales {phrase}"), TODAY)
    assert [(str(m.low) if m.low else None, str(m.high) if m.high else None) for m in found] == [(low, high)]


def test_a_month_of_any_year_stays_one() -> None:
    (found,) = find_periods(tokenize("sales in August"), TODAY)
    assert (found.month_only, found.low) == (8, None)


def test_text_without_a_time_has_none() -> None:
    assert find_periods(tokenize("sales may vary by region over 500"), TODAY) == []
