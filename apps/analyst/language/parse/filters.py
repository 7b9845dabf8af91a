"""Restrictions by stored values: "in Germany", "A or B", "not from the USA"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Slot
from apps.analyst.language.parse.flags import RATES, states_thing_behind
from apps.analyst.language.parse.value_columns import EXACT, column_beside, column_choice, said_as, spellings
from apps.analyst.language.tagging import ColumnHit

_PLURAL, _HALF_NAME, _KIND = 0.85, 0.6, 0.76
_NAMED_BY_HALF = 0.5
_PARTICIPLES = ("ed", "en", "ade", "ght", "wn", "ld")
_NOT_VALUE_ALONE = words(
    "name number total year quarter month week day hour date first last high low top best no yes one two three other "
    "new old"
)


def read_values(draft: Draft) -> None:
    """Reads stored values into conditions, joining "A or B" and "A, B and C" of one column."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or not item.values:
            continue
        if _names_value_before(draft, index):
            draft.use(index, role="condition")
            continue
        if not _is_value(draft, index):
            continue
        hits, values = said_as(draft, index) or column_choice(draft, index)
        if not hits:
            continue
        if states_thing_behind(draft, index):
            hits = tuple(hit for hit in hits if hit.table == draft.table_at(index + 1)) or hits
        negation = negation_of(draft, index)
        draft.use(index, role="condition")
        if negation is not None:
            draft.use(negation, role="condition")
        previous = _joined_before(draft, index, hits)
        if previous is not None and negation is None:
            previous.summed = draft.items[index - 1].tag("and") is not None and draft.items[index - 1].norm != ","
            previous.also = (*previous.also, index)
            shared = (
                tuple(h for h in previous.slot.hits if any(h.table == o.table and h.column == o.column for o in hits))
                if previous.slot
                else ()
            )
            # It is spelled as in the column of the values before it, whatever else it may be.
            values = (spellings(item, shared[0].table, shared[0].column) if shared else ()) or values
            previous.values = (*previous.values, *(v for v in values if v not in previous.values))
            if previous.slot is not None and shared:
                previous.slot.hits = shared
            continue
        condition = Condition(
            "value",
            Slot(index, hits),
            values=values,
            negated=negation is not None,
            item=index,
            every=_says_both(draft, index),
            alternative=draft.after_or(index),
            score=hits[0].score,
        )
        draft.conditions.append(condition)
        if index > 0 and draft.items[index - 1].tag("wh") and _counted_kind(draft, index) and not condition.negated:
            draft.entities.append((index, hits[0].table, hits[0].score))


def _names_value_before(draft: Draft, index: int) -> bool:
    """ "annual billing": the billing cycle of the value before it, whatever else is called billing."""
    said = {
        (hit.table, hit.column)
        for condition in draft.conditions
        if condition.kind == "value" and condition.item == index - 1 and condition.slot is not None
        for hit in condition.slot.hits[:1]
    }
    return any(hit.score >= _NAMED_BY_HALF and (hit.table, hit.column) in said for hit in draft.items[index].columns)


def read_rates(draft: Draft) -> None:
    """ "the no-show rate by class": what share of the rows, or of each group's rows, holds the value before "rate"."""
    for condition in draft.conditions:
        named = condition.item + 1
        if condition.kind != "value" or condition.negated or not draft.free(named) or draft.share_at is not None:
            continue
        item = draft.items[named]
        whole = any(hit.score >= EXACT for hit in item.columns)
        if item.norm in RATES and not whole:
            draft.use(named, role="measure")
            draft.share, draft.share_at = True, condition.item - 1
            draft.axes["rate"] = condition.item


def _is_value(draft: Draft, index: int) -> bool:
    """Whether an item is meant as a value rather than as a name or small word."""
    item = draft.items[index]
    top = item.values[0].score
    if item.quoted:
        return True
    if item.norm in ("x", "y") and any("axis" in other.norm for other in draft.items[index + 1 : index + 3]):
        return False
    if item.norm in _NOT_VALUE_ALONE and not _before_own_column(draft, index):
        return False
    if states_thing_behind(draft, index):
        return True
    if _counted_kind(draft, index):
        return True
    if top < 0.9 and index > 0 and draft.items[index - 1].tag("count", "by", "agg", "distinct", "sup", "wh"):
        return False
    if top < _KIND and len({value.value for value in item.values}) > 1 and _told_behind(draft, index):
        return False
    strong = item.tag("sup", "agg", "count", "cmp", "by", "neg", "pos", "wh", "distinct", "top")
    if strong and not (item.token and item.token.capital and index > 0):
        return False
    if item.names:
        name = max([hit.score for hit in item.columns[:1]] + [hit.score for hit in item.tables[:1]])
        capital = (item.token is not None and item.token.capital and index > 0) or (
            " " in item.norm and item.text[:1].isupper()
        )
        if name >= 0.9 and not (capital and top >= 0.99 and item.tables == ()):
            return top >= 0.99 and column_beside(draft, index) is not None and name < 1.0
        if name >= top:
            return False
    if item.number is not None and not item.quoted and len(item.norm) < 4:
        return column_beside(draft, index) is not None
    return True


