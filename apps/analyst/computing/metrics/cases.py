"""Which cases a rate is made of and which it leaves out: a win rate tells of won and lost deals, not of open ones.

In: a plan and the catalog's profiles. Out: how the cases stand that are left out, and the query that counts the others
together with them. Nothing is run here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.computing.compile.walk import has, within
from apps.analyst.computing.metrics.used import count_of_rows
from apps.analyst.plan import (
    Aggregate,
    Among,
    AnyOf,
    Arithmetic,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Expr,
    Plan,
    Predicate,
    Query,
    ScalarQuery,
)
from apps.analyst.plan.conditions import all_of, conjuncts, together
from apps.analyst.ports import Catalog
from apps.analyst.types import Column


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The cases that a rate is not made of: `values` of the column that decides, most frequent first."""

    column: Column
    values: tuple[str, ...]
    known: bool
    """Whether these are all such values."""
    test: Predicate | None
    """The condition by which the plan does not even read them; None where the rate's own parts leave them out."""


@dataclass(frozen=True, slots=True)
class _Test:
    """A condition that one column has one of some texts."""

    of: ColumnRef
    values: frozenset[str]
    said: Predicate | None = None


def left_out(query: Query, catalog: Catalog) -> LeftOut | None:
    """The cases that the first rate among a query's figures leaves out; None where no rate does."""
    for output in query.measures:
        rate = any(isinstance(node, Arithmetic) and node.op == "/" for node in within(output.expr))
        found = _of_rate(output.expr, query, catalog) if rate and not has(output.expr, ScalarQuery) else None
        if found is not None:
            return found
    return None


def _of_rate(rate: Expr, query: Query, catalog: Catalog) -> LeftOut | None:
    parts = [node.where for node in within(rate) if isinstance(node, Aggregate)]
    tests = [_test_of(part) for part in parts if part is not None]
    first = tests[0] if tests else None
    if first is None or any(test is None or test.of != first.of for test in tests):
        return None
    read = [test for part in conjuncts(query.where) if (test := _test_of(part)) is not None and test.of == first.of]
    if len(read) > 1 or (not read and None in parts):
        return None
    cases = [test.values for test in tests if test is not None] + [read[0].values for part in parts if part is None]
    whole = frozenset().union(*cases)
    if not any(some < whole for some in cases) or (read and not whole <= read[0].values):
        return None
    return _others(first.of, whole, read[0].said if read else None, catalog)


def _others(of: ColumnRef, whole: frozenset[str], test: Predicate | None, catalog: Catalog) -> LeftOut | None:
    table = next((table for table in catalog.tables() if table.name == of.table), None)
    column = table.column(of.column) if table is not None else None
    if column is None:
        return None
    values = tuple(found.value for found in column.values if _folded(found.value) not in whole)
    return LeftOut(column, values, column.values_complete, test)


def _test_of(part: Predicate | None) -> _Test | None:
    """A condition as one on the texts of one column; None for any other."""
    if isinstance(part, Compare) and part.op == "=" and isinstance(part.left, ColumnRef):
        values: Sequence[Expr] = (part.right,)
    elif isinstance(part, Among) and not part.negated and isinstance(part.of, ColumnRef):
        values = part.values
    else:
        return None
    texts = [value.value for value in values if isinstance(value, Constant) and isinstance(value.value, str)]
    of = part.left if isinstance(part, Compare) else part.of
    if len(texts) < len(values) or not isinstance(of, ColumnRef):
        return None
    return _Test(of, frozenset(map(_folded, texts)), part)


def _folded(text: str) -> str:
    return text.strip().casefold()


def count_of_cases(plan: Plan, catalog: Catalog) -> Query | None:
    """The query for the number of rows that a rate is told of together with those that it leaves out; None where the
    plan reads these anyway."""
    query = plan.query if isinstance(plan, Comparison) else plan
    if not isinstance(query, Query) or not isinstance(query.source, str):
        return None
    left = left_out(query, catalog)
    if left is None or left.test is None:
        return None
    rest = together([part for part in conjuncts(query.where) if part != left.test])
    sides = AnyOf(of=(plan.current, plan.baseline)) if isinstance(plan, Comparison) else None
    return count_of_rows(query.model_copy(update={"where": all_of(rest, sides)}), catalog)
