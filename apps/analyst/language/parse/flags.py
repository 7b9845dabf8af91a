"""Yes-or-no columns said as adjectives and participles: "discontinued products", "deals that are closed", "not
active"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Slot
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.telling.formats import capital, spoken
from apps.analyst.types import Column

_SAYS_SO = words("is are was were be been being that which who already still currently not")
_NEEDS = words("need needs needing require requires requiring needed required")
_TO_THE_LETTER = 0.99
_THING, _STATES, _FLAGGED = 0.9, 12, 0.6
RATES = words("rate rates quota ratio")
_ROOT = 5
_YES, _NO, _SIDES = words("yes y true t"), words("no n false f"), 2


def read_flags(draft: Draft) -> None:
    """Reads flags into conditions: a flag behind a verb of being, or right before the thing it qualifies."""
    for index, item in enumerate(draft.items):
        if _unflagged(draft, index):
            continue
        if (
            not draft.free(index)
            or not item.columns
            or item.columns[0].score < 0.6
            or item.tag("by", "count", "agg", "sup")
        ):
            continue
        hits = tuple(hit for hit in item.columns if is_flag(draft.column(hit))) or _amounts(draft, index)
        if not hits or hits[0].score < item.columns[0].score or not _qualifies(draft, index):
            continue
        if states_thing_behind(draft, index) or _is_rate(draft, index):
            continue
        negation = next((i for i in range(max(0, index - 3), index) if draft.tagged_as(i, "neg")), None)
        draft.use(index, *([negation] if negation is not None else []), role="condition")
        draft.conditions.append(_condition(draft, index, hits, negation is None))
        if not item.norm.endswith("ed") and _share_asked(draft, index) and draft.table_at(index - 1, _THING):
            draft.axes["rate"] = index  # "what share of leads converts, by source": of each source's leads


def _is_rate(draft: Draft, index: int) -> bool:
    """True for what stands before "rate": it is no state of single rows."""
    return index + 1 < len(draft.items) and draft.items[index + 1].norm in RATES


def read_flag_rates(draft: Draft) -> None:
    """Reads a flag before "rate" into the share of the rows that have it."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or not _is_rate(draft, index) or not draft.free(index + 1):
            continue
        hits = tuple(hit for hit in item.columns if is_flag(draft.column(hit)) and hit.score >= _FLAGGED)
        hits = hits or (() if item.columns or item.values else _flags_akin(draft, item.norm))
        if hits and draft.share_at is None and (not item.columns or hits[0].score >= item.columns[0].score):
            draft.use(index, index + 1, role="measure")
            draft.conditions.append(_condition(draft, index, hits, holds=True))
            draft.share, draft.share_at = True, index - 1
            draft.axes["rate"] = index


def _flags_akin(draft: Draft, word: str) -> tuple[ColumnHit, ...]:
    """ "conversion" of what is flagged as "converted", "renewal" of "renewed": they begin alike."""
    named = [
        n
        for n in draft.lexicon.columns
        if n.name.key_words == 1 and is_flag(n.column) and n.name.needed[0][:_ROOT] == word[:_ROOT]
    ]
    return tuple(ColumnHit(n.table.name, n.column.name, _FLAGGED) for n in named) if len(word) > _ROOT else ()


def states_thing_behind(draft: Draft, index: int) -> bool:
    """ "open tickets" where tickets have such a state, though mails have a flag that is called opened."""
    thing, item = draft.table_at(index + 1, 0.9), draft.items[index]
    # "Cancelled bookings" have such a state, and a date of it besides.
    own = any(hit.table == thing and draft.column(hit).type not in ("date", "datetime") for hit in item.columns)
    return not own and any(value.table == thing and value.score >= _TO_THE_LETTER for value in item.values)


def _unflagged(draft: Draft, index: int) -> bool:
    """ "inactive customers": the contrary of a flag that is called active."""
    word, item = draft.items[index].norm, draft.items[index]
    if not draft.free(index) or item.columns or item.tables or item.values or item.tags:
        return False
    for prefix in ("in", "un", "non"):
        rest = word.removeprefix(prefix)
        named = (
            [n for n in draft.lexicon.columns if n.name.needed == (rest,) and is_flag(n.column)] if rest != word else []
        )
        if named:
            hits = tuple(ColumnHit(n.table.name, n.column.name, 0.9) for n in named)
            draft.use(index, role="condition")
            draft.conditions.append(_condition(draft, index, hits, holds=False))
            return True
    return _unstated(draft, index)


