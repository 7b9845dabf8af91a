"""Restrictions by time: which column a time phrase is about."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Slot, is_number, is_time, is_year
from apps.analyst.language.parse.filters import negation_of
from apps.analyst.language.parse.quantities import columns_named
from apps.analyst.language.periods import GRAIN_WORDS, find_periods
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary

_WHOLE_NAME = 0.95
_WORTH = words("value values size amount amounts total totals volume")
_SPOKEN_OF = 0.5
_PERSONAL = 0.45
"""Taken off for birthdays and the like, however much is said of the people who have them."""


def read_periods(draft: Draft) -> None:
    """Reads time phrases into conditions on a date or year column, where the data has one."""
    today = draft.question.today
    draft.use(*(index for index in range(len(draft.items)) if draft.tagged_as(index, "always")), role="condition")
    for mention in find_periods(draft.tagged.tokens, today):
        covered = [i for i, item in enumerate(draft.items) if item.start < mention.end and item.end > mention.start]
        core = [i for i in covered if not draft.items[i].tag("of", "rel", "between", "and", "cmp", "by")]
        if any(not draft.free(i) for i in core) or any(draft.items[i].quoted for i in core):
            continue
        if any(
            draft.items[i].columns and draft.items[i].columns[0].score >= 0.9 and draft.items[i].number is not None
            for i in core
        ):
            continue
        if mention.bare and not _year_is_time(draft, covered):
            continue
        slot = _time_slot(draft, covered)
        if slot is None or ((mention.month_only or mention.weekday) and not _has_days(draft, slot)):
            continue
        if any(draft.items[i].values and _value_beats(draft, i, slot) for i in core):
            continue
        draft.use(*covered, role="condition")
        alternative = draft.after_or(covered[0])
        negation = negation_of(draft, covered[0])
        if negation is not None and negation >= covered[0] - 2:
            draft.use(negation, role="condition")
        draft.conditions.append(
            Condition(
                "period", slot, period=mention, item=covered[0], negated=negation is not None, alternative=alternative
            )
        )


def _has_days(draft: Draft, slot: Slot) -> bool:
    return any(draft.column(hit).type in ("date", "datetime") for hit in slot.hits)


def _year_is_time(draft: Draft, covered: list[int]) -> bool:
    """A bare year is a time behind "and", "or", a time column, or in front of a noun; not behind a comparison."""
    first = covered[0]
    if first > 0 and draft.items[first - 1].tag("cmp", "top", "sup"):
        return False
    following = draft.items[covered[-1] + 1] if covered[-1] + 1 < len(draft.items) else None
    if (
        following is not None
        and following.columns
        and any(is_number(draft.column(h)) and not is_year(draft.column(h)) for h in following.columns)
    ):
        return first > 0 and bool(draft.items[first - 1].tag("of"))
    return True


def _value_beats(draft: Draft, index: int, slot: Slot) -> bool:
    """A stored text value with the very words ("2004-05" in a season column) wins over a period."""
    return any(
        value.score >= 0.99 and draft.lexicon.schema.columns[value.table, value.column].column.type == "text"
        for value in draft.items[index].values
    ) and not any(is_time(draft.column(h)) for h in slot.hits[:1])


def _time_slot(draft: Draft, covered: list[int]) -> Slot | None:
    """The time column said next to the phrase, else every table's first one as candidates."""
    first, last = covered[0], covered[-1]
    for position in (*range(first - 1, max(-1, first - 5), -1), *range(last + 1, min(last + 2, len(draft.items)))):
        if draft.items[position].norm in (".", "?", ";"):
            break
        hits = draft.moments(position) or _verb_moments(draft, position)
        if draft.items[position].norm in GRAIN_WORDS and hits and hits[0].score < 0.9:
            continue
        if position + 1 < first and draft.items[position + 1].norm in _WORTH and hits and hits[0].score < _WHOLE_NAME:
            continue  # "the order value in 2013": no day of ordering
        if hits and (draft.free(position) or draft.roles.get(position) == "condition") and hits[0].score >= 0.4:
            grouped = any(draft.items[p].tag("by") for p in range(max(0, position - 2), position))
            if (
                position < first
                and not grouped
                and (hits[0].score >= 0.6 or draft.items[position].columns[:1] == hits[:1])
                and not _is_thing(draft, position, hits[0])
            ):
                draft.use(position, role="condition")
            return Slot(position, (*hits, *_other_dates(draft, position, hits[0])))
    hits = tuple(
        ColumnHit(named.table.name, named.column.name, _time_score(draft, named.table.name, named.column.name))
        for named in draft.lexicon.columns
        if is_time(named.column)
    )
    return Slot(first, tuple(sorted(hits, key=lambda hit: -hit.score))) if hits else None


def _other_dates(draft: Draft, position: int, hit: ColumnHit) -> tuple[ColumnHit, ...]:
    """ "refused bookings in May": the bookings have been "booked" some day, and have other days besides."""
    if draft.table_at(position, _WHOLE_NAME) != hit.table or hit.score >= _WHOLE_NAME:
        return ()
    columns = draft.lexicon.schema.tables[hit.table].table.columns
    dates = [column.name for column in columns if column.type in ("date", "datetime") and column.name != hit.column]
    return tuple(ColumnHit(hit.table, name, _time_score(draft, hit.table, name)) for name in dates)


def _verb_moments(draft: Draft, position: int) -> tuple[ColumnHit, ...]:
    """ "born before 1950": the date that a verb speaks of."""
    token = draft.items[position].token
    words = vocabulary().verb(token.keys) if token is not None and draft.free(position) else ()
    return tuple(hit for hit in columns_named(draft, words) if is_time(draft.column(hit)) and hit.score > _SPOKEN_OF)


def _is_thing(draft: Draft, position: int, hit: ColumnHit) -> bool:
    """ "orders in May": the orders have a date, and are not one."""
    token = draft.items[position].token
    if token is None or not token.norm.endswith("s") or hit.score >= _WHOLE_NAME:
        return False
    return any(other.table == hit.table and draft.column(other).role == "id" for other in draft.items[position].columns)


def _time_score(draft: Draft, table: str, column: str) -> float:
    """The first time column of a table is its own; birthdays and the like are rarely meant by "in 2017"."""
    columns = [c for c in draft.lexicon.schema.tables[table].table.columns if is_time(c)]
    named = draft.lexicon.schema.columns[table, column]
    personal = {"birth", "birthday", "hire", "required", "due", "updated", "modified"} & set(named.name.words)
    return 0.5 - 0.05 * [c.name for c in columns].index(column) - (_PERSONAL if personal else 0.0)
