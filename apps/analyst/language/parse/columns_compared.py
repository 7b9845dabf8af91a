"""One column of a row held against another: "shipped after the required date", "stock below the reorder level"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.analyst.language.concepts import days_from
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.parse.draft import Condition, Draft, Operator, Slot, is_number, is_time
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Column

_OPERATORS: dict[str, Operator] = {
    **dict.fromkeys(("after", "later than", "above", "over", "past", "beyond", "exceeds", "exceed", "exceeding"), ">"),
    **dict.fromkeys(("more than", "greater than", "higher than", "larger than", "longer than", "bigger than"), ">"),
    **dict.fromkeys(("before", "earlier than", "below", "under", "less than", "lower than", "fewer than"), "<"),
    **dict.fromkeys(("smaller than", "shorter than"), "<"),
}
COMPARED: dict[str, Operator] = {
    **dict.fromkeys(("more", "higher", "greater", "larger", "later", "longer", "bigger"), ">"),
    **dict.fromkeys(("fewer", "less", "lower", "smaller", "earlier", "shorter"), "<"),
}
_MOMENTS = frozenset(("after", "later than", "before", "earlier than", "past"))
"""Said of days, not of figures: revenue "after discount" is not held against the discount."""
_LOOK_BACK, _NAMED = 9, 0.55
_LATE = words("late delayed overdue")
_PROMISED = frozenset(form for word in ("due", "required", "promised", "deadline", "expected") for form in keys(word))
_PLANNED = words("original originally planned initial expected scheduled budgeted baseline forecast agreed promised")
_ACTUAL = words("actual final current real")
_SAID, _THING = 0.45, 0.9
_LEVELS = frozenset(
    form for word in ("reorder", "minimum", "min", "safety", "threshold", "level") for form in keys(word)
)
_STOCK = frozenset(form for word in ("stock", "inventory", "hand") for form in keys(word))
_DONE = frozenset(
    form
    for word in words("shipped ship delivered delivery completed arrival arrived closed resolved paid payment")
    for form in keys(word)
)


def read_columns_compared(draft: Draft) -> None:
    """Reads comparisons of a row's own columns into conditions."""
    for index, item in enumerate(draft.items):
        if not draft.free(index):
            continue
        if item.norm in _OPERATORS:
            _compared(draft, index, _OPERATORS[item.norm], [])
        elif item.norm == "than":
            first = next((i for i in range(index - 1, max(-1, index - 9), -1) if draft.items[i].norm in COMPARED), None)
            if first is not None and draft.free(first):
                _compared(draft, index, COMPARED[draft.items[first].norm], [first])
        elif item.norm in _LATE:
            _late(draft, index)


def _compared(draft: Draft, index: int, op: Operator, used: list[int]) -> None:
    named = draft.next_named(index, reach=2, stop=("cmp", "by", "sup", "neg", "agg", "avgref"))
    if named is None or any(item.tag("distinct") for item in draft.items[index:named]):
        return  # "over different ratings": along them
    for right in draft.items[named].columns:
        if right.score < _NAMED:
            return
        left = _left(draft, index, right) or _in_stock(draft, index, right) or _as_it_is(draft, index, right)
        if left is not None:
            position, hit = left
            draft.use(index, named, position, *used, role="condition")
            draft.conditions.append(Condition("columns", Slot(position, (hit,)), op=op, other=right, item=index))
            return


def _left(draft: Draft, index: int, right: ColumnHit) -> tuple[int, ColumnHit] | None:
    """The column before the comparison, of the same table and kind."""
    for position in range(index - 1, max(-1, index - _LOOK_BACK), -1):
        if not draft.free(position) or draft.items[position].number is not None:
            return None
        adjective = draft.table_at(position + 1, _THING) is not None  # "open deals": no date of opening
        for hit in draft.items[position].columns if not adjective else ():
            timed = draft.items[index].norm not in _MOMENTS or draft.column(hit).type in ("date", "datetime")
            own = hit.table == right.table and hit.column != right.column and hit.score >= _SAID
            if own and timed and _alike(draft, hit, right):
                return position, hit
    return None


