"""What people said over one database is an example over another: with that one's names in both plans and the words."""

from __future__ import annotations

import random
from datetime import date

import pytest

from apps.analyst.reading.sketch import Sketch, walk
from learning.elsewhere import Place, Turn, leaves, mapping, place_of, replaced, said_over, turns

TODAY = date(2026, 6, 15)
FIRST = {
    "say": "Total sales value by publication",
    "sql": "select publication, sum(sales_value) from insertions group by 1",
}
DAILY = "select publication, sum(sales_value) from insertions where frequency = 'Daily' group by 1"


@pytest.fixture(scope="module")
def papers() -> Place:
    return place_of("broadsheet_budgets", TODAY)


@pytest.fixture(scope="module")
def deals() -> Place:
    return place_of("forgeline_deals", TODAY)


def patterns(place: Place, said: str, sql: str) -> list[Turn]:
    return list(turns(place, [{"id": "a", "turns": [FIRST, {"say": said, "sql": sql}]}]))


def tables(sketch: Sketch) -> set[str]:
    return {leaf[1] for leaf in leaves(sketch)}


def test_a_message_is_said_with_the_other_database_s_values(papers: Place, deals: Place) -> None:
    (turn,) = patterns(papers, "only the daily ones", DAILY)
    stored = {value.value.casefold() for _, column in deals.own.index.columns for value in column.values}
    called = {said.casefold() for means in deals.own.columns for said in means.says.values()}
    made = [said_over(turn, papers, deals, random.Random(seed)) for seed in range(20)]
    found = [one["question"] for one in made if one is not None]
    assert found
    for question in found:
        sentence, _, message = question.partition(" | ")
        assert "publication" not in sentence.casefold()
        assert message.removeprefix("only the ").removesuffix(" ones") in stored | called


def test_both_plans_are_of_the_other_database(papers: Place, deals: Place) -> None:
    (turn,) = patterns(papers, "by status instead", "select status, sum(sales_value) from insertions group by 1")
    mapped = next(m for seed in range(20) if (m := mapping(turn, papers, deals, random.Random(seed))) is not None)
    before, after = replaced(turn.before, mapped), replaced(turn.after, mapped)
    assert tables(before) == tables(after) != tables(turn.before)
    assert tables(before) <= {table.name for table in deals.own.index.tables}
    figures = [[part for part in walk(sketch) if part[0] == "sum"] for sketch in (before, after)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        ("only what nobody saw the day before", DAILY),  # says no value
        ("only the daily ones of the teas", DAILY),  # names what the query does not use
    ],
)
def test_what_only_fits_its_own_database_is_no_pattern(said: str, sql: str, papers: Place) -> None:
    assert not patterns(papers, said, sql)
