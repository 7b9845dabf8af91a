"""One row beside others: the same as it, the next and the previous one, how long it lasted."""

from __future__ import annotations

from apps.analyst.language.concept_terms import TERM
from apps.analyst.language.figures import as_figure, column_ref
from apps.analyst.language.parse.draft import Draft, is_time
from apps.analyst.language.periods import GRAIN_WORDS
from apps.analyst.language.predicates import restrictions
from apps.analyst.language.readers.lookup_shared import Found, equals, only_table, rest_of
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    InQuery,
    Not,
    Output,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)
from apps.analyst.plan.conditions import together

_ENDS = 2
_NAMED = 0.6
"""How well a column must be named to be what two rows share."""


def same(draft: Draft) -> Found | None:
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
    shared = _shared(draft, at, known.slot.item, hit)
    if not shared:
        return None
    mine = known.values[0] if known.values else None
    named: Predicate = (
        equals(draft, hit, mine)
        if mine is not None
        else TextMatch(op="contains", of=column_ref(draft, hit), value=draft.items[known.slot.item].text)
    )
    alike = [_alike(draft, other, named) for other in shared]
    names = {other.column for other in shared}
    asked = next((slot.best for slot in draft.select if slot.item < at and slot.best.column not in names), hit)
    draft.use(at)
    joined = together([*alike, Not(of=named)])
    query = Query(
        source=hit.table,
        where=joined,
        columns=(Output(label=asked.column, expr=column_ref(draft, asked)),),
        distinct=True,
    )
    return query, (asked.column,), 0.94


def _shared(draft: Draft, at: int, known: int, hit: ColumnHit) -> list[ColumnHit]:
    """What is the same: the columns named from "same" to the known one, "the same age and height as A"."""
    slots = [*(m.slot for m in draft.measures if m.slot), *draft.select]
    read = [slot.best for slot in slots if slot.best.table == hit.table and slot.item > at]
    read = [other for other in read if other.column != hit.column]
    if at > known:
        return read[:1]
    found: list[ColumnHit] = []
    for index in range(at + 1, known):
        own = (h for h in draft.items[index].columns if h.table == hit.table and h.score >= _NAMED)
        other = next((h for h in own if h.column != hit.column and h not in found), None)
        if other is not None:
            draft.use(index)
            found.append(other)
    return found or read[:1] or _same_time(draft, at, known, hit)


def _same_time(draft: Draft, at: int, known: int, hit: ColumnHit) -> list[ColumnHit]:
    """ "built in the same year as A": the moment that the verb names, else the only one there is."""
    said = next((i for i in range(at + 1, known) if draft.items[i].norm in GRAIN_WORDS), None)
    if said is None:
        return []
    named = [slot.best for slot in draft.select if slot.best.table == hit.table and is_time(draft.column(slot.best))]
    own = [n for n in draft.lexicon.columns if n.table.name == hit.table and is_time(n.column)]
    draft.use(said)
    return named[:1] or [ColumnHit(hit.table, n.column.name, 1.0) for n in own if len(own) == 1]


def _alike(draft: Draft, other: ColumnHit, named: Predicate) -> Predicate:
    of = column_ref(draft, other)
    theirs = Query(source=other.table, where=named, columns=(Output(label="value", expr=of),))
    return InQuery(of=of, query=theirs)


def neighbour(draft: Draft) -> Found | None:
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
    behind = [r for r in restrictions(draft) if r.item > at and r.predicate is not None and r.table == hit.table]
    named = [r.predicate for r in behind if r.item == known.item and r.predicate is not None]
    if not named or not only_table(draft, hit):
        return None
    told = together([r.predicate for r in behind if r.predicate is not None])
    tag = draft.items[at].tag("rel")
    assert tag is not None
    row = ColumnRef(table=hit.table, column=ROW_NUMBER)
    place = Query(
        source=hit.table,
        where=told,
        measures=(Output(label="row", expr=Aggregate(fn="min" if tag.value == "previous" else "max", of=row)),),
    )
    step = Arithmetic(
        op="+" if tag.value == "next" else "-", left=ScalarQuery(query=place), right=Constant(value=1, type="number")
    )
    draft.use(at)
    asked = [slot.best for slot in draft.select if slot.best.table == hit.table and slot.item < at][:2] or [hit]
    if draft.items[0].norm.split(" ")[0] == "who" and draft.column(hit).type == "text":
        asked = [hit]  # "who came after A": one of the same kind as A
    columns = tuple(Output(label=a.column, expr=column_ref(draft, a)) for a in asked[:1])
    query = Query(source=hit.table, where=Compare(op="=", left=row, right=step), columns=columns)
    return query, (columns[0].label,), 0.9


def duration(draft: Draft) -> Found | None:
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
    span = _span(draft, table)
    asked = [slot for slot in draft.select if slot.item != at]
    if span is None or any(_is_other_figure(draft, slot.best, table) for slot in asked):
        return None
    draft.use(at)
    where = rest_of(draft, ColumnHit(table, "", 0.0))
    query = Query(source=table, where=where, columns=(Output(label="Duration", expr=span, unit="years"),))
    return query, ("Duration",), 0.85


def _span(draft: Draft, table: str) -> Expr | None:
    """The years from the beginning to the end of a row, by the names of its columns, else between its two moments."""
    if (table, TERM) in draft.lexicon.concepts:
        return column_ref(draft, ColumnHit(table, TERM, 1.0))
    moments = [named for named in draft.lexicon.columns if named.table.name == table and is_time(named.column)]
    if len(moments) < _ENDS:
        return None
    first, last = (ColumnRef(table=table, column=m.column.name) for m in moments[:_ENDS])
    if moments[0].column.type == moments[1].column.type == "integer":
        return Arithmetic(op="-", left=last, right=first)
    return Call(name="years_between", args=(first, last))


def _is_other_figure(draft: Draft, hit: ColumnHit, table: str) -> bool:
    """True for a figure that is asked for and is no time, so that the question is not about a row's own years."""
    known = hit.table == table and as_figure(draft, hit) is not None and hit.column != TERM
    return known and not is_time(draft.column(hit))
