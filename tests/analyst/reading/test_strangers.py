"""Words for things that a catalog does not hold."""

from __future__ import annotations

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, ColumnRef, Output, Query
from apps.analyst.reading.closeness import unknown_places
from apps.analyst.reading.coverage import is_guessed, strangers
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.mending import has_unsaid_value
from apps.analyst.reading.sketch import NOTHING, Sketch
from apps.analyst.reading.weighing import DOUBT
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


def counted(linked: Linked, value: str = "") -> Sketch:
    """The number of bookings, at one property where a value is given."""
    place = next(n for n, table in enumerate(linked.index.tables) if table.name == "bookings")
    item = next((n for n, item in enumerate(linked.items) if item.value == value), None)
    return ("agg", ("m1", ("count", ("T", place))), NOTHING if item is None else ("is", ("W", item)))


def test_a_word_that_nobody_knows_is_no_stored_value_that_no_word_names(stays: FixedCatalog) -> None:
    linked = link(Question("how many bookings did Fabrikam make", today=TODAY), stays)
    assert [linked.tokens[place] for place in unknown_places(linked)] == ["fabrikam"]
    value = next(item.value for item in linked.items)
    assert has_unsaid_value(counted(linked, value), linked)
    assert not has_unsaid_value(counted(linked), linked)


def test_a_value_that_is_named_is_not_made_up_beside_a_word_that_nobody_knows(stays: FixedCatalog) -> None:
    linked = link(Question("how many bookings did Fabrikam make at Castle Mews", today=TODAY), stays)
    assert unknown_places(linked)
    assert not has_unsaid_value(counted(linked, "Castle Mews"), linked)


@pytest.mark.parametrize("text", ["How many bookings did Fabrikam make?", "Bookings that were zapped last month"])
def test_what_passes_over_such_a_word_is_never_told_without_a_word_of_doubt(
    text: str, stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    made = answer(Question(text, today=TODAY), catalog=stays, warehouse=warehouse, onward=False)
    assert made.status != "answered" or DOUBT.partition("{")[0] in made.text


def test_a_figure_that_no_word_names_is_offered_and_not_told_beside_a_word_that_nobody_knows(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    made = answer(Question("total moolah by property", today=TODAY), catalog=stays, warehouse=warehouse, onward=False)
    assert made.status != "answered"
    named = answer(Question("total amount by property", today=TODAY), catalog=stays, warehouse=warehouse, onward=False)
    assert named.status == "answered"


@pytest.mark.parametrize(
    ("text", "guessed"),
    [("total moolah by property", True), ("total amount by property", False), ("total amount Fabrikam paid", False)],
)
def test_a_figure_is_guessed_where_an_unknown_word_may_have_named_it(
    text: str, guessed: bool, stays: FixedCatalog
) -> None:
    total = Output(label="total", expr=Aggregate(fn="sum", of=ColumnRef(table="bookings", column="tot_amt")))
    plan = Query(source="bookings", measures=(total,))
    assert is_guessed(link(Question(text, today=TODAY), stays), plan) is guessed
