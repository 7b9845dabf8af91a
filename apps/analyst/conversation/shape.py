"""Another shape of the same answer: told apart by other columns, in another order, cut shorter, or its rows listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from apps.analyst.computing.compile.walk import windowed
from apps.analyst.conversation.dating import date_meant
from apps.analyst.conversation.figures import chosen_last, conditions_within, figure_of
from apps.analyst.conversation.predicates import column_of, values_of
from apps.analyst.conversation.rows import released
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.unwanted import counts_unwanted
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import ROW_NUMBER, ColumnRef, Grain, InQuery, Order, Output, Part, Period, Predicate, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.telling.narrate.headline import direction

End = Literal["most", "least"]
MOST_LISTED = 12
"""Columns of a listing."""
_UNCUT = {"limit": None, "offset": 0, "limit_per": (), "ties": False}


def uncut(query: Query) -> Query:
    """The query with all of its rows, in the order that its periods have."""
    return query.model_copy(update={**_UNCUT, "order": ()})


def grouped_by(
    query: Query, columns: Sequence[ColumnRef], grain: Grain | None, scene: Scene, *, anew: bool
) -> Query | None:
    """The query told apart by these columns and periods, `anew`: by nothing else."""
    if query.columns and not query.measures:
        return None
    reached = scene.reached(query, [ref.table for ref in columns])
    if reached is None:
        return None
    new = [Output(label=ref.column, expr=ref) for ref in columns]
    for chosen in columns:  # one value of it was chosen: now all are told apart
        reached = released(reached, chosen) if _is_single(reached, chosen) else reached
    kept = () if anew else reached.groups
    if grain is not None:
        ref = date_meant(reached, scene)
        if ref is None:
            return None
        kept = tuple(g for g in kept if not (isinstance(g.expr, Period | Part) and g.expr.of == ref))
        new.append(Output(label=grain.capitalize(), expr=Period(grain=grain, of=ref)))
    known = [group.expr for group in kept]
    groups = (*kept, *(output for output in new if output.expr not in known))
    if groups == reached.groups and not anew:
        return None
    return uncut(_labelled(reached, groups))


def _is_single(query: Query, ref: ColumnRef) -> bool:
    """Whether one value of a column is all that the query's rows have."""
    return any(column_of(test) == ref and len(values_of(test)) == 1 for test in conjuncts(query.where))


def _labelled(query: Query, groups: Sequence[Output]) -> Query:
    """The groups, two of one name told apart."""
    seen: list[str] = []
    made: list[Output] = []
    for group in groups:
        label = group.label if group.label not in seen else f"{group.label} {len(seen) + 1}"
        seen.append(label)
        made.append(group if group.label == label else group.model_copy(update={"label": label}))
    return query.model_copy(update={"groups": tuple(made)})


def ungrouped(query: Query, column: ColumnRef | None, grain: Grain | None) -> Query | None:
    """The query that is no longer told apart by a column, or by its periods."""

    def gone(group: Output) -> bool:
        return group.expr == column if column is not None else isinstance(group.expr, Period | Part) and bool(grain)

    kept = tuple(group for group in query.groups if not gone(group))
    if len(kept) == len(query.groups):
        return None
    return uncut(query.model_copy(update={"groups": kept}))


def every(query: Query, ref: ColumnRef, scene: Scene) -> Query | None:
    """The query for all values of a column, told apart by it."""
    free = released(query, ref)
    if any(group.expr == ref for group in free.groups):
        return uncut(free)
    if not free.measures:
        return free
    return grouped_by(free, [ref], None, scene, anew=False)


def end_of(word: str, query: Query) -> End:
    """Which end of an order a word means: the worst of what is better when it is less are the highest."""
    if word in ("most", "least"):
        return "most" if word == "most" else "least"
    less = word in ("worst", "slow")
    label = query.measures[0].label if query.measures else ""
    good_down = direction(label) == "down" or word in ("fast", "slow") or _is_bad(query)
    return "most" if less == good_down else "least"


def _is_bad(query: Query) -> bool:
    """True for figures of what nobody wants: waits, delays, cancellations."""
    if direction(" ".join([*(measure.label for measure in query.measures), query.scope])) == "down":
        return True
    if counts_unwanted(query):
        return True
    # Of a share with values of no known merit the worst are those with most of it: nobody asks so of what is good.
    parts = [str(value) for test in conditions_within(query) for value in (*values_of(test), column_of(test))]
    return bool(parts) and direction(" ".join(parts)) != "up"


def cut(query: Query, end: End, count: int) -> Query | None:
    """The first or last so many by the figure, or of a listing by what it is ordered by."""
    order = _ranked(query, end)
    if order is None:
        return None
    ties = count == 1 and bool(query.groups)
    return query.model_copy(update={"order": order, "limit": count, "offset": 0, "limit_per": (), "ties": ties})


