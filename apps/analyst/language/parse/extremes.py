"""The parts of a superlative: its noun, how many are wanted, which place, and whether the figure itself is meant."""

from __future__ import annotations

from apps.analyst.language.figure_texts import holds_lengths
from apps.analyst.language.parse.draft import Draft, Measure, Slot, Sort, holds_figures, is_number
from apps.analyst.language.parse.quantities import RANKS
from apps.analyst.language.parse.targets import asked_before, trails
from apps.analyst.language.phrases import Tag
from apps.analyst.language.tagging import ColumnHit, Item
from apps.analyst.language.vocabulary import Adjective, vocabulary
from apps.analyst.plan import AggregateName

_HIGHEST = 3
"""Where a list of places begins at the latest that is not called one by its last word."""

_NAMED = 0.9


def in_aggregate_list(draft: Draft, index: int) -> bool:
    """ "average, minimum and maximum age": one of several aggregates of the same column."""

    def linked(position: int) -> bool:
        return 0 <= position < len(draft.items) and (draft.items[position].tag("and") is not None)

    def aggregate(position: int) -> bool:
        return (
            0 <= position < len(draft.items)
            and draft.free(position)
            and draft.items[position].tag("agg", "sup") is not None
        )

    return (linked(index - 1) and aggregate(index - 2)) or (linked(index + 1) and aggregate(index + 2))


def aggregates_around(
    draft: Draft, index: int, fns: tuple[AggregateName, ...]
) -> tuple[int, int, tuple[AggregateName, ...]]:
    """ "average, minimum and maximum age": the first and the last item of a list of aggregates around some that are one
    phrase, and all of them."""
    first = last = index
    while (tag := _joined(draft, first - 1, first - 2)) is not None:
        first, fns = first - 2, (tag.value, *fns)  # type: ignore[arg-type]
    while (tag := _joined(draft, last + 1, last + 2)) is not None:
        last, fns = last + 2, (*fns, tag.value)  # type: ignore[arg-type]
    return first, last, fns


def _joined(draft: Draft, between: int, index: int) -> Tag | None:
    """The aggregate at an item that a comma or "and" joins to its neighbour."""
    linked = min(between, index) >= 0 and max(between, index) < len(draft.items) and draft.free(index)
    return draft.items[index].tag("agg") if linked and draft.items[between].tag("and") else None


def is_rank(draft: Draft, hit: ColumnHit) -> bool:
    """True for places in a ranking, where the highest is number one, be they written "4th" or 4."""
    name = draft.named(hit).name
    column = draft.column(hit)
    if not any(own & RANKS for own in name.forms):
        return False
    if not is_number(column):
        return holds_figures(column)
    last = bool(name.forms[-1] & RANKS)
    return isinstance(column.minimum, int) and column.minimum >= 0 and (last or column.minimum <= _HIGHEST)


def head_noun(draft: Draft, index: int | None) -> int | None:
    """The last noun of a compound: of "singer citizenship" the column, not the table."""
    while (
        index is not None
        and draft.free(index + 1)
        and draft.items[index].tables
        and (any(hit.score >= 0.6 for hit in draft.items[index + 1].columns) or _has_one(draft, index))
        and not draft.items[index + 1].tag("agg", "sup", "by", "cmp")
        and not trails(draft, index + 1)
    ):
        index += 1
    return index


def _has_one(draft: Draft, index: int) -> bool:
    """ "product category" where each product has one: the categories are meant."""
    owner, thing = draft.table_at(index, _NAMED), draft.table_at(index + 1, _NAMED)
    if owner is None or thing is None or owner == thing or draft.items[index].norm.endswith("s"):
        return False
    return any(edge.one and edge.target == thing for edge in draft.lexicon.schema.edges.get(owner, ()))


def est(item: Item) -> Adjective | None:
    """The adjective of a one-word superlative ("oldest")."""
    token = item.token
    if token is None or (item.columns and item.columns[0].score >= 1.0):
        return None
    if token.norm in ("best", "worst") or (token.norm.endswith("est") and len(token.norm) > 4):
        return vocabulary().adjective(token.keys)
    return None


def count_before(draft: Draft, index: int) -> tuple[int, list[int]]:
    """ "top 3", "the 5 most", "two oldest": how many, and the item that says so."""
    for position in (index - 1, index + 1):
        if 0 <= position < len(draft.items) and draft.free(position):
            number = draft.items[position].number
            if number is not None and 1 <= number <= 10000 and number == int(number):
                return int(number), [position]
    if (
        index >= 1
        and draft.items[index - 1].ordinal is not None
        and draft.free(index - 1)
        and draft.items[index - 1].tag("pos") is None
    ):
        return 1, [index - 1]
    return _asked_number(draft, index)


def _asked_number(draft: Draft, index: int) -> tuple[int, list[int]]:
    """ "which 5 customers brought in the most": the number stands with the things that are asked for."""
    for position in range(1, index - 1):
        item, before = draft.items[position], draft.items[position - 1]
        asked = before.tag("wh") or before.norm.split()[-1] in ("which", "what", "the")
        if item.number is None or not asked or not draft.free(position):
            continue
        named = draft.items[position + 1]
        if named.names and (named.token is None or named.token.norm.endswith("s")) and 1 < item.number <= 1000:
            return int(item.number), [position]
    return _number_at_the_end(draft, index)


def _number_at_the_end(draft: Draft, index: int) -> tuple[int, list[int]]:
    """ "... most common? Show 5.", "show the top 5": how many are wanted is said behind."""
    last = len(draft.items) - 1
    while last > 0 and draft.items[last].norm in (".", "?", "!"):
        last -= 1
    number, before = draft.items[last].number, draft.items[last - 1].norm.split() if last > index + 1 else []
    if number is None or not draft.free(last) or not before or not 1 <= number <= 1000 or number != int(number):
        return 1, []
    told = before[0] in ("show", "list", "give", "name") or before == ["top"]
    top = [last - 1] if before[-1] == "top" else []
    return (int(number), [last, *top]) if told else (1, [])


def nth(draft: Draft, index: int) -> int:
    """ "the second highest": how many come before."""
    ordinal = draft.items[index - 1].ordinal if index > 0 else None
    if ordinal is not None and 1 < ordinal < 100 and draft.free(index - 1):
        draft.use(index - 1, role="sup")
        return ordinal - 1
    return 0


def asks_value(draft: Draft, index: int) -> bool:
    """ "What is the highest price?" asks for the figure; "who has the highest price?" for the one that has it."""
    before = index - 1
    while before >= 0 and draft.items[before].norm in ("the", "a", "its", "their"):
        before -= 1
    if before >= 2 and draft.items[before].norm in ("'s", "'") and draft.items[before - 2].tag("by"):
        return True  # "each town's highest rent"
    if (
        before >= 0
        and draft.items[before].tag("and", "versus")
        and any(draft.roles.get(i) != "chart" and draft.items[i].columns for i in range(before))
    ):
        return True
    return not asked_before(draft, index)


def extreme_figure(draft: Draft, index: int, slot: Slot, descending: bool) -> None:
    """ "What is the highest price?": the largest of the figures; a length of time as it is written ("4:32")."""
    if holds_lengths(draft.column(slot.best)) and not any(item.tag("by") for item in draft.items):
        draft.select.append(slot)
        draft.distinct = True
        draft.sorts.append(Sort(descending, slot, limit=1, superlative=True, item=index))
        return
    draft.measures.append(Measure("max" if descending else "min", slot, item=index))
