"""Restrictions by stored values: "in Germany", "A or B", "not from the USA"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Slot
from apps.analyst.language.parse.flags import states_thing_behind
from apps.analyst.language.periods import PeriodMention
from apps.analyst.language.tagging import ColumnHit, Item, ValueHit
from apps.analyst.language.values import value_key
from apps.analyst.language.vocabulary import vocabulary

_BE = words(
    "is are was were be been being s 's equals equal to = named called titled the a an of as with that do does did "
    "have has had in from for only either both at by "
    "whose which who under like , ( ) also any all label labelled labeled"
)


_EXACT = 0.99
"""A stored value to the letter: "a Trek bike" where Trek is a brand, though some bikes' names hold the word as well."""
_PLURAL, _HALF_NAME, _KIND = 0.85, 0.6, 0.76
_PARTICIPLES = ("ed", "en", "ade", "ght", "wn", "ld")
_NOT_VALUE_ALONE = words(
    "name number total year quarter month week day hour date first last high low top best no yes one two three other "
    "new old"
)


def read_values(draft: Draft) -> None:
    """Reads stored values into conditions, joining "A or B" and "A, B and C" of one column."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or not item.values or not _is_value(draft, index):
            continue
        hits, values = _said_as(draft, index) or _column_choice(draft, index)
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
            previous.values = (*previous.values, *(v for v in values if v not in previous.values))
            shared = (
                tuple(h for h in previous.slot.hits if any(h.table == o.table and h.column == o.column for o in hits))
                if previous.slot
                else ()
            )
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


def read_rates(draft: Draft) -> None:
    """ "the no-show rate by class": what share of the rows, or of each group's rows, holds the value before "rate"."""
    for condition in draft.conditions:
        named = condition.item + 1
        if condition.kind != "value" or condition.negated or not draft.free(named) or draft.share_at is not None:
            continue
        item = draft.items[named]
        whole = any(hit.score >= _EXACT for hit in item.columns)
        if item.norm in ("rate", "rates", "quota", "ratio") and not whole:
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
            return top >= 0.99 and _column_beside(draft, index) is not None and name < 1.0
        if name >= top:
            return False
    if item.number is not None and not item.quoted and len(item.norm) < 4:
        return _column_beside(draft, index) is not None
    return True


def _told_behind(draft: Draft, index: int) -> bool:
    """ "the building with the fewest floors": a kind of thing that many names hold, and what holds of it behind."""
    behind = draft.items[index + 1].norm.split()[0] if index + 1 < len(draft.items) else ""
    return behind in ("with", "that", "which", "who", "whose", "having")


def _before_own_column(draft: Draft, index: int) -> bool:
    """ "high priority tickets": a value of the column right behind it."""
    behind = draft.items[index + 1].columns[:1] if index + 1 < len(draft.items) else ()
    mine = {(value.table, value.column) for value in draft.items[index].values if value.score >= _EXACT}
    return bool(behind) and behind[0].score >= _EXACT and (behind[0].table, behind[0].column) in mine


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


def _column_beside(draft: Draft, index: int) -> ColumnHit | None:
    """A column said right before or behind a value that holds it: "status is open", "the Psychology department"."""
    mine = {(value.table, value.column) for value in draft.items[index].values}
    for position in (*range(index - 1, max(-1, index - 6), -1), index + 1, index + 2):
        if not 0 <= position < len(draft.items) or position == index:
            continue
        item = draft.items[position]
        match: ColumnHit | None = next(
            (hit for hit in item.columns if (hit.table, hit.column) in mine and hit.score >= 0.3), None
        )
        if match is not None and (draft.free(position) or draft.roles.get(position) == "condition"):
            return match
        blocked = position < index and not (_passable(draft, position) or item.values)
        if blocked and (
            item.norm in (".", "?", ";") or item.number is not None or (item.names and position == index - 1)
        ):
            break
        if position > index and item.norm not in ("the",):
            break
    return None


def _passable(draft: Draft, position: int) -> bool:
    item = draft.items[position]
    return (
        item.norm in _BE
        or item.tag("neg", "or", "and", "of", "contain", "both", "either") is not None
        or (not draft.free(position) and draft.roles.get(position) == "condition")
        or all(word in _BE for word in item.norm.split())
    )


