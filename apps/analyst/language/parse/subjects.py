"""What a comparison is about: the column said before it, with its aggregate."""

from __future__ import annotations

import re
from datetime import date

from apps.analyst.language.figure_texts import holds_lengths
from apps.analyst.language.morphology import noun, words
from apps.analyst.language.parse.draft import Condition, Draft, Operator, Slot, holds_figures, is_number, is_time
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary
from apps.analyst.plan import AggregateName
from apps.analyst.telling.formats import spoken

HOLDS = words("with has have had having won scored received got of is was are were contain contains been")


_MONEY = words(
    "dollars dollar euros euro usd eur $ pounds percent % years year old times points meters metres feet km miles kg "
    "m mm cm ft lb lbs g"
)


LASTED = words("took take takes taken lasted lasts lasting long")
"""What is said of a length of time beside its figure."""
_LOOK_BACK, _FIRST_YEAR = 7, 1000
_SCALES = (1e3, 1e6, 1e9)
_SCALED = re.compile(r"[\d.,]+\s?(?:k|m|mn|bn|b|thousand|million|billion)")
_WITHIN, _BETWEEN = 3, 4
"""So many items from the comparison on its figure stands, and the unit of two figures."""


_TIMED = 0.9
_MILLISECONDS = {"millisecond": 1.0, "second": 1e3, "minute": 6e4, "hour": 3.6e6, "day": 8.64e7}


def _in_the_columns_unit(draft: Draft, slot: Slot, item: int) -> float:
    """ "longer than 5 minutes" of a column in milliseconds: by how much the figure is multiplied."""
    if not slot.hits:
        return 1.0
    own = next((unit for unit in map(noun, draft.named(slot.hits[0]).name.words) if unit in _MILLISECONDS), None)
    if own is None and (said_at := unit_behind(draft, item)) is not None:
        return _in_the_likely_unit(draft, slot.hits[0], said_at)
    reach = _BETWEEN if draft.items[item].tag("between") else _WITHIN
    behind = range(item, min(item + reach + 1, len(draft.items)))
    said = next((i for i in behind if noun(draft.items[i].norm) in _MILLISECONDS), None)
    if own is None or said is None:
        return 1.0
    if draft.free(said):
        draft.use(said, role="condition")
    return _MILLISECONDS[noun(draft.items[said].norm)] / _MILLISECONDS[own]


def unit_behind(draft: Draft, item: int) -> int | None:
    """The unit of time right behind the figure of a comparison."""
    for index in range(item + 1, min(item + 4, len(draft.items))):
        if draft.items[index - 1].number is not None and noun(draft.items[index].norm) in _MILLISECONDS:
            return index
    return None


def timed_figure(draft: Draft, item: int) -> Slot | None:
    """ "longer than 40 minutes", "over an hour" of a "duration (minutes)": the one figure whose name says a unit of
    time, of the things that are asked for; where there are several, the one in the unit that is said."""
    said_at = unit_behind(draft, item)
    if said_at is None or not draft.free(said_at):
        return None
    said = noun(draft.items[said_at].norm)
    timed = {
        ColumnHit(named.table.name, named.column.name, _TIMED): {noun(word) for word in named.name.words}
        for named in draft.lexicon.columns
        if is_number(named.column) and named.column.role == "measure" and len(named.name.words) > 1
    }
    timed = {hit: words_ for hit, words_ in timed.items() if words_ & _MILLISECONDS.keys()}
    asked = {table for index in range(item) if (table := draft.table_at(index, _TIMED)) is not None}
    near = [hit for hit in timed if hit.table in asked] or ([] if asked else list(timed))
    hits = [hit for hit in near if said in timed[hit]] if len(near) > 1 else near
    if len(hits) != 1:
        return None
    around = range(max(0, said_at - _LOOK_BACK), min(said_at + 2, len(draft.items)))
    draft.use(said_at, *(i for i in around if draft.items[i].norm in LASTED and draft.free(i)), role="condition")
    return Slot(said_at, tuple(hits))


