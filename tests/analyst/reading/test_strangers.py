"""Words for things that a catalog does not hold."""

from __future__ import annotations

import pytest

from apps.analyst.catalog import FixedCatalog
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.features import Computed, features
from apps.analyst.types import Question, Result
from tests.analyst.reading.conftest import TODAY


def strangers(text: str, stays: FixedCatalog) -> float:
    found = proposed(Question(text, today=TODAY), stays)
    plan = found.candidates[0].plan
    return features([Computed(plan, Result((), (), 0), network=-0.1)], found)[0]["strangers"]


@pytest.mark.parametrize(
    "text", ["How many bookings last month?", "Total amount by property", "average nights per guest"]
)
def test_what_the_tables_hold_is_no_stranger(text: str, stays: FixedCatalog) -> None:
    assert strangers(text, stays) == 0


@pytest.mark.parametrize("text", ["How many invoices last month?", "salary by property", "How many meetings by guest?"])
def test_a_trades_noun_that_names_nothing_here_is_one(text: str, stays: FixedCatalog) -> None:
    assert strangers(text, stays) == 1