def _column_choice(draft: Draft, index: int) -> tuple[tuple[ColumnHit, ...], tuple[str, ...]]:
    """The columns a value may belong to, and its stored spellings (of the best column)."""
    item = draft.items[index]
    beside = _column_beside(draft, index)
    best: dict[tuple[str, str], float] = {}
    exact = {value.table for value in item.values if value.score >= _EXACT}
    if (
        beside is not None
        and exact
        and all(
            value.score < _EXACT
            for value in item.values
            if (value.table, value.column) == (beside.table, beside.column)
        )
    ):
        told = any(draft.lexicon.schema.path(beside.table, table, one=True) for table in exact - {beside.table})
        beside = None if told and draft.items[index + 1 : index + 2] and draft.table_at(index + 1) else beside
        beside = None if beside is not None and _is_kind_behind(draft, index, beside) else beside
    beside = None if beside is not None and _is_another(draft, index, beside) else beside
    for value in item.values:
        key = (value.table, value.column)
        bonus = 0.5 if beside is not None and (beside.table, beside.column) == key else _verb_bonus(draft, index, key)
        if value.score >= _EXACT and value.table == draft.table_at(index + 1, 0.9):
            bonus = max(bonus, 0.2)
        best[key] = max(best.get(key, 0.0), value.score + bonus)
    if beside is not None:
        _use_beside(draft, index, beside)
    ranked = sorted(best.items(), key=lambda entry: (-entry[1], entry[0]))
    hits = tuple(ColumnHit(*key, score) for key, score in ranked)
    table, column = ranked[0][0]
    return hits, spellings(item, table, column)


def _is_kind_behind(draft: Draft, index: int, beside: ColumnHit) -> bool:
    """ "the Crown halls" where Crown owns halls, and one hall is called Crown Hall."""
    behind = draft.items[index + 1].columns if index + 1 < len(draft.items) else ()
    return len(draft.lexicon.tables) == 1 and any(hit.column == beside.column for hit in behind)


def _is_another(draft: Draft, index: int, beside: ColumnHit) -> bool:
    """ "the successor to Elm", "the parent of Elm": said of the row that is called Elm, where some are."""
    item, before = draft.items[index], index - 1
    while before > 0 and draft.items[before].norm == "the":
        before -= 1
    own = any(hit.column == beside.column for hit in draft.items[before - 1].columns) if before > 0 else False
    elsewhere = any(v.score >= _EXACT and v.table == beside.table and v.column != beside.column for v in item.values)
    return own and elsewhere and draft.items[before].norm in ("to", "of")


def _verb_bonus(draft: Draft, index: int, key: tuple[str, str]) -> float:
    """ "shipped to Germany": a word before the value that the column's name holds."""
    forms = frozenset(form for own in draft.lexicon.schema.columns[key].name.forms for form in own)
    start = draft.items[index].start
    return 0.2 if any(token.keys & forms for token in draft.tagged.tokens[max(0, start - 4) : start]) else 0.0


def _said_as(draft: Draft, index: int) -> tuple[tuple[ColumnHit, ...], tuple[str, ...]] | None:
    """ "has A as its publisher": the column behind "as" holds the value, perhaps among others."""
    if index + 1 >= len(draft.items) or draft.items[index + 1].norm != "as":
        return None
    named = draft.next_named(index + 1, reach=2)
    if named is None or not draft.items[named].columns or draft.column(draft.items[named].columns[0]).type != "text":
        return None
    draft.use(index + 1, named, role="condition")
    return draft.items[named].columns, ()


def spellings(item: Item, table: str, column: str) -> tuple[str, ...]:
    """The stored values of one column that an item means: the exact ones, else its near ones (empty: test the text)."""
    mine = [value for value in item.values if (value.table, value.column) == (table, column)]
    if not mine:
        return ()
    top = max(value.score for value in mine)
    if top < 0.78 and len({value.value for value in mine}) > 1:
        return ()
    near = [value.value for value in mine if value.score >= top - 0.01 or _means_the_same(value.value, item.norm)]
    if top < 0.76 and len(near) > 1:
        return ()
    return tuple(near)


def _means_the_same(value: str, said: str) -> bool:
    """Another name or code of what is said, stored beside it ("US" and "USA" beside "United States")."""
    key = value_key(value)
    return key in vocabulary().values.get(said, ()) or any(key in kind.coded(said) for kind in vocabulary().codes)


def _use_beside(draft: Draft, index: int, beside: ColumnHit) -> None:
    for position in (*range(index - 1, max(-1, index - 6), -1), index + 1):
        if 0 <= position < len(draft.items) and any(
            (hit.table, hit.column) == (beside.table, beside.column) for hit in draft.items[position].columns
        ):
            if draft.free(position):
                between = draft.items[min(position, index) + 1 : max(position, index)]
                if position == index - 1 or position == index + 1 or all(_linking(other) for other in between):
                    draft.use(position, role="condition")
            return


def _linking(item: Item) -> bool:
    return item.norm in (
        "is",
        "are",
        "was",
        "were",
        "'s",
        "=",
        "the",
        "of",
        "named",
        "called",
        "either",
        "a",
        "an",
        "as",
        "equals",
        "be",
        "or",
        "and",
        ",",
        "in",
        "like",
        "from",
        "for",
    ) or (item.tag("neg", "both", "either", "or") is not None or bool(item.values))


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


def values_of(hits: tuple[ValueHit, ...]) -> tuple[str, ...]:
    """Distinct stored spellings, in order."""
    return tuple(dict.fromkeys(hit.value for hit in hits))


def period_label(mention: PeriodMention) -> str:
    """A period in words."""
    return mention.label
