"""Words for things that a catalog does not hold."""

from __future__ import annotations

import pytest

from apps.analyst.reading.features import strangers
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


def strange(text: str, stays: FixedCatalog) -> int:
    return strangers(link(Question(text, today=TODAY), stays))


@pytest.mark.parametrize(
    "text", ["How many bookings last month?", "Total amount by property", "average nights per guest"]
)
def test_what_the_tables_hold_is_no_stranger(text: str, stays: FixedCatalog) -> None:
    assert strange(text, stays) == 0


@pytest.mark.parametrize("text", ["How many invoices last month?", "salary by property", "How many meetings by guest?"])
def test_a_trades_noun_that_names_nothing_here_is_one(text: str, stays: FixedCatalog) -> None:
    assert strange(text, stays) == 1