def shown_alone(query: Query) -> Query | None:
    """The query over what its ranking shows, not cut any more, so that in another order the same is shown; as it is
    where it shows all, None where what it shows cannot be told apart by one column."""
    if query.limit is None and not query.limit_per:
        return query
    grouped = query.groups[0].expr if len(query.groups) == 1 and not query.columns else None
    listed = isinstance(query.source, str) and bool(query.columns) and not query.distinct
    ref = ColumnRef(table=str(query.source), column=ROW_NUMBER) if listed else grouped
    if query.limit_per or not query.order or not isinstance(ref, ColumnRef):
        return None
    outputs = {one.label: one.expr for one in (*query.groups, *query.measures, *query.columns)}
    order = tuple(one.model_copy(update={"by": outputs.get(str(one.by), one.by)}) for one in query.order)
    shown = (Output(label=ref.column, expr=ref),)
    inner = query.model_copy(update={"order": order, "measures": (), **({"columns": shown} if listed else {})})
    where = together([*conjuncts(query.where), InQuery(of=ref, query=inner)])
    made = uncut(query).model_copy(update={"where": where, "having": None})
    return chosen_last(made) if any(windowed(one.expr) for one in query.measures) else made


def onward(query: Query, count: int) -> Query | None:
    """The places behind those that a ranking shows, `count` or as many as before; in their order, where that is another
    (`shown_alone`). None for what is no ranking."""
    if query.limit is None:
        tests = [_onward(test, count) for test in conjuncts(query.where)]
        chosen = [_onward(test, count) for test in conjuncts(query.having)]
        made = query.model_copy(update={"where": together(tests), "having": together(chosen)})
        return made if made != query else None
    if not query.order or query.limit_per:
        return None
    places = {"limit": count or query.limit, "offset": query.offset + query.limit, "ties": False}
    return query.model_copy(update=places)


def _onward(test: Predicate, count: int) -> Predicate:
    """A condition on what a ranking shows, of the places behind it; all others as they are."""
    behind = onward(test.query, count) if isinstance(test, InQuery) and test.query.limit is not None else None
    return test.model_copy(update={"query": behind}) if behind is not None else test


def ordered(query: Query, end: End) -> Query | None:
    """All rows in the order of the figure."""
    order = _ranked(query, end)
    return None if order is None else query.model_copy(update={"order": order})


def _ranked(query: Query, end: End) -> tuple[Order, ...] | None:
    if query.groups and query.measures:
        return (Order(by=query.measures[0].label, descending=end == "most"),)
    if query.columns and query.order:
        return (query.order[0].model_copy(update={"descending": end == "most"}), *query.order[1:])
    return None


def ordered_by_name(query: Query) -> Query | None:
    """The rows by their names."""
    names = [o for o in query.groups if not isinstance(o.expr, Period | Part)] or list(query.groups or query.columns)
    return query.model_copy(update={"order": (Order(by=names[0].label),)}) if names else None


def ordered_in_time(query: Query, scene: Scene, *, newest: bool) -> Query | None:
    """The rows by when they were; of a listing by the date that its rows go by."""
    times = [o for o in query.groups if isinstance(o.expr, Period | Part)]
    date = scene.main_date(query) if query.columns else None
    if date is not None:
        return ordered_by(query, date, descending=newest)
    return query.model_copy(update={"order": (Order(by=times[0].label, descending=newest),)}) if times else None


def ordered_by(query: Query, ref: ColumnRef, *, descending: bool) -> Query | None:
    """The rows by a column that is shown, or by the figure of it; of a listing by any other, which is shown then."""
    figure = figure_of(query)
    for output in (*query.columns, *query.groups):
        if output.expr == ref:
            return query.model_copy(update={"order": (Order(by=output.label, descending=descending),)})
    if figure is not None and figure.of == ref:
        return query.model_copy(update={"order": (Order(by=query.measures[0].label, descending=True),)})
    if query.columns and ref.table == query.source and ref.column not in {one.label for one in query.columns}:
        columns = (*query.columns, Output(label=ref.column, expr=ref))
        return query.model_copy(update={"columns": columns, "order": (Order(by=ref.column, descending=descending),)})
    return None


def rows_behind(query: Query, scene: Scene) -> Query | None:
    """The rows that the figures are computed from."""
    table = next((t for t in scene.catalog.tables() if t.name == query.source), None)
    if table is None or query.columns:
        return None
    meaning = dictionary_of(scene.catalog).get(table.name)
    first = [n for n in (meaning.key_column, meaning.name_column) if n] if meaning is not None else []
    names = list(dict.fromkeys([*first, *(column.name for column in table.columns)]))[:MOST_LISTED]
    columns = tuple(Output(label=name, expr=ColumnRef(table=table.name, column=name)) for name in names)
    return _listed(query, columns)


def _listed(query: Query, columns: tuple[Output, ...]) -> Query:
    """The query's rows themselves, by these columns."""
    bare = {"columns": columns, "groups": (), "measures": (), "having": None}
    return uncut(query).model_copy(update=bare)


def first_by(query: Query, ref: ColumnRef, end: End, scene: Scene) -> Query | None:
    """Of the query's rows the one that lies first by a column: "the oldest"."""
    name = scene.name_column(str(query.source))
    if ref.table != query.source or name is None:
        return None
    columns = tuple(Output(label=label, expr=ColumnRef(table=ref.table, column=label)) for label in (name, ref.column))
    order = (Order(by=ref.column, descending=end == "most"),)
    return _listed(query, columns).model_copy(update={"order": order, "limit": 1, "ties": True})
