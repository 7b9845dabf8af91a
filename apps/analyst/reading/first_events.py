"""The first of what each one has ("days from sign-up to the first order", "who placed a first order in 2025"): no
sketch says it, and without it the figure is that of all orders. It is put into the plan of a sketch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apps.analyst.dictionary.rows import MOSTLY, plural
from apps.analyst.knowledge.english import english
from apps.analyst.plan import (
    Aggregate,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    InQuery,
    Output,
    Period,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.labels import to_first_label
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.mending import SAID

NEAR = 2
"""Words behind "first" of which one says what is meant: "first paid order"."""
_SPREAD = ("avg", "median", "max", "min")


@dataclass(frozen=True)
class First:
    """What the first of is meant: rows of tables, or what columns hold."""

    tables: frozenset[str] = frozenset()
    columns: frozenset[tuple[str, str]] = frozenset()
    newcomers: frozenset[tuple[str, str]] = frozenset()
    """Columns of those of whom the new ones are meant: their first of anything."""

    def has(self, ref: Expr, source: str) -> bool:
        """Whether a date of the table that is read is that of what is meant."""
        if not isinstance(ref, ColumnRef) or ref.table != source:
            return False
        return ref.table in self.tables or (ref.table, ref.column) in self.columns

    def of(self, key: ColumnRef) -> First:
        """What is meant where `key` is counted: of new ones the first row of the table."""
        new = (key.table, key.column) in self.newcomers
        return First(self.tables | {key.table}, self.columns) if new else self


def of_first_events(plan: Plan, linked: Linked) -> Plan:
    """The plan by the first of what each one has, where the question says so. Raises Unfit where it has no place."""
    meant = _meant(linked)
    if meant == First() or not isinstance(plan, Query) or not isinstance(plan.source, str):
        return plan
    for measure in plan.measures if len(plan.measures) == 1 else ():
        aggregate = measure.expr
        if not isinstance(aggregate, Aggregate):
            continue
        ends = _ends(aggregate)
        if ends is not None and ends[0].table != ends[1].table and meant.has(ends[1], plan.source):
            return _until_first(plan, measure, aggregate, ends[0].table)
        if aggregate.fn == "count" and aggregate.distinct and isinstance(aggregate.of, ColumnRef):
            return _begun(plan, measure, aggregate.of, meant.of(aggregate.of))
        new = _repeated(plan.source, meant, linked) if aggregate == Aggregate(fn="count") else None
        if new is not None:
            told = measure.model_copy(update={"label": f"Number of new {plural(new[1])}"})
            return _begun(plan, told, new[0], meant.of(new[0]))
    new = _repeated(plan.source, meant, linked)
    named = next((o for o in (*plan.columns, *plan.groups) if new is not None and o.expr == new[0]), None)
    if new is not None and named is not None:
        return _listed(plan, named, new[0], meant.of(new[0]))
    return plan.model_copy(update={"where": together([_member(test, meant) for test in conjuncts(plan.where)])})


def _listed(plan: Query, named: Output, key: ColumnRef, meant: First) -> Plan:
    """Those who had their first in a period, by name: not those who had one then."""
    days = list(dict.fromkeys(_days(plan, meant)))
    if not days:
        return plan
    if len(days) > 1 or plan.having is not None:
        raise Unfit("the first of what each one has")
    inner, _, bounds = _first_of_each(plan, key, days[0])
    told = named.model_copy(update={"expr": ColumnRef(table="", column=inner.groups[0].label)})
    return Query(source=inner, where=together(bounds), columns=(told,))


def _repeated(source: str, meant: First, linked: Linked) -> tuple[ColumnRef, str] | None:
    """The one column of the table whose new ones are meant, with what it is called: its rows are no customers, but what
    customers did, several times each."""
    index = linked.index
    found = [
        (ColumnRef(table=source, column=column.name), index.meant[place].label)
        for place, (table, column) in enumerate(index.columns)
        if (source, column.name) in meant.newcomers and index.tables[table].name == source
        if column.distinct < MOSTLY * index.tables[table].rows
    ]
    return found[0] if len(found) == 1 else None


def _meant(linked: Linked) -> First:
    """What stands behind "first" or "new", where that is no name of a column and no part of a period."""
    known = english()
    dated = {place for period in linked.periods for place in range(period.start, period.end)}
    found = First()
    for place, word in enumerate(linked.tokens):
        first, new = known.ordinals.get(word) == 1, word in known.newcomers
        if not (first or new) or place in dated or _is_named(place, linked):
            continue
        tables, columns = _named_behind(place, linked)
        found = (
            First(found.tables | tables, found.columns | columns, found.newcomers)
            if first
            else First(found.tables, found.columns, found.newcomers | columns)
        )
    return found


def _named_behind(place: int, linked: Linked) -> tuple[set[str], set[tuple[str, str]]]:
    """The tables and columns that the next words name."""
    index, stop = linked.index, english().stopwords
    for n in [n for n in range(place + 1, len(linked.tokens)) if linked.tokens[n] not in stop][:NEAR]:
        named = [node for node, fit in enumerate(linked.channels[n, :, 0]) if fit >= SAID]
        if named:
            columns = [index.columns[node - len(index.tables)] for node in named if node >= len(index.tables)]
            tables = {index.tables[node].name for node in named if node < len(index.tables)}
            return tables, {(index.tables[table].name, column.name) for table, column in columns}
    return set(), set()


def _is_named(place: int, linked: Linked) -> bool:
    """Whether the word itself stands in a column's name or a stored value: "first name"."""
    columns = linked.channels[place, len(linked.index.tables) :, 0]
    items = linked.item_tokens[:, place]
    return bool((columns >= SAID).any() or (items >= 1).any())