def _in_the_likely_unit(draft: Draft, hit: ColumnHit, said_at: int) -> float:
    """ "longer than 3 hours" of lengths without a unit: taken in the one unit in which such a figure occurs."""
    column, said = draft.column(hit), noun(draft.items[said_at].norm)
    value = draft.items[said_at - 1].number
    low, high = column.minimum, column.maximum
    if value is None or not isinstance(low, int | float) or not isinstance(high, int | float) or is_time(column):
        return 1.0
    units = [said, *(unit for unit in _MILLISECONDS if unit != said)]
    likely = [u for u in units if low <= value * _MILLISECONDS[said] / _MILLISECONDS[u] <= high]
    if not likely or (len(likely) > 1 and likely[0] != said):
        return 1.0
    draft.use(said_at, role="condition")
    draft.assumptions.append(f"The data do not say in what unit {spoken(hit.column)} is; taken as {likely[0]}s")
    return _MILLISECONDS[said] / _MILLISECONDS[likely[0]]


def _in_the_columns_scale(draft: Draft, slot: Slot, value: float) -> float:
    """ "at least 10 million" of a column in millions, "400m" of metres: what the figure is divided by where it would
    lie beyond all there is, and lies among it without its scale."""
    column = draft.column(slot.hits[0]) if slot.hits else None
    if column is None or isinstance(column.minimum, date | None) or isinstance(column.maximum, date | None):
        return 1.0
    low, high = float(column.minimum), float(column.maximum)
    return next((scale for scale in _SCALES if value > high and low <= value / scale <= high), 1.0)


def _of_lengths(draft: Draft, slot: Slot, item: int, value: float) -> tuple[Slot, float] | None:
    """ "under 2:35:00", "longer than 4 minutes": the columns of lengths of time that are meant, and by how much the
    figure is multiplied. No columns where there are none, or none of the two says a unit; None for any other figure."""
    meant = range(item, min(item + _WITHIN + 1, len(draft.items)))
    number = next((i for i in meant if draft.items[i].number == value), None)
    token = draft.items[number].token if number is not None else None
    clock = token is not None and token.clock
    hits = tuple(hit for hit in slot.hits if holds_lengths(draft.column(hit)))
    if number is None or not (clock or (hits and hits == slot.hits)):
        return None
    unit = noun(draft.items[number + 1].norm) if number + 1 < len(draft.items) else ""
    told = unit in _MILLISECONDS
    if not hits or not (clock or told):
        draft.used[number] = False
        return Slot(slot.item, ()), 1.0
    if told:
        draft.use(number + 1, role="condition")
    return Slot(slot.item, hits), 1.0 if clock else _MILLISECONDS[unit] / _MILLISECONDS["second"]


def add_comparison(draft: Draft, slot: Slot, item: int, op: Operator, value: float, high: float | None) -> None:
    lengths = _of_lengths(draft, slot, item, value)
    if lengths is not None:
        slot, factor = lengths
        high = None if high is None else high * factor
        values: tuple[str | float, ...] = (value * factor,) if high is None else (value * factor, high)
        if slot.hits:
            draft.conditions.append(Condition("compare", slot, op=op, values=values, item=item))
        return
    scaled = any(_SCALED.fullmatch(other.norm) for other in draft.items[item : item + _WITHIN])
    scale = _in_the_columns_scale(draft, slot, value) if scaled else 1.0
    factor = _in_the_columns_unit(draft, slot, item) / scale
    value, high = value * factor, None if high is None else high * factor
    values = (value,) if high is None else (value, high)
    if value < _FIRST_YEAR and not all(is_time(draft.column(hit)) for hit in slot.hits):
        # "At least 2 wins" is not said of the year of the last win.
        slot = Slot(slot.item, tuple(hit for hit in slot.hits if not is_time(draft.column(hit))), slot.choice)
    alternative = draft.after_or(item) or draft.items[item].tag("or") is not None
    draft.conditions.append(Condition("compare", slot, op=op, values=values, item=item, alternative=alternative))


def noun_behind(draft: Draft, index: int) -> int | None:
    position = index + 1
    while position < min(index + 5, len(draft.items)):
        item = draft.items[position]
        if draft.free(position) and item.names and not item.tag("and", "cmp"):
            return position
        if (
            item.norm not in _MONEY
            and not item.tag("count", "distinct")
            and item.norm not in ("of", "total", "in", "different", "the", "more")
        ):
            return None
        position += 1
    return None


