"""Comparisons with figures: "price over 20", "more than 5 orders", "between 1 and 3"."""

from __future__ import annotations

import re

from apps.analyst.language.figure_texts import holds_lengths
from apps.analyst.language.parse.averages import against_average, against_average_of, average_after
from apps.analyst.language.parse.draft import Draft, Having, Measure, Operator, Slot, is_number, is_time
from apps.analyst.language.parse.equalities import read_equality, read_place
from apps.analyst.language.parse.quantities import by_adjective, columns_named
from apps.analyst.language.parse.subjects import (
    HOLDS,
    add_comparison,
    noun_behind,
    subject_before,
    timed_figure,
    unit_behind,
)
from apps.analyst.language.phrases import phrases
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.telling.formats import MONTH_NAMES

_OPPOSITE: dict[Operator, Operator] = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}


_SMALL = frozenset(("the", "a", "an"))
_MONTH_BEHIND = re.compile(rf"\s+(?:of\s+)?(?:{'|'.join(MONTH_NAMES)})\b", re.IGNORECASE)
_NAMED = 0.9
_WORTH = frozenset(("totaling", "totalling", "totaled", "totalled", "worth", "amounting", "summing", "totals"))
_SPENT = frozenset(("spent", "spend", "spends"))


def read_amounts(draft: Draft) -> None:
    """Reads every comparison with a figure into conditions and havings."""
    for index in range(len(draft.items)):
        if not draft.free(index):
            continue
        item = draft.items[index]
        if item.tag("between"):
            _between(draft, index)
        elif item.tag("avgref"):
            against_average(draft, index)
        elif _more_of_it(draft, index):
            continue
        elif (
            item.tag("cmp")
            or _so_many_only(draft, index)
            or (item.tag("rel") and _number_at(draft, index + 1) is not None)
        ):
            _compared(draft, index)
        elif item.tag("after"):
            _trailing(draft, index)
    for index in range(len(draft.items)):
        if draft.free(index) and draft.items[index].number is not None and not draft.items[index].quoted:
            read_equality(draft, index)
        elif draft.free(index) and draft.items[index].ordinal is not None:
            read_place(draft, index)


def _number_at(draft: Draft, index: int) -> int | None:
    """The item of a figure at or right after an index, past small words."""
    for position in range(index, min(index + 3, len(draft.items))):
        item = draft.items[position]
        if item.number is not None and draft.free(position):
            return None if _is_day_of_month(draft, position) else position
        if item.norm not in ("the", "a", "an", "$", "of", "to", "value", "than", "number", "is"):
            return None
    return None


def _is_day_of_month(draft: Draft, position: int) -> bool:
    """ "before 31 July" of days that are no dates to hold it against: no figure."""
    behind = draft.question.text[draft.tagged.tokens[draft.items[position].end - 1].end :]
    return _MONTH_BEHIND.match(behind) is not None


def _with_its_column(draft: Draft, index: int, op: Operator) -> bool:
    """ "above age 30", "under the age of 18": the column stands between the comparison and its figure."""
    column = index + 1
    while column < len(draft.items) and draft.items[column].norm in _SMALL:
        column += 1
    number = column + 1
    while number < len(draft.items) and draft.items[number].norm == "of":
        number += 1
    hits = draft.numeric(column, _NAMED) if draft.free(column) else ()
    value = draft.items[number].number if draft.free(number) else None
    if not hits or value is None or noun_behind(draft, number) is not None:
        return False
    held = _OPPOSITE[op] if _negated(draft, index) else op
    draft.use(*range(index, number + 1), role="condition")
    add_comparison(draft, Slot(column, hits), index, held, value, None)
    return True


def _more_of_it(draft: Draft, index: int) -> bool:
    """ "a greater weight than 10", "a lower price than average": what is held against it stands in between."""
    column = index + (2 if draft.tagged_as(index + 1, "count") else 1)
    than = column + 1
    degree = next((tag for tag in phrases().get((draft.items[index].norm, "than"), ()) if tag.kind == "cmp"), None)
    hits = draft.numeric(column, _NAMED) if degree is not None and draft.free(column) else ()
    if degree is None or not hits or not draft.tagged_as(than, "than"):
        return False
    op: Operator = degree.value  # type: ignore[assignment]
    number = _number_at(draft, than + 1)
    if number is None:
        return against_average_of(draft, Slot(column, hits), index, than, op)
    value = draft.items[number].number
    assert value is not None
    draft.use(*range(index, than + 1), number, role="condition")
    add_comparison(draft, Slot(column, hits), index, op, value, None)
    return True