def _ends(aggregate: Aggregate) -> tuple[ColumnRef, ColumnRef] | None:
    """The first and the last day of a time that is averaged or held against others."""
    call = aggregate.of
    if aggregate.fn not in _SPREAD or not isinstance(call, Call) or len(call.args) != 2:
        return None
    first, last = call.args
    return (first, last) if isinstance(first, ColumnRef) and isinstance(last, ColumnRef) else None


def _until_first(plan: Query, measure: Output, aggregate: Aggregate, owner: str) -> Plan:
    """The shortest time of each row of `owner`, then what is told of all of them."""
    keys = [key.right for join in plan.joins if join.table == owner for key in join.on]
    sorted_by = all(isinstance(order.by, str) for order in plan.order)
    groups = [output for output in plan.groups if _is_of(output.expr, plan.source)]
    if not keys or groups or plan.having is not None or plan.limit_per or not sorted_by:
        raise Unfit("the first of what each one has")
    shortest = aggregate.model_copy(update={"fn": "min"})
    told = Output(label=f"{measure.label} (first)", expr=shortest, unit=measure.unit)
    each = tuple(Output(label=f"{key.column} (each)", expr=key) for key in keys)
    inner = plan.model_copy(
        update={"groups": (*plan.groups, *each), "measures": (told,), "order": (), "limit": None, "offset": 0}
    )
    over = Aggregate(fn=aggregate.fn, of=ColumnRef(table="", column=told.label))
    label = to_first_label(measure.label)
    return Query(
        source=inner,
        groups=tuple(g.model_copy(update={"expr": ColumnRef(table="", column=g.label)}) for g in plan.groups),
        measures=(measure.model_copy(update={"label": label, "expr": over}),),
        order=tuple(o.model_copy(update={"by": label}) if o.by == measure.label else o for o in plan.order),
        limit=plan.limit,
        offset=plan.offset,
    )


def _is_of(expr: Expr, table: object) -> bool:
    parts = (getattr(expr, "of", expr), expr)
    return any(isinstance(part, ColumnRef) and part.table == table for part in parts)


def _begun(plan: Query, measure: Output, key: ColumnRef, meant: First) -> Plan:
    """How many had their first in a period, or in each: not how many had one then."""
    days = list(dict.fromkeys(_days(plan, meant)))
    if not days:
        return plan
    others = [g for g in plan.groups if not (isinstance(g.expr, Period) and g.expr.of == days[0])]
    if len(days) > 1 or others or plan.having is not None or plan.limit_per:
        raise Unfit("the first of what each one has")
    inner, first, bounds = _first_of_each(plan, key, days[0])
    groups = tuple(
        g.model_copy(update={"expr": g.expr.model_copy(update={"of": first})})
        for g in plan.groups
        if isinstance(g.expr, Period)
    )
    return Query(
        source=inner,
        where=together(bounds),
        groups=groups,
        measures=(measure.model_copy(update={"expr": Aggregate(fn="count")}),),
        order=plan.order,
        limit=plan.limit,
        offset=plan.offset,
    )


def _days(query: Query, meant: First) -> Iterator[ColumnRef]:
    """The dates of what is meant by which rows are kept or grouped."""
    source = str(query.source)
    held = [test.left for test in conjuncts(query.where) if isinstance(test, Compare) and _is_day(test.right)]
    grouped = [output.expr.of for output in query.groups if isinstance(output.expr, Period)]
    for ref in (*held, *grouped):
        if isinstance(ref, ColumnRef) and meant.has(ref, source):
            yield ref


def _is_day(value: object) -> bool:
    return isinstance(value, Constant) and value.type == "date"


def _first_of_each(query: Query, key: ColumnRef, day: ColumnRef) -> tuple[Query, ColumnRef, list[Compare]]:
    """The first day of each one, where it stands in the result, and the conditions that hold for it."""
    label = f"First {day.column}"
    first = ColumnRef(table="", column=label)
    bounds = [t for t in conjuncts(query.where) if isinstance(t, Compare) and t.left == day and _is_day(t.right)]
    kept = [test for test in conjuncts(query.where) if test not in bounds]
    inner = Query(
        source=query.source,
        joins=query.joins,
        where=together(kept),
        groups=(Output(label=key.column, expr=key),),
        measures=(Output(label=label, expr=Aggregate(fn="min", of=day)),),
    )
    return inner, first, [bound.model_copy(update={"left": first}) for bound in bounds]


def _member(test: Predicate, meant: First) -> Predicate:
    """A condition on who is among those with a row in a period: among those whose first row lies in it."""
    if not isinstance(test, InQuery) or test.negated or not isinstance(test.query.source, str):
        return test
    inner, named = test.query, (*test.query.columns, *test.query.groups)
    days = list(dict.fromkeys(_days(inner, meant)))
    if len(days) != 1 or len(named) != 1 or not isinstance(named[0].expr, ColumnRef) or inner.having is not None:
        return test
    each, _, bounds = _first_of_each(inner, named[0].expr, days[0])
    label = each.groups[0].label
    told = Output(label=label, expr=ColumnRef(table="", column=label))
    return test.model_copy(update={"query": Query(source=each, where=together(bounds), columns=(told,))})
