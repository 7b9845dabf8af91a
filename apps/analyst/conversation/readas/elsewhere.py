"""A plan put over another file that holds the same: a year's export beside the next, a branch's beside another's, a
file beside its corrected copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

from apps.analyst.computing.compile.walk import within
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Call,
    ColumnRef,
    Combine,
    Constant,
    Describe,
    Expr,
    InQuery,
    Join,
    NamedQuery,
    Node,
    Output,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.conditions import together as together_of
from apps.analyst.plan.validate import holds
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import every_query, tables_of
from apps.analyst.types import JoinPath, Table

SHARED = 0.8
"""The share of the columns of the smaller of two tables that a larger one has as well where they are alike."""
SHARED_OF_LARGER = 0.5
MOST_ALIKE = 24
"""Tables that are looked at for one plan."""
P = TypeVar("P", bound=Node)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A plan over `table` in the place of `mine`."""

    mine: str
    table: str
    plan: Plan


def elsewhere(plan: Plan, catalog: Catalog) -> list[Elsewhere]:
    """The plan over each table that looks like one that it reads and holds all that it reads of it; of several tables
    that it reads those of the first that has any."""
    used, tables = tables_of(plan), {table.name: table for table in catalog.tables()}
    if isinstance(plan, Describe):
        return []
    for mine in sorted(used & tables.keys()):
        others = [t for t in tables.values() if t.name not in used and alike(tables[mine], t)][:MOST_ALIKE]
        moved = [Elsewhere(mine, other.name, over(plan, mine, other.name)) for other in others]
        found = [one for one in moved if _joins_there(one.plan, catalog) and holds(one.plan, catalog)]
        if found:
            return found
    return []


def alike(one: Table, other: Table) -> bool:
    """Whether two tables have the same columns, but for a few."""
    mine, theirs = ({(c.name.casefold(), c.type) for c in table.columns} for table in (one, other))
    shared, smaller, larger = len(mine & theirs), min(len(mine), len(theirs)), max(len(mine), len(theirs))
    return shared >= SHARED * smaller and shared >= SHARED_OF_LARGER * larger


def over(plan: P, mine: str, other: str) -> P:
    """The plan with one table in the place of another; what its rows were called there is left out."""
    return type(plan).model_validate(_moved(plan.model_dump(), mine, other))


def _moved(node: Any, mine: str, other: str) -> Any:
    if isinstance(node, Mapping):
        worded = {"noun": "", "scope": ""} if node.get("kind") == "query" and node.get("source") == mine else {}
        made = {
            key: other if key in ("table", "source") and value == mine else _moved(value, mine, other)
            for key, value in node.items()
        }
        return made | worded
    if isinstance(node, list | tuple):
        return type(node)(_moved(item, mine, other) for item in node)
    return node


def _joins_there(plan: Plan, catalog: Catalog) -> bool:
    """Whether the tables can be joined as the plan does."""
    ways = {_ends(path) for path in catalog.joins()}
    return all(_keys(join) in ways for query in every_query(plan) for join in query.joins if join.alias is None)


def _ends(path: JoinPath) -> frozenset[tuple[str, str]]:
    left = ((path.left_table, column) for column in path.left_columns)
    return frozenset((*left, *((path.right_table, column) for column in path.right_columns)))


def _keys(join: Join) -> frozenset[tuple[str, str]]:
    refs = (ref for key in join.on for ref in (key.left, key.right))
    return frozenset((ref.table, ref.column) for ref in refs if isinstance(ref, ColumnRef))


# ---------------------------------------------------------------- two files alike in one plan
@dataclass(frozen=True, slots=True)
class Matched:
    """Rows of two tables alike that a plan matches by columns; `apart` is the plan without that, over either."""

    tables: tuple[str, str]
    by: tuple[ColumnRef, ...]
    apart: Query | None

    def alone(self, table: str) -> Query | None:
        """The plan over one of the two; a figure of either file is one figure then."""
        if self.apart is None:
            return None
        (other,) = set(self.tables) - {table}
        found = over(self.apart, other, table)
        once = {output.expr.model_dump_json(): output for output in reversed(found.measures)}
        return found.model_copy(update={"measures": tuple(reversed(once.values()))})

    @property
    def is_of_either(self) -> bool:
        """Whether the plan sets a figure of the one file beside the same of the other; matching rows adds nothing."""
        alone = self.alone(self.tables[0])
        return alone is not None and self.apart is not None and len(alone.measures) < len(self.apart.measures)