def _unstated(draft: Draft, index: int) -> bool:
    """ "unpaid bills" of bills whose state may be "paid": those in any other state."""
    word = draft.items[index].norm
    stored = draft.lexicon.values.exact.get(word.removeprefix("un"), []) if word.startswith("un") else []
    if not stored:
        return False
    said = {draft.table_at(place, _THING) for place in range(len(draft.items))}
    kinds = [v for v in stored if v.table in said and _is_state(draft.lexicon.schema.columns[v.table, v.column].column)]
    if len(kinds) != 1:
        return False
    kind = kinds[0]
    draft.use(index, role="condition")
    slot = Slot(index, (ColumnHit(kind.table, kind.column, 1.0),))
    draft.conditions.append(Condition("value", slot, values=(kind.value,), negated=True, item=index))
    draft.assumptions.append(f"{capital(word)}: {spoken(kind.column)} is not {kind.value}")
    return True


def _is_state(column: Column) -> bool:
    return column.values_complete and column.distinct <= _STATES


def is_flag(column: Column) -> bool:
    """True for columns that say yes or no, in a word or in figures."""
    worded = {value.value.strip().casefold() for value in column.values} if column.values_complete else set()
    return (
        column.type == "boolean"
        or (column.type == "integer" and column.minimum == 0 and column.maximum == 1 and column.role != "id")
        or (column.type == "text" and bool(worded) and (worded <= _YES | _NO) and len(worded) <= _SIDES)
    )


def _qualifies(draft: Draft, index: int) -> bool:
    before = draft.items[index - 1] if index else None
    if before is not None and before.tag("by"):
        return draft.table_at(index + 1, 0.9) is not None  # "for each active client"
    if before is not None and (before.norm.split()[-1] in _SAYS_SO or before.tag("neg")):
        return True
    if before is not None and before.norm in _NEEDS and draft.free(index - 1):
        draft.use(index - 1, role="condition")  # "parts that need testing"
        return True
    return draft.table_at(index + 1, 0.9) is not None or _done_to(draft, index)


def _share_asked(draft: Draft, index: int) -> bool:
    return any(item.tag("share") for item in draft.items[:index])


def _done_to(draft: Draft, index: int) -> bool:
    """ "emails opened by the team", "who replied to an email": the thing whose flag it is stands beside the verb; of
    what share of leads "converts", only right before it."""
    item = draft.items[index]
    table = item.columns[0].table
    asked = item.norm.endswith("ed") or _share_asked(draft, index)
    if asked and index > 0 and draft.table_at(index - 1, _THING) == table:
        return True
    if not item.norm.endswith("ed"):
        return False
    behind = index + 1
    while behind < min(index + 4, len(draft.items)) and draft.is_filler(behind):
        behind += 1
    return draft.table_at(behind, _THING) == table


def _condition(draft: Draft, index: int, hits: tuple[ColumnHit, ...], holds: bool) -> Condition:
    column = draft.column(hits[0])
    if column.type == "text":
        stored = tuple(v.value for v in column.values if (v.value.strip().casefold() in _YES) == holds)
        return Condition("value", Slot(index, hits[:1]), values=stored or ("yes" if holds else "no",), item=index)
    if column.type == "boolean":
        return Condition("value", Slot(index, hits), values=("true" if holds else "false",), item=index)
    if is_flag(draft.column(hits[0])):
        return Condition("compare", Slot(index, hits), op="=", values=(1.0 if holds else 0.0,), item=index)
    return Condition("compare", Slot(index, hits), op=">" if holds else "=", values=(0.0,), item=index)


def _amounts(draft: Draft, index: int) -> tuple[ColumnHit, ...]:
    """ "discounted lines", "taxed orders": the amounts of what was done to a thing, of which some rows have none."""
    item = draft.items[index]
    if not item.norm.endswith("ed") or " " in item.norm or draft.table_at(index + 1, 0.9) is None:
        return ()
    return tuple(
        hit
        for hit in item.columns
        if hit.score >= _TO_THE_LETTER
        and draft.column(hit).role == "measure"
        and draft.column(hit).minimum == 0
        and len(draft.named(hit).name.needed) == 1
    )