def _told_behind(draft: Draft, index: int) -> bool:
    """ "the building with the fewest floors": a kind of thing that many names hold, and what holds of it behind."""
    behind = draft.items[index + 1].norm.split()[0] if index + 1 < len(draft.items) else ""
    return behind in ("with", "that", "which", "who", "whose", "having")


def _before_own_column(draft: Draft, index: int) -> bool:
    """ "high priority tickets": a value of the column right behind it."""
    behind = draft.items[index + 1].columns[:1] if index + 1 < len(draft.items) else ()
    mine = {(value.table, value.column) for value in draft.items[index].values if value.score >= EXACT}
    return bool(behind) and behind[0].score >= EXACT and (behind[0].table, behind[0].column) in mine


def _counted_kind(draft: Draft, index: int) -> bool:
    """ "how many flats", "which clients": things of a kind that is stored, where no table or column is called so."""
    item = draft.items[index]
    counted = index > 0 and draft.items[index - 1].tag("count", "wh") is not None
    named = max([*(hit.score for hit in item.columns[:1]), *(hit.score for hit in item.tables[:1])], default=0.0)
    sure = item.values[0].score >= _PLURAL or (len(draft.lexicon.tables) == 1 and not item.names)
    return counted and item.norm.endswith("s") and sure and named < _HALF_NAME


def counted_kind(draft: Draft, index: int) -> str | None:
    """The table whose rows are of the kind counted at an item that was read as a stored value."""
    if draft.roles.get(index) != "condition" or not draft.items[index].values:
        return None
    told = next((c for c in draft.conditions if c.item == index and c.kind == "value" and not c.negated), None)
    kind = told is not None and draft.items[index].norm.endswith("s") and _counted_kind(draft, index)
    return told.slot.hits[0].table if kind and told is not None and told.slot is not None else None


def _joined_before(draft: Draft, index: int, hits: tuple[ColumnHit, ...]) -> Condition | None:
    """The value condition that this value continues: "A or B", "A, B and C" of one column."""
    position, linked = index - 1, False
    while position >= 0 and (
        draft.items[position].tag("or", "and", "of") or draft.items[position].norm in (",", "either", "the", "both")
    ):
        linked = linked or draft.items[position].tag("or", "and") is not None or draft.items[position].norm == ","
        position -= 1
    if not linked or position < 0:
        return None
    for condition in draft.conditions:
        if (
            condition.kind == "value"
            and condition.slot is not None
            and (condition.item == position or _last_value(draft, condition) == position)
        ) and any((h.table, h.column) == (o.table, o.column) for h in condition.slot.hits[:6] for o in hits[:6]):
            condition.item = index
            return condition
    return None


def _last_value(draft: Draft, condition: Condition) -> int:
    return condition.item


def _says_both(draft: Draft, index: int) -> bool:
    return any(draft.items[i].tag("both") for i in range(max(0, index - 4), index))


def negation_of(draft: Draft, index: int) -> int | None:
    """The negating item that reaches a value: nothing between but small words, verbs and its own column."""
    for position in range(index - 1, max(-1, index - 8), -1):
        item = draft.items[position]
        if item.tag("neg") and draft.free(position):
            return position
        agent = item.norm == "by" and position > 0 and draft.items[position - 1].norm.endswith(_PARTICIPLES)
        if agent:
            continue
        if item.norm in (".", "?", ";", ",") or item.tag("by", "sup", "agg", "count", "wh") or item.number is not None:
            return None
        anyone = position > 0 and draft.items[position - 1].norm in ("any", "a", "an")
        if item.tables and not item.columns and position != index - 1 and draft.table_at(position) and not anyone:
            return None
        if item.values and draft.roles.get(position) == "condition":
            return None
    return None