def _in_stock(draft: Draft, index: int, right: ColumnHit) -> tuple[int, ColumnHit] | None:
    """ "below the reorder level", "under their minimum stock": what is in stock is held against such a level."""
    forms = {form for own in draft.named(right).name.forms for form in own}
    table = draft.lexicon.schema.tables[right.table].table
    stocks = [
        ColumnHit(right.table, column.name, 1.0)
        for column in table.columns
        if column.name != right.column and is_number(column) and column.role != "id" and _is_stock(draft, right, column)
    ]
    return (index, stocks[0]) if len(stocks) == 1 and forms & _LEVELS else None


def _as_it_is(draft: Draft, index: int, right: ColumnHit) -> tuple[int, ColumnHit] | None:
    """ "past their original close date", "over the planned cost": what became of it is called the same without that."""
    words_of = set(draft.named(right).name.words)
    plain = words_of - _PLANNED
    for named in draft.lexicon.columns:
        hit = ColumnHit(named.table.name, named.column.name, 1.0)
        same = named.table.name == right.table and plain < words_of and set(named.name.words) - _ACTUAL == plain
        if same and hit.column != right.column and _alike(draft, hit, right):
            return index, hit
    return None


def _is_stock(draft: Draft, beside: ColumnHit, column: Column) -> bool:
    forms = {form for own in draft.named(replace(beside, column=column.name)).name.forms for form in own}
    return bool(forms & _STOCK) and not forms & _LEVELS


def _alike(draft: Draft, one: ColumnHit, other: ColumnHit) -> bool:
    a, b = draft.column(one), draft.column(other)
    dates = a.type in ("date", "datetime") and b.type in ("date", "datetime")
    figures = is_number(a) and is_number(b) and "id" not in (a.role, b.role)
    return dates or (figures and not is_time(a) and not is_time(b))


def _said_again(draft: Draft, index: int, promised: str) -> list[int]:
    """ "late, (i.e.) after the required date": the same once more."""
    last = min(index + 7, len(draft.items))
    named = next((i for i in range(index + 1, last) if any(h.column == promised for h in draft.items[i].columns)), None)
    if named is None or not any(item.norm in _OPERATORS for item in draft.items[index + 1 : named]):
        return []
    return [i for i in range(index + 1, named + 1) if draft.free(i)]


def _late(draft: Draft, index: int) -> None:
    """ "late": done after the day that was promised, where a table knows both days, or one that belongs to it."""
    for promised, done in _deadlines(draft, index):
        between = ColumnHit(done.table, days_from((promised.table, promised.column), (done.table, done.column)), 1.0)
        apart = promised.table != done.table
        if apart and (between.table, between.column) not in draft.lexicon.concepts:
            continue
        draft.use(index, role="condition")
        for position in range(max(0, index - 2), index):
            if draft.free(position) and any(hit.column == done.column for hit in draft.items[position].columns):
                draft.use(position, role="condition")
        draft.use(*_said_again(draft, index, promised.column), role="condition")
        if apart:
            late = Condition("compare", Slot(index, (between,)), op=">", values=(0.0,), item=index)
        else:
            late = Condition("columns", Slot(index, (done,)), op=">", other=promised, item=index)
        draft.conditions.append(late)
        draft.assumptions.append(f"Late means that the {spoken(done.column)} is after the {spoken(promised.column)}")
        return


def _deadlines(draft: Draft, index: int) -> list[tuple[ColumnHit, ColumnHit]]:
    """The day that was promised and the day it was done: first of one table, then of a table and what belongs to it;
    first what is said to be late ("paid late"), where several things were done."""
    tokens = draft.tagged.tokens[draft.items[max(0, index - 2)].start : draft.items[index].start]
    said = frozenset(form for token in tokens for form in token.keys)
    promised = [hit for hit, forms in _days(draft) if forms & _PROMISED]
    done = [(hit, forms) for hit, forms in _days(draft) if forms & _DONE and not forms & _PROMISED]
    pairs = [(one.table != other.table, not forms & said, one, other) for one in promised for other, forms in done]
    return [(one, other) for _, _, one, other in sorted(pairs, key=lambda pair: pair[:2])]


def _days(draft: Draft) -> Iterator[tuple[ColumnHit, frozenset[str]]]:
    for named in draft.lexicon.tables:
        for column in named.table.columns:
            if column.type in ("date", "datetime"):
                forms = draft.lexicon.schema.columns[named.table.name, column.name].name.forms
                yield ColumnHit(named.table.name, column.name, 1.0), frozenset(f for own in forms for f in own)
