"""Superlatives behind what they speak of: "who spent the most", "in which year was the price the highest"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Measure, Slot, Sort, is_number
from apps.analyst.language.parse.extremes import is_rank
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.parse.targets import asked_before
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary

_FULL, _QUANTITY = 0.95, 0.45
_HAVING = words("is was were are at its their the have had has reach reached be been did does do")
_OF_VERBS = words("most least")


def verb_before(draft: Draft, index: int) -> bool:
    """Whether a verb before the superlative has a quantity of its own in the data ("spent the most")."""
    for position in range(index - 1, max(-1, index - 4), -1):
        token = draft.items[position].token
        if token is None or draft.items[position].norm in _HAVING:
            continue
        return bool(draft.numeric(position, _QUANTITY) or _figures_of_verb(draft, position))
    return False


def _figures_of_verb(draft: Draft, position: int) -> tuple[ColumnHit, ...]:
    """The figures that a verb speaks of: "spent" of amounts."""
    token = draft.items[position].token
    words_of = vocabulary().verb(token.keys) if token is not None else ()
    return tuple(hit for hit in columns_named(draft, words_of) if is_number(draft.column(hit)))


def verb_superlative(draft: Draft, index: int, descending: bool, limit: int, items: list[int]) -> None:
    """ "spent the most", "sold the least": the quantity of the verb before; "when was the price the highest"."""
    if _said_of_figure(draft, index, descending, limit, items):
        return
    for position in range(index - 1, max(-1, index - 4), -1):
        token = draft.items[position].token
        if token is None or draft.items[position].norm in ("has", "have", "had", "is", "the", "was"):
            continue
        hits = draft.numeric(position, _QUANTITY) or _figures_of_verb(draft, position)
        if hits:
            draft.use(index, position, *items, role="sup")
            measure = Measure("sum", Slot(position, hits), item=position, said=False)
            draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
            return
        break
    behind = index + 1
    if behind < len(draft.items) and draft.free(behind):
        hits = _figures_of_verb(draft, behind)
        if hits:
            draft.use(index, behind, *items, role="sup")
            draft.sorts.append(Sort(descending, Slot(behind, hits), limit=limit, superlative=True, item=index))


def _said_of_figure(draft: Draft, index: int, descending: bool, limit: int, items: list[int]) -> bool:
    """ "in which year was the price the highest", "when did the harbour have its largest traffic": the figure stands
    before."""
    at = index - 1
    while at > 0 and draft.items[at].norm in _HAVING:
        at -= 1
    if at <= 0 or draft.items[at].norm in _HAVING or not draft.free(at) or draft.items[index].norm in _OF_VERBS:
        return False
    hits = draft.numeric(at, _FULL)
    if not hits or draft.items[at].tables or draft.items[at].tag("count", "agg") or not asked_before(draft, at):
        return False
    thing = index + 1
    unknown = (
        draft.free(thing)
        and draft.items[thing].token is not None
        and not draft.items[thing].names
        and not draft.items[thing].tags
        and not draft.items[thing].values
        and draft.items[at + 1].norm.split()[0] in ("have", "had", "has", "reach", "reached")
    )
    fn, before = None, at - 1
    while before > 0 and draft.items[before].norm in ("the", "of"):
        before -= 1
    if draft.tagged_as(before, "agg"):
        fn = draft.items[before].tag("agg")
    draft.use(index, at, *items, *([thing] if unknown else []), role="sup")
    descending = descending != is_rank(draft, hits[0])
    if fn is not None:
        draft.use(before, role="sup")
        measure = Measure(fn.value, Slot(at, hits), item=at)  # type: ignore[arg-type]
        draft.sorts.append(Sort(descending, measure=measure, limit=limit, superlative=True, item=index))
    else:
        draft.sorts.append(Sort(descending, Slot(at, hits), limit=limit, superlative=True, item=index))
    return True
