"""Which of the rows that a plan reads enter its figures: not those whose value is missing, nor those that a condition
of the figures themselves leaves out.

In: a plan and the catalog's profiles. Out: the queries that count the rows read, and those used where they are not
simply all. Nothing is run here.
"""

from __future__ import annotations

from apps.analyst.computing.compile.walk import has, references, within
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    AnyOf,
    Arithmetic,
    Between,
    Call,
    ColumnRef,
    Comparison,
    Constant,
    Expr,
    Join,
    Missing,
    Output,
    Plan,
    Predicate,
    Query,
    ScalarQuery,
)
from apps.analyst.plan.conditions import all_of, conjuncts
from apps.analyst.plan.sentence import predicate_words
from apps.analyst.plan.spans import date_range, says_days
from apps.analyst.ports import Catalog
from apps.analyst.telling import formats


def count_of_rows(query: Query, catalog: Catalog) -> Query:
    """The query for the number of rows that another one scans; those that stand once for each entry of a list, or meet
    several rows of another table, count once."""
    count = Aggregate(fn="count")
    if isinstance(query.source, str) and meets_several(query, catalog):
        count = Aggregate(fn="count", of=ColumnRef(table=query.source, column=ROW_NUMBER), distinct=True)
    measures = (Output(label="rows", expr=count),)
    return Query(source=query.source, joins=query.joins, each=query.each, where=query.where, measures=measures)


def meets_several(query: Query, catalog: Catalog) -> bool:
    """Whether a row may stand several times in what is scanned: for entries of a list, or for partners."""
    return bool(query.each) or any(_may_meet_several(join, catalog) for join in query.joins)


def _may_meet_several(join: Join, catalog: Catalog) -> bool:
    """Whether a row may have several partners: no column that they are found by is known to tell its table's rows
    apart."""
    table = next((table for table in catalog.tables() if table.name == join.table), None)
    found = [table.column(key.right.column) for key in join.on if key.part is None] if table is not None else []
    return not any(column is not None and column.unique for column in found)


def count_of_used(plan: Plan, catalog: Catalog) -> Query | None:
    """The query for the number of rows that at least one figure is made of; None where all that are read are used, or
    where that cannot be said of rows as they are stored."""
    query = plan.query if isinstance(plan, Comparison) else plan
    if not isinstance(query, Query) or not isinstance(query.source, str) or not query.measures:
        return None
    found = used(query, catalog)
    if found is None:
        return None
    sides = AnyOf(of=(plan.current, plan.baseline)) if isinstance(plan, Comparison) else None
    return count_of_rows(query.model_copy(update={"where": all_of(query.where, sides, found)}), catalog)


def used(query: Query, catalog: Catalog) -> Predicate | None:
    """The condition that a row enters at least one of the query's figures; None where every row does."""
    parts: list[Predicate] = []
    for output in query.measures:
        if has(output.expr, ScalarQuery):
            return None
        for node in within(output.expr):
            if isinstance(node, Aggregate):
                part = all_of(node.where, *_given(node.of, query, catalog))
                if part is None:
                    return None
                if part not in parts:
                    parts.append(part)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else AnyOf(of=tuple(parts))


def _given(of: Expr | None, query: Query, catalog: Catalog) -> list[Predicate]:
    """That what is measured is not missing, of columns with gaps."""
    if of is None or not needs_all(of):
        return []
    return [Missing(of=ref, negated=True) for ref in dict.fromkeys(references(of)) if _has_gaps(ref, query, catalog)]


def needs_all(read: Expr) -> bool:
    """True for a column and what is computed from columns throughout: one missing value leaves the row without any."""
    parts = list(within(read))
    if any(isinstance(part, Call) and part.name == "coalesce" for part in parts):
        return False
    return all(isinstance(part, ColumnRef | Constant | Arithmetic | Call) for part in parts)


def _has_gaps(ref: ColumnRef, query: Query, catalog: Catalog) -> bool:
    """Whether rows lack the value: its column has gaps, or rows may lack a partner in its table."""
    join = next((join for join in query.joins if (join.alias or join.table) == ref.table), None)
    if join is not None and join.how == "left":
        return True
    name = join.table if join is not None else ref.table
    table = next((table for table in catalog.tables() if table.name == name), None)
    column = table.column(ref.column) if table is not None else None
    return column is not None and column.missing > 0


def unsaid_condition(expr: Expr | None, label: str) -> str:
    """The condition that a figure alone has, where its label does not say it: a part is not told for all."""
    if not isinstance(expr, Aggregate) or expr.where is None:
        return ""
    told = f"{label} {formats.spoken(label)}".casefold()
    said = all(_is_said(part, told) for part in conjuncts(expr.where))
    return "" if said else predicate_words(expr.where)


def _is_said(condition: Predicate, label: str) -> bool:
    """Whether a label in lower case has a condition's values, or its days as they are called ("Q3 2026")."""
    span = date_range(condition) if isinstance(condition, Between) else None
    if span is not None:
        return says_days(label, *span)
    told = [str(part.value).casefold() for part in within(condition) if isinstance(part, Constant)]
    return bool(told) and all(value in label for value in told)
