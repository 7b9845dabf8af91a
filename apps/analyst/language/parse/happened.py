"""What has happened to things by the dates that say so: "cancelled bookings", "cases that are still open".

A date that some rows lack tells two states apart: a parcel with a delivery date was delivered, one without was not.
"""

from __future__ import annotations

from apps.analyst.language.morphology import keys, verb_forms, words
from apps.analyst.language.parse.draft import Condition, Draft, Slot
from apps.analyst.language.tagging import ColumnHit

_NAMED, _THING, _LIKELY = 0.6, 0.75, 0.59
_PARTICIPLES = ("ed", "en", "nt", "ght", "ld", "wn", "ne", "aid")
_OPEN = words("open ongoing outstanding unresolved unsolved unfinished active current currently")
_ENDS = frozenset(
    form
    for word in ("closed", "resolved", "ended", "end", "finished", "completed", "cancelled", "terminated", "churned",
                 "termination", "churn", "left", "exit", "settled", "solved", "returned", "cancellation", "resolution")
    for form in keys(word)
)  # fmt: skip
_BEING = words("is are was were been being be got get has have had that which who already still yet not never")
_WHERE_TO = words("to from by in on at with for into via through before after since until during between within")
_DATED = words("when date dates day days time times earliest latest last first oldest newest recent recently")
_PARTS, _NAME = words("first last"), keys("name")
"""Of a name ("first and last names") these are no times."""


def read_happened(draft: Draft) -> None:
    """Reads participles that name a date, and the states before it, into conditions on that date."""
    named = any(token.keys & _NAME for token in draft.tagged.tokens)
    if any(item.norm.split()[-1] in (_DATED - _PARTS if named else _DATED) for item in draft.items):
        return
    for index, item in enumerate(draft.items):
        if not draft.free(index) or item.token is None or item.quoted or item.tag("by", "count", "agg", "cmp"):
            continue
        if item.norm in _OPEN:
            _still_open(draft, index)
        else:
            _done(draft, index)


def _done(draft: Draft, index: int) -> None:
    """ "how many subscriptions were cancelled", "undelivered parcels"."""
    hit, undone = _date_of(draft, index)
    if hit is None or not _said_of_things(draft, index):
        return
    negation = next((i for i in range(max(0, index - 3), index) if draft.tagged_as(i, "neg")), None)
    if draft.column(hit).missing and index + 1 < len(draft.items) and draft.items[index + 1].norm in _WHERE_TO:
        return  # "orders shipped to Peru" says where to, and not whether
    if not draft.column(hit).missing:
        if negation is None and not undone:
            draft.use(index, role="verb")
            if _only_some(draft, hit):
                draft.conditions.append(Condition("exists", table=hit.table, item=index))
        elif any(table != hit.table for table in _said_tables(draft)[:1]):
            draft.use(index, *([negation] if negation is not None else []), role="condition")
            draft.conditions.append(Condition("exists", table=hit.table, negated=True, item=index))
        return
    draft.use(index, *([negation] if negation is not None else []), role="condition")
    happened = (negation is None) != undone
    draft.conditions.append(Condition("missing", Slot(index, (hit,)), negated=happened, item=index))


def _only_some(draft: Draft, hit: ColumnHit) -> bool:
    """ "how many crates were sold" where sales have a table of their own: the crates that stand in it, and not all."""
    if not draft.items[0].tag("count", "wh") or any(condition.kind == "period" for condition in draft.conditions):
        return False
    kind = [value.table for value in draft.items[1].values[:1]] if len(draft.items) > 1 else []
    things = (_said_tables(draft) or kind)[:1]
    return any(t != hit.table and draft.lexicon.schema.path(hit.table, t, one=True) is not None for t in things)


def _date_of(draft: Draft, index: int) -> tuple[ColumnHit | None, bool]:
    """The date that a participle names, and whether it is said not to have come ("unshipped")."""
    item = draft.items[index]
    word = item.norm
    if item.values and item.values[0].score >= _NAMED:
        return None, False
    bare = word.removeprefix("un") if word.startswith("un") and not item.columns else word
    if not _is_participle(bare):
        return None, False
    hits: tuple[ColumnHit, ...] = item.columns
    if bare != word:
        forms = keys(bare)
        hits = tuple(
            ColumnHit(named.table.name, named.column.name, _NAMED)
            for named in draft.lexicon.columns
            if any(own & forms for own in named.name.forms)
        )
    dates = [hit for hit in hits if draft.column(hit).type in ("date", "datetime") and hit.score >= _NAMED]
    if not dates or (item.columns and dates[0].score < item.columns[0].score):
        return None, False
    said = _said_tables(draft)
    own = [hit for hit in dates if hit.table in said]
    return (own or dates)[0] if own or len(dates) == 1 else None, bare != word


def _is_participle(word: str) -> bool:
    return word.endswith(_PARTICIPLES) and any(verb != word for verb in verb_forms(word))


def _said_tables(draft: Draft) -> list[str]:
    """The things that are named, else those that may be meant ("orders" of "shop orders")."""
    for sure in (_THING, _LIKELY):
        named = [table for index in range(len(draft.items)) if (table := draft.table_at(index, sure)) is not None]
        if named:
            return named
    return []


def _said_of_things(draft: Draft, index: int) -> bool:
    """Behind a form of "be" or "have", right before a thing or right behind it."""
    before = draft.items[index - 1] if index else None
    if before is not None and before.tag("by", "agg"):
        return False
    if before is not None and (before.norm.split()[-1] in _BEING or before.tag("neg")):
        return True
    return draft.table_at(index + 1, _LIKELY) is not None or (
        index > 0 and draft.table_at(index - 1, _THING) is not None
    )


def _still_open(draft: Draft, index: int) -> None:
    """ "cases that are still open", "current staff": those whose end has no date yet."""
    item = draft.items[index]
    if any(value.score >= _NAMED for value in item.values) or not _said_of_things(draft, index):
        return
    for table in _said_tables(draft):
        ends = [
            column
            for column in draft.lexicon.schema.tables[table].table.columns
            if column.type in ("date", "datetime")
            and column.missing
            and any(own & _ENDS for own in draft.lexicon.schema.columns[table, column.name].name.forms)
        ]
        if len(ends) != 1:
            continue
        negation = next((i for i in range(max(0, index - 3), index) if draft.tagged_as(i, "neg")), None)
        draft.use(index, *([negation] if negation is not None else []), role="condition")
        slot = Slot(index, (ColumnHit(table, ends[0].name, 1.0),))
        draft.conditions.append(Condition("missing", slot, negated=negation is not None, item=index))
        return
