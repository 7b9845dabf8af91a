"""A row for each of those that are named tells which one it is; other rows do not where one is asked for."""

from __future__ import annotations

from apps.analyst.plan import Aggregate, Among, AnyOf, ColumnRef, Compare, Constant, Output, Predicate, Query
from apps.analyst.reading.choices import has_too_many
from apps.analyst.types import Result, ResultColumn

REP, REGION = ColumnRef(table="visits", column="rep"), ColumnRef(table="visits", column="region")
ASKED = "Who made more visits, Ann or Ben?"


def grouped(where: Predicate | None) -> Query:
    measure = Output(label="Visits", expr=Aggregate(fn="count"))
    return Query(source="visits", where=where, groups=(Output(label="Rep", expr=REP),), measures=(measure,))


def result(many: int) -> Result:
    columns = (ResultColumn("Rep", "text", "dimension"), ResultColumn("Visits", "integer", "measure"))
    return Result(columns, tuple((f"Rep {n}", n) for n in range(many)), many)


def either(of: ColumnRef, *values: str) -> AnyOf:
    return AnyOf(of=tuple(Compare(op="=", left=of, right=Constant(value=value)) for value in values))


def test_both_of_two_that_are_named_are_not_too_many() -> None:
    assert not has_too_many(ASKED, grouped(either(REP, "Ann", "Ben")), result(2))
    among = Among(of=REP, values=(Constant(value="Ann"), Constant(value="Ben")))
    assert not has_too_many(ASKED, grouped(among), result(2))


def test_more_rows_than_are_named_are_too_many() -> None:
    assert has_too_many(ASKED, grouped(either(REP, "Ann", "Ben")), result(3))
    assert has_too_many(ASKED, grouped(None), result(2))


def test_rows_of_something_else_than_what_is_named_are_too_many() -> None:
    assert has_too_many(ASKED, grouped(either(REGION, "North", "South")), result(2))
    left_out = Among(of=REP, values=(Constant(value="Ann"), Constant(value="Ben")), negated=True)
    assert has_too_many(ASKED, grouped(left_out), result(2))


def test_where_several_are_asked_for_several_may_come() -> None:
    assert not has_too_many("Which reps made visits?", grouped(None), result(3))
    assert not has_too_many(ASKED, grouped(None), result(1))
