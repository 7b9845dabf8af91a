"""Questions about single rows and pairs of them: choices ("who scored more, A or B"), differences, "the same as",
next and
previous rows, how long something lasted, yes or no. Each works on the sketch that the main reader makes of the
question.
"""

from __future__ import annotations

from collections.abc import Callable

from apps.analyst.language.building.built import Unbuildable
from apps.analyst.language.figures import as_figure, column_ref
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Slot, is_time
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.predicates import all_of, constant, restrictions
from apps.analyst.language.readers.query import sketch
from apps.analyst.language.reading import Reading
from apps.analyst.language.resolve import resolve
from apps.analyst.language.scoring import unused_words
from apps.analyst.language.tagging import ColumnHit, Tagged
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    AggregateName,
    AnyOf,
    Arithmetic,
    Call,
    ColumnRef,
    Combine,
    Compare,
    Conditional,
    Constant,
    Expr,
    InQuery,
    Missing,
    NamedQuery,
    Not,
    Order,
    Output,
    Part,
    Plan,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)
from apps.analyst.ports import Catalog
from apps.analyst.types import Question

_LESS = words(
    "less fewer lower smaller earlier younger shorter before worse cheaper least fewest lowest smallest first "
    "earliest lighter slower"
)
_MORE = words(
    "more higher greater larger bigger later older longer taller better most highest largest biggest last latest "
    "after heavier further "
    "faster wider deeper"
)


def read(question: Question, catalog: Catalog, lexicon: Lexicon, tagged: Tagged) -> list[Reading]:
    """Readings of the pair and row constructs that the question's words call for; none over several tables' rows."""
    if len(lexicon.tables) > 12:
        return []
    made: list[Reading] = []
    for reader, calls in _CONSTRUCTS:
        if not calls(tagged):
            continue
        draft = sketch(question, lexicon, tagged)
        resolve(draft)
        try:
            found = reader(draft)
        except Unbuildable:
            continue
        if found is not None:
            plan, asked, sure = found
            unused = tuple(word for word in unused_words(draft) if word.casefold() not in _MORE | _LESS)
            made.append(
                Reading(
                    plan,
                    max(0.05, sure + 0.07 - 0.05 * len(unused)),
                    unused=unused,
                    asked=asked,
                    reader="lookup",
                    wording=question.text,
                )
            )
    return made


def _says(*kinds: str) -> Callable[[Tagged], bool]:
    return lambda tagged: any(item.tag(*kinds) for item in tagged.items)


_Found = tuple[Plan, tuple[str, ...], float]


# ---------------------------------------------------------------- shared parts
def _values(draft: Draft) -> tuple[Condition, tuple[str | float, ...]] | None:
    """The condition that names two or more values of one column (or years), with the values."""
    for condition in draft.conditions:
        if condition.kind == "value" and condition.slot is not None and len(condition.values) >= 2:
            return condition, condition.values
    by_column: dict[tuple[str, str], list[Condition]] = {}
    for condition in draft.conditions:
        if condition.slot is not None and condition.kind in ("value", "compare", "period") and condition.op == "=":
            by_column.setdefault((condition.slot.best.table, condition.slot.best.column), []).append(condition)
    for conditions in by_column.values():
        if len(conditions) >= 2:
            values = tuple(
                v
                for c in conditions
                for v in (c.values or ((float(c.period.low.year),) if c.period and c.period.low else ()))
            )
            if len(values) >= 2:
                return conditions[0], values
    return None


def _rest(draft: Draft, without: ColumnHit) -> Predicate | None:
    """All other conditions of the question on the same table."""
    kept = [
        c
        for c in draft.conditions
        if c.slot is None or (c.slot.best.table, c.slot.best.column) != (without.table, without.column)
    ]
    held, draft.conditions = draft.conditions, kept
    found = [r.predicate for r in restrictions(draft) if r.table == without.table and r.predicate is not None]
    draft.conditions = held
    return all_of(found)


def _equals(draft: Draft, hit: ColumnHit, value: str | float) -> Predicate:
    column = draft.column(hit)
    of = column_ref(draft, hit)
    if column.type in ("date", "datetime") and isinstance(value, float):
        return Compare(op="=", left=Part(part="year", of=of), right=constant(value, column))
    return Compare(op="=", left=of, right=constant(value, column))


def _both(one: Predicate | None, other: Predicate) -> Predicate:
    joined = all_of([p for p in (one, other) if p is not None])
    assert joined is not None
    return joined


def _figures(draft: Draft, table: str, without: ColumnHit | None = None) -> list[Slot]:
    """Columns with figures that the question names on a table, measures first."""
    slots = [m.slot for m in draft.measures if m.slot is not None and m.slot.hits]
    slots += [s.slot for s in draft.sorts if s.slot is not None] + [
        s.measure.slot for s in draft.sorts if s.measure and s.measure.slot
    ]
    slots += list(draft.select)
    good = []
    for slot in slots:
        hit = slot.best
        if (
            hit.table == table
            and as_figure(draft, hit) is not None
            and (without is None or hit.column != without.column)
        ):
            good.append(slot)
    return good


