"""Pairs of named things: their difference, and which of them has more."""

from __future__ import annotations

from apps.analyst.language.figures import as_figure, column_ref
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Slot, is_time
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.readers.lookup_degrees import is_either_way
from apps.analyst.language.readers.lookup_shared import (
    Found,
    both,
    equals,
    figures_named,
    named_values,
    only_table,
    rest_of,
)
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    AnyOf,
    Arithmetic,
    Call,
    ColumnRef,
    Combine,
    Expr,
    Missing,
    NamedQuery,
    Order,
    Output,
    Predicate,
    Query,
)

LESS = words(
    "less fewer lower smaller earlier younger shorter before worse cheaper least fewest lowest smallest first "
    "earliest lighter slower"
)
_NAMED, _WELL_NAMED = 0.95, 0.6
_ROWS = "Number of rows"
MORE = words(
    "more higher greater larger bigger later older longer taller better most highest largest biggest last latest "
    "after heavier further "
    "faster wider deeper"
)


def difference(draft: Draft) -> Found | None:
    """ "difference in X between A and B", "how many more X did A have than B", "difference between highest and lowest
    X"."""
    if not any(item.tag("difference") for item in draft.items):
        return None
    for index, item in enumerate(draft.items):
        if item.tag("difference") or item.norm in ("than", "compared to"):
            draft.use(index)
    pair = named_values(draft)
    if pair is not None and len(pair[1]) == 2 and pair[0].slot is not None:
        hit = pair[0].slot.best
        figures = figures_named(draft, hit.table, hit)
        fn = next((m.fn for m in draft.measures if m.said and m.fn != "count"), "sum")
        if not figures and not any(m.fn == "count" for m in draft.measures):
            return None
        rest = rest_of(draft, hit)
        of = as_figure(draft, figures[0].best) if figures else None
        aggregate = Aggregate(fn=fn if of is not None else "count", of=of)
        parts = tuple(
            NamedQuery(
                label=label,
                query=Query(
                    source=hit.table,
                    where=both(rest, equals(draft, hit, value)),
                    measures=(Output(label="value", expr=aggregate),),
                ),
            )
            for label, value in zip(("a", "b"), pair[1], strict=False)
        )
        return _apart(parts), ("Difference",), 0.9
    extremes = _extremes(draft)
    if extremes is not None:
        return extremes
    return None


def _apart(parts: tuple[NamedQuery, ...]) -> Combine:
    a, b = ColumnRef(table="", column="a"), ColumnRef(table="", column="b")
    difference = Call(name="abs", args=(Arithmetic(op="-", left=a, right=b),))
    return Combine(parts=parts, outputs=(Output(label="Difference", expr=difference),))


_ENDS: tuple[tuple[str, AggregateName], ...] = (("a", "max"), ("b", "min"))


def _extremes(draft: Draft) -> Found | None:
    """ "difference between the highest and the lowest X"."""
    ways = {draft.items[i].tag("sup").value for i in range(len(draft.items)) if draft.items[i].tag("sup")}  # type: ignore[union-attr]
    if ways != {"asc", "desc"} and not any(item.tag("both") and "and" in item.norm for item in draft.items):
        return None
    for table in [named.table.name for named in draft.lexicon.tables]:
        figures = figures_named(draft, table)
        if figures:
            hit = figures[0].best
            of = as_figure(draft, hit)
            where = rest_of(draft, ColumnHit(hit.table, "", 0.0))
            parts = tuple(
                NamedQuery(
                    label=label,
                    query=Query(
                        source=table, where=where, measures=(Output(label="value", expr=Aggregate(fn=fn, of=of)),)
                    ),
                )
                for label, fn in _ENDS
            )
            return _apart(parts), ("Difference",), 0.88
    return None