def subject_before(draft: Draft, index: int) -> tuple[Slot, AggregateName | None, list[int]] | None:
    """The numeric column before a comparison, with the aggregate that stands before it, and their items."""
    position = index - 1
    while position >= 0 and index - position <= _LOOK_BACK:
        item = draft.items[position]
        if not draft.free(position):
            if draft.roles.get(position) == "condition" and item.names and _shares_subject(draft, position, index):
                return _again(draft, position)
            return None
        columns = tuple(
            h
            for h in item.columns
            if h.score >= 0.3
            and (is_number(draft.column(h)) or is_time(draft.column(h)) or holds_figures(draft.column(h)))
            and not (is_time(draft.column(h)) and draft.is_told_apart(position))
            and (h.score >= 0.9 or draft.column(h).role != "id")
            and not (item.tables and item.tables[0].score > h.score)
        )
        if columns:
            return _with_aggregate(draft, position, columns)
        token = item.token
        verb = vocabulary().verb(token.keys) if token else ()
        if verb:
            hits = tuple(
                h for h in columns_named(draft, verb) if is_number(draft.column(h)) and draft.column(h).role != "id"
            )
            if hits:
                return _with_aggregate(draft, position, hits)
        if item.tag("count") and draft.table_at(position + 1) is None and position + 1 == index:
            return None
        if item.tag("and", "or", "by", "sup", "neg") or item.norm in (".", "?", ",", "with") or item.tables:
            if item.tables and position > 0 and draft.tagged_as(position - 1, "count") and not _says_what(draft, index):
                measure_slot = Slot(position, ())
                return measure_slot, "count", [position - 1, position]
            if not item.tag("neg"):
                return None
        position -= 1
    return None


def _says_what(draft: Draft, index: int) -> bool:
    """ "the number of guests who are older than 20": the comparison itself says that it is about age, not how many."""
    tokens = draft.tagged.tokens[draft.items[index].start : draft.items[index].end]
    adjective = next((found for token in tokens if (found := vocabulary().adjective(token.keys))), None)
    return adjective is not None and bool(columns_named(draft, adjective.of))


def _shares_subject(draft: Draft, position: int, index: int) -> bool:
    """ "opened after 2013 or before 2008": the second comparison has the first one's column."""
    return any(draft.items[i].tag("or", "and") for i in range(position, index + 1))


def _again(draft: Draft, position: int) -> tuple[Slot, AggregateName | None, list[int]] | None:
    for condition in reversed(draft.conditions):
        if condition.slot is not None and condition.slot.item == position:
            return Slot(position, condition.slot.hits), None, []
    return None


def _is_things_figure(draft: Draft, position: int, hits: tuple[ColumnHit, ...]) -> bool:
    """ "how many parts cost more than 5": the parts are counted, and their cost is what is compared."""
    item = draft.items[position]
    first = draft.tagged.tokens[item.start]
    name = draft.lexicon.schema.tables[hits[0].table].name
    things = item.end - item.start > 1 and first.norm.endswith("s")
    return things and any(first.keys & forms for forms in name.forms)


def _with_aggregate(
    draft: Draft, position: int, hits: tuple[ColumnHit, ...]
) -> tuple[Slot, AggregateName | None, list[int]]:
    items, fn = [position], None
    for back in range(position - 1, max(-1, position - 4), -1):
        if not draft.free(back):
            break
        tag = draft.items[back].tag("agg", "count")
        if tag:
            if tag.kind == "count" and back < position - 1 and draft.items[position - 1].tables:
                break
            if tag.kind == "count" and _is_things_figure(draft, position, hits):
                break
            fn = "count" if tag.kind == "count" else tag.value
            items.append(back)
            break
        if draft.items[back].norm not in ("the", "of", "a", "their", "its") and not (
            back == position - 1 and draft.items[back].tables
        ):
            break
    return Slot(position, hits), fn, items  # type: ignore[return-value]