def matched(plan: Plan, catalog: Catalog) -> Matched | None:
    """Where a plan matches the rows of two tables alike by columns that nobody connected: rows of one meet rows of the
    other that have nothing to do with them, and numbers that both count up from one are the same by chance. So it does
    where it adds up one of them for what the other holds, too. What only lists rows may match them by such numbers."""
    for query in every_query(plan):
        top = query is plan and isinstance(query.source, str)
        for join in query.joins:
            refs = [ref for key in join.on for ref in (key.left, key.right) if isinstance(ref, ColumnRef)]
            if _is_loose(refs, catalog, keyed=bool(query.measures)):
                left = tuple(one for one in query.joins if one != join)
                return _matched(refs, query.model_copy(update={"joins": left}) if top else None)
        for condition in conjuncts(query.where) if _figures(query) else ():
            refs = _looked_up(condition)
            if _is_loose(refs, catalog, keyed=True):
                kept = together_of([one for one in conjuncts(query.where) if one is not condition])
                return _matched(refs, query.model_copy(update={"where": kept}) if top else None)
    return None


def _matched(refs: Sequence[ColumnRef], apart: Query | None) -> Matched:
    one, other = sorted({ref.table for ref in refs})
    return Matched((one, other), tuple(refs[::2]), apart)


def _looked_up(condition: Predicate) -> list[ColumnRef]:
    """The two columns of a condition that a value stands in another table; none for other conditions."""
    if not isinstance(condition, InQuery) or condition.negated or not isinstance(condition.of, ColumnRef):
        return []
    outputs = (*condition.query.columns, *condition.query.groups)
    inner = outputs[0].expr if len(outputs) == 1 else None
    return [condition.of, inner] if isinstance(inner, ColumnRef) else []


def _figures(query: Query) -> bool:
    """Whether a query computes with a column, which either table may have."""
    nodes = (node for output in query.measures for node in within(output.expr))
    return any(isinstance(node, Aggregate) and node.fn != "count" for node in nodes)


def _is_loose(refs: Sequence[ColumnRef], catalog: Catalog, *, keyed: bool) -> bool:
    """Whether columns that nobody connected match two tables alike; numbers that tell rows apart only where `keyed`."""
    tables, meant = {table.name: table for table in catalog.tables()}, dictionary_of(catalog)
    ends = frozenset((ref.table, ref.column) for ref in refs)
    names = {ref.table for ref in refs}
    if len(names) != 2 or not names <= tables.keys() or not alike(*(tables[name] for name in names)):
        return False
    kinds = {c.kind for name, column in ends if (c := meant[name].column(column)) is not None}
    return (keyed or "identifier" not in kinds) and not any(
        path.said and _ends(path) == ends for path in catalog.joins()
    )


# ---------------------------------------------------------------- several files added up
def together(plans: Mapping[str, Plan]) -> Combine | None:
    """The one total of several plans added up, with that of each by the name of its file; None for what does not add
    up."""
    queries = {name: plan for name, plan in plans.items() if isinstance(plan, Query) and _adds_up(plan)}
    figures = [query.measures[0] for query in queries.values()]
    if len(queries) < max(2, len(plans)) or len({(figure.label, figure.unit) for figure in figures}) > 1:
        return None
    label, unit = figures[0].label, figures[0].unit
    if label in queries:
        return None
    refs = [ColumnRef(table="", column=name) for name in queries]
    nought = Constant(value=0, type="number")
    given: list[Expr] = [Call(name="coalesce", args=(ref, nought)) for ref in refs]  # of no rows there is no sum
    whole = reduce(lambda left, right: Arithmetic(op="+", left=left, right=right), given)
    outputs = (Output(label=label, expr=whole, unit=unit), *(Output(label=r.column, expr=r, unit=unit) for r in refs))
    return Combine(parts=tuple(NamedQuery(label=n, query=q) for n, q in queries.items()), outputs=outputs)


def is_added_up(plan: Plan) -> bool:
    """Whether a figure of a plan grows with every file that it is taken over: a sum, a count of rows."""
    queries = every_query(plan) if not isinstance(plan, Describe) else ()
    figures = (output.expr for query in queries for output in query.measures)
    return any(isinstance(f, Aggregate) and f.fn in ("sum", "count") and not f.distinct for f in figures)


def _adds_up(query: Query) -> bool:
    plain = not (query.groups or query.columns or query.having is not None or query.limit is not None)
    figures = [output.expr for output in query.measures]
    sums = all(isinstance(f, Aggregate) and f.fn in ("sum", "count") and not f.distinct for f in figures)
    return plain and sums and len(figures) == 1 and isinstance(query.source, str)
