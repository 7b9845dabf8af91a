"""How many were sold: pieces and not rows of a list of goods, different goods each once, and shares of the pieces."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Measure, Slot
from apps.analyst.language.parse.events import is_buyer
from apps.analyst.language.tagging import ColumnHit

SOLD = words("sold sell bought purchased")
_FULL_NAME = 0.95


def share_of_sold(draft: Draft, index: int) -> None:
    """ "what percentage of lamps sold were blue": a share of the pieces sold, not of the list of lamps."""
    thing, verb = index + 1, index + 2
    table = draft.table_at(thing, 0.9) if draft.free(thing) else None
    if table is None or verb >= len(draft.items) or draft.items[verb].norm not in SOLD or not draft.free(verb):
        return
    schema = draft.lexicon.schema
    hits = tuple(hit for hit in pieces_of_rows(draft) if hit.table != table and schema.path(hit.table, table, one=True))
    if hits:
        draft.use(thing, verb, role="measure")
        draft.measures.append(Measure("sum", Slot(thing, hits), item=thing, said=False))


def pieces_sold(draft: Draft, index: int, target: int | None) -> bool:
    """ "how many lamps were sold", "how many products did we sell": pieces of a kind or thing, not rows of it."""
    pieces = draft.lexicon.pieces()
    last = min(index + 7, len(draft.items))
    sold = next((i for i in range(index + 1, last) if draft.items[i].norm in SOLD and draft.free(i)), None)
    if sold is None or not pieces or any(draft.items[i].tag("neg", "cmp", "distinct") for i in range(index, sold)):
        return False
    if sold + 1 < len(draft.items) and draft.items[sold + 1].tag("cmp"):
        return False
    if draft.items[sold - 1].norm in ("being", "still"):
        return False  # "products that are still being sold": things on offer
    if target == sold - 1 and is_buyer(draft, target):
        return False
    kinds = [i for i in range(index + 1, sold) if draft.items[i].values and draft.roles.get(i) == "condition"]
    table = draft.table_at(target) if target is not None and target < sold else None
    edges = draft.lexicon.schema.edges
    of = [p for p in pieces if kinds or any(e.one and e.target == table for e in edges.get(p.table.name, ()))]
    if not of or (target is not None and table is None) or any(p.table.name == table for p in of):
        return False
    draft.use(index, sold, *([target] if table and target is not None else []), role="measure")
    hits = tuple(ColumnHit(named.table.name, named.column.name, _FULL_NAME) for named in of)
    draft.measures.append(Measure("sum", Slot(sold, hits), item=index, said=False))
    draft.assumptions.append("Sold is counted in pieces, not in sales")
    return True


def kinds_sold(draft: Draft, index: int, target: int | None) -> bool:
    """ "how many different lamps did we sell": those that stand in the sales, each once."""
    last = min(index + 7, len(draft.items))
    sold = next((i for i in range(index + 1, last) if draft.items[i].norm in SOLD and draft.free(i)), None)
    table = draft.table_at(target, _FULL_NAME) if target is not None else None
    if sold is None or target is None or table is None or target > sold or is_buyer(draft, target):
        return False
    edges = draft.lexicon.schema.edges
    keys_ = [
        ColumnHit(edge.source, edge.source_columns[0], 1.0)
        for piece in draft.lexicon.pieces()
        for edge in edges.get(piece.table.name, ())
        if edge.one and edge.target == table and len(edge.source_columns) == 1
    ]
    if len(keys_) != 1:
        return False
    draft.use(*(i for i in range(index, target + 1) if draft.free(i)), sold, role="measure")
    draft.measures.append(Measure("count", Slot(target, tuple(keys_)), distinct=True, item=index))
    return True


def pieces_of_rows(draft: Draft) -> tuple[ColumnHit, ...]:
    """The columns of how many pieces a row stands for."""
    return tuple(ColumnHit(named.table.name, named.column.name, _FULL_NAME) for named in draft.lexicon.pieces())
