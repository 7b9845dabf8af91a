"""What lies in store: "out of stock", "sold out", "which lamps are in stock", "how many pieces are in stock"."""

from __future__ import annotations

from apps.analyst.language.concepts import STOCK_VALUE
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.names import split
from apps.analyst.language.parse.draft import Condition, Draft, Measure, Slot
from apps.analyst.language.tagging import ColumnHit

_GONE = ("out of stock", "sold out", "not in stock")
_THERE = ("in stock", "on stock", "on hand", "in inventory", "in the inventory")
_STOCK = frozenset(form for word in ("stock", "inventory") for form in keys(word))
_ELSE = frozenset(form for word in ("value", "cost", "price", "level", "reorder", "order") for form in keys(word))
_ASKED = words("which what list show find name")
_WORTH = words("worth value")
_LONGEST, _NAMED = 3, 0.9


def read_stock(draft: Draft) -> None:
    """Reads being in stock into a condition on how many pieces there are, or into their number."""
    hits = _stock(draft)
    for index in range(len(draft.items)) if hits else ():
        for size in range(_LONGEST, 0, -1):
            said = " ".join(item.norm for item in draft.items[index : index + size])
            places = range(index, min(index + size, len(draft.items)))
            if said not in (*_GONE, *_THERE) or not all(draft.free(place) for place in places):
                continue
            if said in _GONE:
                _there(draft, index, size, hits, there=False)
            elif _how_many(draft, index, hits):
                draft.use(*places, role="measure")
            elif draft.items[0].norm.split()[0] in _ASKED or _things_counted(draft, index):
                _there(draft, index, size, hits, there=True)
            return
    _worth(draft)


def _stock(draft: Draft) -> tuple[ColumnHit, ...]:
    """The columns that hold how many pieces there are."""
    stored = [t for t in draft.lexicon.tables if any(keys(word) & _STOCK for word in split(t.table.name))]
    pieces = {(p.table.name, p.column.name) for p in draft.lexicon.pieces()}
    found = []
    for named in draft.lexicon.columns:
        forms = {form for own in named.name.forms for form in own}
        called = bool(forms & _STOCK) and not forms & _ELSE
        counted = any(named.table is t.table for t in stored) and (named.table.name, named.column.name) in pieces
        figure = named.column.type in ("integer", "decimal", "float") and named.column.role != "id"
        if figure and (called or counted) and not named.column.name.startswith("("):
            found.append(ColumnHit(named.table.name, named.column.name, _NAMED))
    return tuple(found)


def _there(draft: Draft, index: int, size: int, hits: tuple[ColumnHit, ...], *, there: bool) -> None:
    draft.use(*range(index, index + size), role="condition")
    draft.conditions.append(
        Condition("compare", Slot(index, hits), op=">" if there else "=", values=(0.0,), item=index)
    )


def _things_counted(draft: Draft, index: int) -> bool:
    """ "how many discontinued lamps are in stock": the kinds of lamps of which there are any."""
    count = next((i for i in range(index - 1, -1, -1) if draft.tagged_as(i, "count")), None)
    return count is not None and any(draft.table_at(i, _NAMED) for i in range(count + 1, index))


def _worth(draft: Draft) -> None:
    """ "how much is our stock worth", "what is the value of our inventory": the pieces at their price."""
    hits = tuple(ColumnHit(table, column, _NAMED) for table, column in draft.lexicon.concepts if column == STOCK_VALUE)
    said = [i for i, item in enumerate(draft.items) if item.token is not None and item.token.keys & _STOCK]
    worth = [i for i, item in enumerate(draft.items) if item.norm in _WORTH]
    if not hits or len(said) != 1 or len(worth) != 1 or not all(draft.free(i) for i in (*said, *worth)):
        return
    between = draft.items[min(*said, *worth) + 1 : max(*said, *worth)]
    if any(item.names for item in between):
        return
    asked = [i for i in range(min(*said, *worth)) if draft.items[i].norm in ("how much", "total", "the total")]
    draft.use(*said, *worth, *asked, role="measure")
    draft.measures.append(Measure("sum", Slot(said[0], hits), item=said[0], said=False))


def _how_many(draft: Draft, index: int, hits: tuple[ColumnHit, ...]) -> bool:
    """ "how many lamps are in stock": the pieces, unless the things of a table are counted."""
    count = next((i for i in range(index - 1, -1, -1) if draft.tagged_as(i, "count")), None)
    if count is None or any(draft.table_at(i, _NAMED) for i in range(count + 1, index)):
        return False
    draft.use(count, role="measure")
    nouns = [i for i in range(count + 1, index) if draft.free(i) and not draft.items[i].names]
    draft.use(*(i for i in nouns if not draft.is_filler(i)), role="measure")
    draft.measures.append(Measure("sum", Slot(index, hits), item=count, said=False))
    return True
