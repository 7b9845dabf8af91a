"""A figure held against that of a named thing: "which stadiums hold more people than Elm Park", "taller than Anna"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.columns_compared import COMPARED
from apps.analyst.language.parse.draft import Condition, Draft, Operator, Slot, holds_figures, is_number, is_time
from apps.analyst.language.parse.quantities import by_adjective
from apps.analyst.language.parse.subjects import subject_before
from apps.analyst.language.parse.value_columns import spellings
from apps.analyst.language.tagging import ColumnHit

_OF_IT = words("the that those of in for at by a an")
_PAIRS = words("did does do is was are were has have")
"""They open a question about two named things, which wants a yes or no."""
_TURNED: dict[Operator, Operator] = {">": "<", "<": ">"}
_AGES = {"older than": "<", "younger than": ">"}
"""Who is older was born earlier."""
_SURE, _NAMES_ROWS, _REACH = 0.75, 0.9, 7


def read_than_things(draft: Draft) -> None:
    """Reads "more X than A" into a condition on X, and takes A for no condition of its own."""
    if draft.items and (draft.items[0].norm.split()[0] in _PAIRS or any(i.tag("difference") for i in draft.items)):
        return
    for index, item in enumerate(draft.items):
        if not draft.free(index) or item.norm.split()[-1] != "than" or any(i.tag("or") for i in draft.items[index:]):
            continue
        thing = _thing(draft, index)
        found = _operator(draft, index) if thing is not None else None
        if thing is not None and found is not None:
            _held_against(draft, index, thing, *found)


def _thing(draft: Draft, index: int) -> int | None:
    """The item right behind "than" that names a row."""
    for position in range(index + 1, min(index + 5, len(draft.items))):
        item = draft.items[position]
        if not draft.free(position):
            return None
        if item.values and item.number is None and item.values[0].score >= _SURE and not item.tag("agg", "cmp"):
            named = max(
                [*(hit.score for hit in item.columns[:1]), *(hit.score for hit in item.tables[:1])], default=0.0
            )
            return position if named < item.values[0].score else None
        if not all(word in _OF_IT for word in item.norm.split()):
            return None
    return None


def _operator(draft: Draft, index: int) -> tuple[Operator, list[int]] | None:
    """Which way it is compared, and the item that says so."""
    norm = draft.items[index].norm
    if norm in _AGES or norm in ("later than", "earlier than"):
        return (">" if norm in ("older than", "later than") else "<"), []
    tag = draft.items[index].tag("cmp")
    if tag is not None and tag.value in _TURNED:
        return (">" if tag.value == ">" else "<"), []
    for position in range(index - 1, max(-1, index - _REACH), -1):
        if draft.items[position].norm in COMPARED and draft.free(position):
            return COMPARED[draft.items[position].norm], [position]
    return None


def _held_against(draft: Draft, index: int, thing: int, op: Operator, said: list[int]) -> None:
    homes = _homes(draft, thing)
    if not homes or _named_before(draft, index, homes):
        return
    figure = _figure(draft, index, said[0] if said else index)
    for home in homes if figure is not None else ():
        assert figure is not None
        slot, items = figure
        hits = tuple(hit for hit in slot.hits if hit.table == home.table and hit.column != home.column)
        if not hits:
            continue
        born = draft.items[index].norm in _AGES and is_time(draft.column(hits[0]))
        draft.use(index, thing, *said, *items, role="condition")
        values = spellings(draft.items[thing], home.table, home.column)
        draft.conditions.append(
            Condition(
                "beyond", Slot(slot.item, hits), op=_TURNED[op] if born else op, values=values, item=thing, other=home
            )
        )
        return


def _homes(draft: Draft, thing: int) -> list[ColumnHit]:
    """The columns that hold the thing and tell their rows apart, the surest first."""
    found: list[ColumnHit] = []
    for value in draft.items[thing].values:
        hit = ColumnHit(value.table, value.column, value.score)
        column, rows = draft.column(hit), draft.lexicon.schema.tables[value.table].table.rows
        own = column.type == "text" and column.distinct >= _NAMES_ROWS * max(1, rows - column.missing)
        if own and all((hit.table, hit.column) != (other.table, other.column) for other in found):
            found.append(hit)
    return sorted(found, key=lambda hit: -hit.score)


def _named_before(draft: Draft, index: int, homes: list[ColumnHit]) -> bool:
    """True where another thing of the kind is named as well: then the two are compared with one another."""
    columns = {(home.table, home.column) for home in homes}
    return any(
        (value.table, value.column) in columns and value.score >= _SURE
        for item in draft.items[:index]
        if not item.names and item.number is None
        for value in item.values
    )


def _figure(draft: Draft, index: int, said: int) -> tuple[Slot, list[int]] | None:
    """What is compared: the figure between "more" and "than", the one before, or what the adjective measures."""
    for position in range(said + 1, index):
        hits = tuple(
            hit
            for hit in draft.items[position].columns
            if hit.score >= _NAMES_ROWS / 2 and (_is_figure(draft, hit) or is_time(draft.column(hit)))
        )
        if hits and draft.free(position):
            return Slot(position, hits), [position]
    if said < index - 1:
        return None  # "more wins than A" where nothing is called wins
    degree = by_adjective(draft, index)
    if degree is not None:
        return degree, []
    before = subject_before(draft, said)
    return (before[0], before[2]) if before is not None and before[0].hits else None


def _is_figure(draft: Draft, hit: ColumnHit) -> bool:
    column = draft.column(hit)
    return (is_number(column) and column.role != "id") or holds_figures(column)