def _only_table(draft: Draft, hit: ColumnHit) -> bool:
    return all(slot.best.table == hit.table for slot in draft.select)


# ---------------------------------------------------------------- differences
def _difference(draft: Draft) -> _Found | None:
    """ "difference in X between A and B", "how many more X did A have than B", "difference between highest and lowest
    X"."""
    if not any(item.tag("difference") for item in draft.items):
        return None
    for index, item in enumerate(draft.items):
        if item.tag("difference") or item.norm in ("than", "compared to"):
            draft.use(index)
    pair = _values(draft)
    if pair is not None and len(pair[1]) == 2 and pair[0].slot is not None:
        hit = pair[0].slot.best
        figures = _figures(draft, hit.table, hit)
        fn = next((m.fn for m in draft.measures if m.said and m.fn != "count"), "sum")
        if not figures and not any(m.fn == "count" for m in draft.measures):
            return None
        rest = _rest(draft, hit)
        of = as_figure(draft, figures[0].best) if figures else None
        aggregate = Aggregate(fn=fn if of is not None else "count", of=of)
        parts = tuple(
            NamedQuery(
                label=label,
                query=Query(
                    source=hit.table,
                    where=_both(rest, _equals(draft, hit, value)),
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


def _extremes(draft: Draft) -> _Found | None:
    """ "difference between the highest and the lowest X"."""
    ways = {draft.items[i].tag("sup").value for i in range(len(draft.items)) if draft.items[i].tag("sup")}  # type: ignore[union-attr]
    if ways != {"asc", "desc"} and not any(item.tag("both") and "and" in item.norm for item in draft.items):
        return None
    for table in [named.table.name for named in draft.lexicon.tables]:
        figures = _figures(draft, table)
        if figures:
            hit = figures[0].best
            of = as_figure(draft, hit)
            where = _rest(draft, ColumnHit(hit.table, "", 0.0))
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


# ---------------------------------------------------------------- choices
def _choice(draft: Draft) -> _Found | None:
    """ "who scored more points, A or B?": of the named ones the one with more; without a figure the one that fits."""
    pair = _values(draft)
    if (
        pair is None
        or pair[0].slot is None
        or not any(item.tag("or") or item.norm == "between" for item in draft.items)
    ):
        return None
    if any(m.fn == "count" and m.said for m in draft.measures) or any(item.tag("difference") for item in draft.items):
        return None
    hit = pair[0].slot.best
    if not _only_table(draft, hit):
        return None
    direction = _comparative(draft)
    moments = [s for s in draft.select if s.best.table == hit.table and is_time(draft.column(s.best))]
    figures = _figures(draft, hit.table, hit)
    where = _both(_rest(draft, hit), _one_of(draft, hit, pair[1]))
    label = hit.column
    column = Output(label=label, expr=column_ref(draft, hit))
    if direction is None:
        if len(draft.conditions) < 2 or draft.measures:
            return None
        return Query(source=hit.table, where=where, columns=(column,), distinct=True), (label,), 0.86
    slot = next(iter(figures or moments), None)
    if slot is None:
        slot = _implied_figure(draft, hit)
    if slot is None:
        return None
    of = as_figure(draft, slot.best) or column_ref(draft, slot.best)
    repeated = draft.column(hit).distinct < 0.7 * draft.lexicon.schema.tables[hit.table].table.rows and not is_time(
        draft.column(slot.best)
    )
    by: Expr = Aggregate(fn="sum", of=of) if repeated else of
    present = Missing(of=of, negated=True)
    query = Query(
        source=hit.table,
        where=_both(where, present),
        columns=() if repeated else (column,),
        groups=(column,) if repeated else (),
        order=(Order(by=by, descending=direction == "more"),),
        limit=1,
    )
    return query, (label,), 0.93


def _one_of(draft: Draft, hit: ColumnHit, values: tuple[str | float, ...]) -> Predicate:
    return AnyOf(of=tuple(_equals(draft, hit, value) for value in values))


def _comparative(draft: Draft) -> str | None:
    for index, item in enumerate(draft.items):
        for word in item.norm.split():
            if word in _LESS or word in _MORE:
                draft.use(index)
                return "less" if word in _LESS else "more"
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


# ---------------------------------------------------------------- the same as
def _same(draft: Draft) -> _Found | None:
    """ "who has the same X as A": rows whose X equals A's, without A."""
    at = next((i for i, item in enumerate(draft.items) if item.tag("same") or item.norm == "same"), None)
    if at is None:
        return None
    known = next(
        (
            c
            for c in draft.conditions
            if c.kind == "value" and c.slot is not None and len(c.values) == 1 and c.item > at
        ),
        None,
    )
    known = known or next(
        (c for c in draft.conditions if c.kind == "value" and c.slot is not None and len(c.values) <= 1), None
    )
    if known is None or known.slot is None:
        return None
    hit = known.slot.best
    shared = [
        slot
        for slot in [*(m.slot for m in draft.measures if m.slot), *draft.select]
        if slot.best.table == hit.table and slot.item > at
    ]
    shared = [slot for slot in shared if slot.best.column != hit.column]
    if not shared:
        return None
    other = shared[0].best
    of = column_ref(draft, other)
    mine = known.values[0] if known.values else None
    named: Predicate = (
        _equals(draft, hit, mine)
        if mine is not None
        else TextMatch(op="contains", of=column_ref(draft, hit), value=draft.items[known.slot.item].text)
    )
    theirs = Query(source=hit.table, where=named, columns=(Output(label="value", expr=of),))
    asked = next((slot.best for slot in draft.select if slot.item < at and slot.best.column != other.column), hit)
    draft.use(at)
    query = Query(
        source=hit.table,
        where=_both(InQuery(of=of, query=theirs), Not(of=named)),
        columns=(Output(label=asked.column, expr=column_ref(draft, asked)),),
        distinct=True,
    )
    return query, (asked.column,), 0.94


# ---------------------------------------------------------------- neighbours
def _neighbour(draft: Draft) -> _Found | None:
    """ "who came after A", "the stage before B", "what is listed next to last": the row next to the one named."""
    at = next((i for i, item in enumerate(draft.items) if item.tag("rel") and draft.free(i)), None)
    if at is None or draft.having or any(m.fn == "count" for m in draft.measures):
        return None
    known = next(
        (
            c
            for c in draft.conditions
            if c.kind in ("value", "compare", "period") and c.slot is not None and c.item > at
        ),
        None,
    )
    if known is None or known.slot is None or draft.measures:
        return None
    hit = known.slot.best
    named = [r.predicate for r in restrictions(draft) if r.item == known.item and r.predicate is not None]
    if not named or not _only_table(draft, hit):
        return None
    tag = draft.items[at].tag("rel")
    assert tag is not None
    row = ColumnRef(table=hit.table, column=ROW_NUMBER)
    place = Query(
        source=hit.table,
        where=named[0],
        measures=(Output(label="row", expr=Aggregate(fn="min" if tag.value == "previous" else "max", of=row)),),
    )
    step = Arithmetic(
        op="+" if tag.value == "next" else "-", left=ScalarQuery(query=place), right=Constant(value=1, type="number")
    )
    draft.use(at)
    asked = [slot.best for slot in draft.select if slot.best.table == hit.table and slot.item < at][:2] or [hit]
    columns = tuple(Output(label=a.column, expr=column_ref(draft, a)) for a in asked[:1])
    query = Query(source=hit.table, where=Compare(op="=", left=row, right=step), columns=columns)
    return query, (columns[0].label,), 0.9


# ---------------------------------------------------------------- durations
def _duration(draft: Draft) -> _Found | None:
    """ "how long did X last": from its start to its end, where the table holds both."""
    at = next(
        (
            i
            for i, item in enumerate(draft.items)
            if item.tag("long") and ("how long" in item.norm or "years" in item.norm)
        ),
        None,
    )
    if at is None or (draft.measures and any(m.slot for m in draft.measures)):
        return None
    tables = [c.slot.best.table for c in draft.conditions if c.slot is not None] or [
        named.table.name for named in draft.lexicon.tables
    ][:1]
    table = tables[0]
    moments = [named for named in draft.lexicon.columns if named.table.name == table and is_time(named.column)]
    if len(moments) < 2 or any(
        slot.best.table == table and as_figure(draft, slot.best) is not None and not is_time(draft.column(slot.best))
        for slot in draft.select
    ):
        return None
    first, last = (ColumnRef(table=table, column=m.column.name) for m in moments[:2])
    if moments[0].column.type == moments[1].column.type == "integer":
        span: Expr = Arithmetic(op="-", left=last, right=first)
        unit = "years"
    else:
        span, unit = Call(name="years_between", args=(first, last)), "years"
    draft.use(at)
    where = _rest(draft, ColumnHit(table, "", 0.0))
    query = Query(source=table, where=where, columns=(Output(label="Duration", expr=span, unit=unit),))
    return query, ("Duration",), 0.85


def _yes_no(found: Predicate, table: str) -> Query:
    """ "yes" where a row fits."""
    exists = Compare(op=">", left=Aggregate(fn="count"), right=Constant(value=0, type="number"))
    answer = Conditional(when=exists, then=Constant(value="yes"), otherwise=Constant(value="no"))
    return Query(source=table, where=found, measures=(Output(label="Answer", expr=answer),))


_CONSTRUCTS: tuple[tuple[Callable[[Draft], _Found | None], Callable[[Tagged], bool]], ...] = (
    (_difference, _says("difference")),
    (_choice, lambda tagged: any(item.tag("or") or item.norm == "between" for item in tagged.items)),
    (_same, _says("same")),
    (_neighbour, _says("rel")),
    (_duration, _says("long")),
)