def _so_many_only(draft: Draft, index: int) -> bool:
    """ "only one order", "just two visits": exactly so many."""
    number = index + 1
    counted = draft.tagged_as(index, "only") and draft.free(number) and draft.items[number].number is not None
    return bool(counted) and noun_behind(draft, number) is not None


def _compared(draft: Draft, index: int) -> None:
    item = draft.items[index]
    tag = item.tag("cmp")
    number = _number_at(draft, index + 1)
    if item.tag("only"):
        tag_value = "="
    elif tag is None:
        tag_value = ">" if item.tag("rel") and item.norm in ("after", "above", "later than", "following") else "<"
    else:
        tag_value = tag.value
    op: Operator = tag_value  # type: ignore[assignment]
    if number is not None and _is_length_of_time(draft, number):
        draft.use(index, number)
        return
    if number is None:
        if tag is not None and not _with_its_column(draft, index, op) and draft.items[index].norm.endswith("than"):
            average_after(draft, index)
        return
    if _negated(draft, index):
        op = _OPPOSITE[op]
    value = draft.items[number].number
    assert value is not None
    draft.use(index, number, role="condition")
    _attach(draft, index, number, op, value, None)


def _is_length_of_time(draft: Draft, number: int) -> bool:
    """ "over the 8-year period": how long it was, not what it was more than."""
    behind = draft.question.text[draft.tagged.tokens[draft.items[number].end - 1].end :]
    return re.match(r"\s?-\s?(?:year|month|week|day)s?\b", behind, re.IGNORECASE) is not None


def _trailing(draft: Draft, index: int) -> None:
    """ "5 or more points", "points of 7 or more", "60 laps or more"."""
    named = index - 1 if index > 0 and draft.free(index - 1) and draft.items[index - 1].names else index
    figure = named - 1
    if figure < 0 or draft.items[figure].number is None or not draft.free(figure):
        return
    tag = draft.items[index].tag("after")
    assert tag is not None
    op: Operator = tag.value  # type: ignore[assignment]
    value = draft.items[figure].number
    assert value is not None
    draft.use(figure, index, role="condition")
    _attach(draft, figure, figure if named < index else index, op, value, None)


def _between(draft: Draft, index: int) -> None:
    low = _number_at(draft, index + 1)
    if low is None or low + 2 >= len(draft.items) or draft.items[low + 1].norm not in ("and", "to", "-", ", and"):
        return
    high = _number_at(draft, low + 2)
    if high is None:
        return
    first, last = draft.items[low].number, draft.items[high].number
    assert first is not None
    assert last is not None
    draft.use(index, low, low + 1, high, role="condition")
    _attach(draft, index, high, ">=", min(first, last), max(first, last))


