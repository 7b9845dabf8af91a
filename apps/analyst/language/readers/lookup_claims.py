"""Claims about one named row: "is Max Dunn a forward", "does Kim Ward play for the Ravens", "is Ann over 30"."""

from __future__ import annotations

from apps.analyst.language.figures import column_ref
from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft
from apps.analyst.language.readers.lookup_shared import Found, both, equals, rest_of
from apps.analyst.language.readers.lookup_versus import ANSWER
from apps.analyst.plan import (
    Aggregate,
    ColumnRef,
    Combine,
    Compare,
    Conditional,
    Constant,
    NamedQuery,
    Output,
    Predicate,
    Query,
)
from apps.analyst.telling.formats import spoken

_SURE, _CLAIMED = 0.93, 2
_BEFORE_IT = words("for in at from as with to by on of the a an")
_ARTICLES = words("the a an")
_WHOLE = 0.98
"""How much of the name of a row must be said."""


def claim(draft: Draft) -> Found | None:
    """Yes where the row that is named meets what is said of it, with what it really holds."""
    found = [c for c in draft.conditions if c.slot is not None and c.slot.hits]
    named = next((c for c in found if _names_a_row(draft, c)), None)
    plain = not (draft.measures or draft.sorts or draft.groups or draft.having or draft.entities)
    if named is None or named.slot is None or not plain or len(found) != _CLAIMED or len(draft.conditions) != _CLAIMED:
        return None
    hit = named.slot.best
    said = next(c for c in found if c is not named)
    if said.kind not in ("value", "compare") or said.slot is None:
        return None  # a year may be that of anything
    if said.slot.best.table != hit.table or said.slot.best.column == hit.column:
        return None
    told = rest_of(draft, hit)
    if told is None or any(item.tag("neg") for item in draft.items) or not _all_heard(draft):
        return None
    row = equals(draft, hit, named.values[0])
    held = Aggregate(fn="min", of=column_ref(draft, said.slot.best))
    label = spoken(said.slot.best.column)
    parts = (
        NamedQuery(label="a", query=_figure(hit.table, both(told, row), Aggregate(fn="count"), "rows")),
        NamedQuery(label="b", query=_figure(hit.table, row, held, label)),
    )
    meets = Compare(op=">", left=ColumnRef(table="", column="a"), right=Constant(value=0, type="number"))
    answer = Conditional(when=meets, then=Constant(value="Yes"), otherwise=Constant(value="No"))
    outputs = (Output(label=ANSWER, expr=answer), Output(label=label, expr=ColumnRef(table="", column="b")))
    draft.use(0)
    return Combine(parts=parts, outputs=outputs), (ANSWER,), _SURE


def _figure(table: str, where: Predicate, of: Aggregate, label: str) -> Query:
    return Query(source=table, where=where, measures=(Output(label=label, expr=of),))


def _names_a_row(draft: Draft, condition: Condition) -> bool:
    """True for the one value that a row is called by."""
    if condition.kind != "value" or condition.slot is None or condition.negated or len(condition.values) != 1:
        return False
    hit = condition.slot.best
    surely = any(value.score >= _WHOLE for value in draft.items[condition.slot.item].values)
    return surely and draft.column(hit).unique and draft.column(hit).type == "text"


def _all_heard(draft: Draft) -> bool:
    """True where nothing is said that is not held against the row, but for a verb that leads to it ("plays for")."""
    for index in range(1, len(draft.items)):
        if not draft.free(index) or draft.is_filler(index) or not draft.tagged.tokens[draft.items[index].start].is_word:
            continue
        behind = index + 1
        while behind < len(draft.items) and draft.items[behind].norm in _BEFORE_IT and draft.free(behind):
            behind += 1
        leads = any(item.norm not in _ARTICLES for item in draft.items[index + 1 : behind])
        if not leads or behind >= len(draft.items) or draft.roles.get(behind) != "condition":
            return False
    return True