def choice(draft: Draft) -> Found | None:
    """ "who scored more points, A or B?": of the named ones the one with more; without a figure the one that fits."""
    pair = named_values(draft)
    if (
        pair is None
        or pair[0].slot is None
        or not any(item.tag("or") or item.norm == "between" for item in draft.items)
    ):
        return None
    if any(m.fn == "count" and m.said for m in draft.measures) or any(item.tag("difference") for item in draft.items):
        return None
    if is_either_way(draft):
        return None
    hit = pair[0].slot.best
    if not only_table(draft, hit):
        return None
    direction = _comparative(draft)
    others = [s for s in draft.select if s.best.table == hit.table and s.best.column != hit.column]
    moments = [s for s in others if is_time(draft.column(s.best))]
    figures = figures_named(draft, hit.table, hit)
    where = both(rest_of(draft, hit), _one_of(draft, hit, pair[1]))
    label = hit.column
    column = Output(label=label, expr=column_ref(draft, hit))
    if direction is None:
        if len(draft.conditions) < 2 or draft.measures:
            return None
        return Query(source=hit.table, where=where, columns=(column,), distinct=True), (label,), 0.86
    slot = _behind_comparative(draft, hit) or next(iter(figures or moments), None)
    slot = slot or _implied_figure(draft, hit) or _passed_over(draft, hit)
    many = draft.column(hit).distinct < 0.7 * draft.lexicon.schema.tables[hit.table].table.rows
    if slot is None and many and _counts_things(draft):
        return _with_more_rows(hit, where, column, direction)
    if slot is None:
        return None
    of = as_figure(draft, slot.best) or column_ref(draft, slot.best)
    repeated = many and not is_time(draft.column(slot.best))
    by: Expr = Aggregate(fn="sum", of=of) if repeated else of
    present = Missing(of=of, negated=True)
    query = Query(
        source=hit.table,
        where=both(where, present),
        columns=() if repeated else (column,),
        groups=(column,) if repeated else (),
        order=(Order(by=by, descending=direction == "more"),),
        limit=1,
    )
    return query, (label,), 0.93


def _comparing(draft: Draft) -> int | None:
    return next((i for i, item in enumerate(draft.items) if item.norm in ("more", "fewer", "less", "higher")), None)


def _behind_comparative(draft: Draft, hit: ColumnHit) -> Slot | None:
    """ "which year saw more votes, A or B": the figure right behind "more"."""
    at = _comparing(draft)
    for index in range(at + 1, min(at + 3, len(draft.items))) if at is not None else ():
        own = tuple(h for h in draft.items[index].columns if h.table == hit.table and h.column != hit.column)
        hits = tuple(h for h in own if h.score >= _WELL_NAMED and as_figure(draft, h) is not None)
        if hits and hits[0] == own[0] and not is_time(draft.column(hits[0])):
            draft.use(index)
            return Slot(index, hits)
    return None


def _counts_things(draft: Draft) -> bool:
    """ "who won more prizes, A or B": things in the plural behind "more", one to a row."""
    at = _comparing(draft)
    return at is not None and at + 1 < len(draft.items) and draft.items[at + 1].norm.endswith("s")


def _with_more_rows(hit: ColumnHit, where: Predicate, column: Output, direction: str) -> Found:
    """Of the named ones the one with more rows."""
    query = Query(
        source=hit.table,
        where=where,
        groups=(column,),
        measures=(Output(label=_ROWS, expr=Aggregate(fn="count")),),
        order=(Order(by=_ROWS, descending=direction == "more"),),
        limit=1,
    )
    return query, (column.label,), 0.9


def _passed_over(draft: Draft, hit: ColumnHit) -> Slot | None:
    """ "who played more matches, A or B": a figure that is named, though "who" asks for a name."""
    for index, item in enumerate(draft.items):
        hits = tuple(h for h in item.columns if h.score >= _NAMED and h.table == hit.table and h.column != hit.column)
        hits = tuple(h for h in hits if as_figure(draft, h) is not None and draft.column(h).role == "measure")
        if hits:
            draft.use(index)
            return Slot(index, hits)
    return None


def _one_of(draft: Draft, hit: ColumnHit, values: tuple[str | float, ...]) -> Predicate:
    return AnyOf(of=tuple(equals(draft, hit, value) for value in values))


def _comparative(draft: Draft) -> str | None:
    for index, item in enumerate(draft.items):
        for word in item.norm.split():
            if word in LESS or word in MORE:
                draft.use(index)
                return "less" if word in LESS else "more"
    return None


def _implied_figure(draft: Draft, hit: ColumnHit) -> Slot | None:
    """The quantity of a comparing adjective or verb: "which is older, A or B"."""
    for index, item in enumerate(draft.items):
        if item.token is None:
            continue
        adjective = vocabulary().adjective(item.token.keys)
        words = adjective.of if adjective else vocabulary().verb(item.token.keys)
        hits = (
            tuple(h for h in columns_named(draft, words) if h.table == hit.table and as_figure(draft, h) is not None)
            if words
            else ()
        )
        if hits:
            return Slot(index, hits)
    return None
