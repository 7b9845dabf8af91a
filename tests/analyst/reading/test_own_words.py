"""What the product offers in its own words is read as that, wherever somebody asks it."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.computing.compute import computed_of
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.own_words import in_own_words
from apps.analyst.language import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, AllOf, Clarify, ColumnRef, Compare, Constant, Output, Query
from apps.analyst.reading.reader import Weighed
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.dialogues import playing

TODAY = date(2026, 1, 12)


@pytest.fixture(scope="module")
def deals() -> FixedCatalog:
    return playing.catalog("deals")


def column(name: str) -> ColumnRef:
    return ColumnRef(table="deals", column=name)


def is_(name: str, value: str) -> Compare:
    return Compare(left=column(name), op="=", right=Constant(value=value, type="text"))


def totals(*conditions: Compare) -> Query:
    return Query(
        source="deals",
        groups=(Output(label="Region", expr=column("Region")),),
        measures=(Output(label="Total amount", expr=Aggregate(fn="sum", of=column("Amount"))),),
        where=AllOf(of=conditions) if conditions else None,
    )


def weighed(plan: Query, score: float, catalog: FixedCatalog, warehouse: LocalWarehouse) -> Weighed:
    computed = computed_of(plan, catalog, warehouse)
    assert computed is not None
    return Weighed(Reading(plan, score), computed)


def test_the_reading_that_is_said_word_for_word_is_meant(deals: FixedCatalog, warehouse: LocalWarehouse) -> None:
    first = weighed(totals(), 0.6, deals, warehouse)
    other = weighed(totals(is_("Stage", "Won"), is_("Lead Source", "Web")), 0.3, deals, warehouse)
    for text in (
        "Total amount by region, where stage is Won and lead source is Web",
        "total amount by region, where lead source is Web and stage is Won",
    ):
        found = in_own_words(Question(text, TODAY), [first, other], deals)
        assert [one.reading.plan for one in found] == [other.reading.plan, first.reading.plan]
        assert found[0].reading.score > 0.9
    assert in_own_words(Question("amount by region of won ones", TODAY), [first, other], deals) == [first, other]


@pytest.mark.parametrize("text", ["closed ones by owner", "deals that closed late by region"])
def test_what_is_offered_is_answered_when_it_is_asked(
    text: str, deals: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    back = answer(Question(text, TODAY), catalog=deals, warehouse=warehouse)
    assert back.status == "clarify"
    assert isinstance(back.plan, Clarify)
    for option in back.plan.options:
        said = answer(Question(option.question, TODAY), catalog=deals, warehouse=warehouse)
        assert said.status == "answered", option.question
        computed = computed_of(option.plan, deals, warehouse)
        assert computed is not None
        assert said.result is not None
        assert sorted(map(str, said.result.rows)) == sorted(map(str, computed.result.rows))
