"""A join that a person draws holds where the two columns have values in common, whatever they are called."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import JoinRefused
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.tables.drawn_joins import drawn_join
from apps.analyst.tables.joins import find_joins
from apps.analyst.types import JoinPath, Question, Table
from tests.analyst.tables.test_join_paths import lines, table_of

BERTHS = lines("berth,harbour", *(f"{n},{('Oslo', 'Riga')[n % 2]}" for n in range(1, 21)))
CALLS = lines("visit,moored,fee", *(f"{n},{n % 25 + 1},{n}.50" for n in range(100, 200)))


@pytest.fixture
def tables(tmp_path):
    """Tables of {name: CSV text}, in order."""
    return lambda **texts: [table_of(tmp_path, name, text) for name, text in texts.items()]


def ends(path: JoinPath) -> tuple[str, str, str, str]:
    return (path.left_table, path.left_columns[0], path.right_table, path.right_columns[0])


def test_columns_of_unlike_names_join_from_many_to_one_whichever_is_named_first(tables):
    berths, calls = tables(berths=BERTHS, calls=CALLS)
    assert find_joins([berths, calls]) == []
    for path in (
        drawn_join(calls, ("moored",), berths, ("berth",)),
        drawn_join(berths, ("berth",), calls, ("moored",)),
    ):
        assert ends(path) == ("calls", "moored", "berths", "berth")
        assert (path.match_rate, path.right_unique, path.fold, path.said) == (0.8, True, False, False)


def test_keys_that_are_written_otherwise_meet_loosely(tables):
    parts, orders = tables(
        parts=lines("code,weight", *(f"P-{n:05},{n}" for n in range(1, 40))),
        orders=lines("line,item", *(f"{n},{n % 39 + 1}" for n in range(1, 120))),
    )
    path = drawn_join(parts, ("code",), orders, ("item",))
    assert ends(path) == ("orders", "item", "parts", "code")
    assert (path.match_rate, path.right_unique, path.fold) == (1.0, True, True)


def test_a_key_that_repeats_on_both_sides_is_many_to_many(tables):
    one, other = tables(
        one=lines("team,points", *(f"T{n % 5},{n}" for n in range(30))),
        other=lines("squad,goals", *(f"T{n % 6},{n}" for n in range(30))),
    )
    path = drawn_join(other, ("squad",), one, ("team",))
    assert ends(path) == ("one", "team", "other", "squad")
    assert (path.match_rate, path.right_unique) == (1.0, False)


# A shop's days: neither the shop nor the day tells a row apart, both together do.
DAYS = lines("shop,day,weather", *(f"S{n % 5},2025-03-{n // 5 + 1:02},{('sun', 'rain')[n % 2]}" for n in range(50)))
SALES = lines("till,on date,amount", *(f"S{n % 6},2025-03-{n % 9 + 1:02},{n}" for n in range(90)))
BOTH = (("till", "on date"), ("shop", "day"))


def test_several_columns_join_where_their_combinations_meet(tables):
    days, sales = tables(days=DAYS, sales=SALES)
    for path in (drawn_join(sales, BOTH[0], days, BOTH[1]), drawn_join(days, BOTH[1], sales, BOTH[0])):
        assert (path.left_table, path.left_columns) == ("sales", ("till", "on date"))
        assert (path.right_table, path.right_columns) == ("days", ("shop", "day"))
        assert (path.match_rate, path.right_unique, path.fold) == (0.8333, True, False)
    assert not drawn_join(sales, BOTH[0][:1], days, BOTH[1][:1]).right_unique


def test_several_columns_meet_loosely_where_that_throws_no_two_combinations_together(tables):
    loose = DAYS.replace("S", "s-")
    days, sales = tables(days=loose, sales=SALES)
    path = drawn_join(sales, BOTH[0], days, BOTH[1])
    assert (path.match_rate, path.right_unique, path.fold) == (0.8333, True, True)
    double, more = tables(double=loose + "S1,2025-03-01,hail\n", more=SALES.replace("S", "x"))
    with pytest.raises(JoinRefused, match="till and on date of more and shop and day of double have no combination"):
        drawn_join(more, BOTH[0], double, BOTH[1])


def test_a_combination_that_repeats_on_both_sides_is_many_to_many(tables):
    days, sales = tables(days=DAYS + "S1,2025-03-01,hail\n", sales=SALES)
    assert not drawn_join(sales, BOTH[0], days, BOTH[1]).right_unique


def test_rows_without_a_value_in_a_key_say_nothing_of_whether_it_repeats(tables):
    days, sales = tables(days=DAYS + "S1,,fog\nS1,,fog\n", sales=SALES)
    assert drawn_join(sales, BOTH[0], days, BOTH[1]).right_unique


def test_figures_over_several_columns_are_computed_with_them(tables):
    held: list[Table] = tables(days=DAYS, sales=SALES)
    said = replace(drawn_join(held[1], BOTH[0], held[0], BOTH[1]), said=True)
    question = Question("total amount by weather", today=date(2025, 6, 1))
    warehouse = LocalWarehouse()
    try:
        told = answer(question, catalog=FixedCatalog("composite", tuple(held), (said,)), warehouse=warehouse)
    finally:
        warehouse.close()
    assert told.status == "answered"
    assert told.result is not None
    weather = {(f"S{n % 5}", n // 5 + 1): ("sun", "rain")[n % 2] for n in range(50)}
    expected = {"sun": 0, "rain": 0}
    for n in range(90):
        if (of := weather.get((f"S{n % 6}", n % 9 + 1))) is not None:
            expected[of] += n
    figures = {row[0]: float(row[1]) for row in told.result.rows}
    assert {name: figures[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("left", "right", "why"),
    [
        ("moored", "harbour", "moored of calls and harbour of berths have no value in common."),
        ("fee", "harbour", "fee of calls holds decimal numbers and harbour of berths holds texts: they never match."),
        ("visit", "berth", "visit of calls and berth of berths have no value in common."),
        ("pier", "berth", "calls has no column named pier."),
    ],
)
def test_what_can_never_meet_is_refused_in_words(tables, left, right, why):
    berths, calls = tables(berths=BERTHS, calls=CALLS)
    with pytest.raises(JoinRefused) as refused:
        drawn_join(calls, (left,), berths, (right,))
    assert refused.value.message == why


def test_a_question_over_two_files_is_answered_once_the_join_is_there(tables):
    held: list[Table] = tables(berths=BERTHS, calls=CALLS)
    said = replace(drawn_join(held[1], ("moored",), held[0], ("berth",)), said=True)
    question = Question("total fee by harbour", today=date(2025, 6, 1))
    warehouse = LocalWarehouse()
    try:
        without = answer(question, catalog=FixedCatalog("without", tuple(held)), warehouse=warehouse)
        drawn = answer(question, catalog=FixedCatalog("with", tuple(held), (said,)), warehouse=warehouse)
    finally:
        warehouse.close()
    assert without.status != "answered"
    assert drawn.status == "answered"
    assert drawn.result is not None
    expected = {"Oslo": 0.0, "Riga": 0.0}
    for n in range(100, 200):
        if n % 25 + 1 <= 20:
            expected[("Oslo", "Riga")[(n % 25 + 1) % 2]] += n + 0.5
    told = {row[0]: float(row[1]) for row in drawn.result.rows}
    assert {harbour: told[harbour] for harbour in expected} == expected