def _attach(draft: Draft, first: int, last: int, op: Operator, value: float, high: float | None) -> None:
    """Finds what the figure is held against: the noun behind it, the column before it, or an adjective's quantity."""
    if _worth(draft, first, op, value, high):
        return
    behind = noun_behind(draft, last)
    degree = by_adjective(draft, first) if behind is None and unit_behind(draft, first) is not None else None
    if degree is not None:
        add_comparison(draft, degree, first, op, value, high)
        return
    holds = _has_verb_before(draft, first)
    close = subject_before(draft, first)
    if close is not None and close[0].hits and close[0].hits[0].score >= 0.6 and close[0].item >= first - 2:
        behind = (
            None
            if behind is None or (draft.items[behind].columns[:1] and draft.items[behind].columns[0].score < 0.6)
            else behind
        )
        if close[0].item == first - 1 or behind is None:
            behind = None
    figure_before = close is not None and any(not is_time(draft.column(hit)) for hit in close[0].hits)
    timed = timed_figure(draft, last - 1) if not figure_before else None
    if timed is not None:
        add_comparison(draft, timed, first, op, value, high)
        return
    if behind is not None:
        columns = draft.numeric(behind, 0.55)
        table = draft.table_at(behind)
        counted = _count_word_between(draft, last, behind)
        if columns and not counted and not (table and columns[0].score < 0.9):
            draft.use(behind, role="condition")
            add_comparison(draft, Slot(behind, columns), first, op, value, high)
            return
        if (table or draft.items[behind].columns) and (holds or subject_before(draft, first) is None):
            draft.use(behind, role="having")
            counted_slot = None if table else Slot(behind, draft.items[behind].columns)
            measure = Measure("count", counted_slot, table, item=behind)
            draft.having.append(Having(measure, op, value, high))
            return
    before = subject_before(draft, first)
    if before is not None:
        slot, fn, items = before
        if fn == "count" and slot.hits and draft.items[first - 1].norm == "of":
            draft.use(slot.item, role="condition")
            add_comparison(draft, slot, first, op, value, high)
            return
        money = _money_of_rows(draft, slot) if fn == "count" else ()
        if money:
            add_comparison(draft, Slot(slot.item, money), first, op, value, high)
            return
        draft.use(*items, role="condition")
        if fn is not None:
            measure = Measure(fn, slot if slot.hits else None, item=slot.item)
            draft.having.append(Having(measure, op, value, high))
        else:
            add_comparison(draft, slot, first, op, value, high)
        return
    adjective = by_adjective(draft, first)
    if adjective is not None:
        add_comparison(draft, adjective, first, op, value, high)
        return
    if behind is not None:
        columns = draft.numeric(behind)
        if columns:
            draft.use(behind, role="condition")
            add_comparison(draft, Slot(behind, columns), first, op, value, high)
            return
    token = draft.items[last].token
    clock = token is not None and token.clock
    hits = tuple(
        ColumnHit(named.table.name, named.column.name, 0.4)
        for named in draft.lexicon.columns
        if (holds_lengths(named.column) if clock else is_number(named.column) and named.column.role == "measure")
    )
    if len(hits) == 1:
        add_comparison(draft, Slot(first, hits), first, op, value, high)
        return
    draft.used[first] = draft.used[last] = False


def _money_of_rows(draft: Draft, slot: Slot) -> tuple[ColumnHit, ...]:
    """ "how many payments exceeded 500": the amount of each, not how many there are."""
    own = [hit for hit in slot.hits if hit.table == draft.table_at(slot.item, 0.9)]
    return tuple(hit for hit in own if is_number(draft.column(hit)) and draft.column(hit).role == "measure")


def _worth(draft: Draft, first: int, op: Operator, value: float, high: float | None) -> bool:
    """ "worth over 500", "totalling more than 1,000": the data's amount, of the thing itself or of all that belongs
    to it."""
    worth = next((i for i in range(first - 1, max(-1, first - 3), -1) if _tells_worth(draft, i)), None)
    if worth is None:
        return False
    hits = columns_named(draft, ("revenue", "amount", "total", "sales", "value"))
    hits = tuple(hit for hit in hits if is_number(draft.column(hit)) and draft.column(hit).role == "measure")
    if not hits:
        return False
    draft.use(worth, role="condition")
    if draft.items[worth].norm == "worth" and any(
        item.tables and item.tables[0].table == hits[0].table for item in draft.items
    ):
        add_comparison(draft, Slot(worth, hits), first, op, value, high)
    else:
        draft.having.append(Having(Measure("sum", Slot(worth, hits), item=worth), op, value, high))
    return True


def _tells_worth(draft: Draft, index: int) -> bool:
    """ "worth", "totalling", and what somebody "spent" where no column is called so: all of it together."""
    item = draft.items[index]
    named = bool(item.columns) and item.columns[0].score >= _NAMED
    return item.norm in _WORTH or (item.norm in _SPENT and draft.free(index) and not named)


def _count_word_between(draft: Draft, start: int, end: int) -> bool:
    return any(draft.items[index].tag("distinct") for index in range(start + 1, end))


def _has_verb_before(draft: Draft, index: int) -> bool:
    return any(
        draft.items[i].norm.split()[-1] in HOLDS or draft.tagged_as(i, "contain") or _is_verb(draft, i)
        for i in range(max(0, index - 3), index)
    )


def _is_verb(draft: Draft, index: int) -> bool:
    token = draft.items[index].token
    return token is not None and bool(token.keys) and token.norm.endswith(("ed", "ve", "ke", "es", "ce"))


def _negated(draft: Draft, index: int) -> bool:
    for position in range(index - 1, max(-1, index - 3), -1):
        if draft.tagged_as(position, "neg"):
            draft.use(position, role="condition")
            return True
        if draft.items[position].names:
            return False
    return False
