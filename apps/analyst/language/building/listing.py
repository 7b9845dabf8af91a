"""Queries that list rows."""

from __future__ import annotations

from apps.analyst.language.building.built import Built, Unbuildable, scan_over
from apps.analyst.language.building.dimensions import entity_columns
from apps.analyst.language.building.restricting import restrict
from apps.analyst.language.building.settling import head_table
from apps.analyst.language.concepts import plain_name
from apps.analyst.language.figures import (
    as_figure,
    column_ref,
    time_column,
)
from apps.analyst.language.parse.draft import Draft, Slot, Sort, is_number, is_time
from apps.analyst.language.predicates import restrictions
from apps.analyst.language.scan import Scan
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    ROW_NUMBER,
    ColumnRef,
    Expr,
    Missing,
    Order,
    Output,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import together

_OWNED = frozenset(("their", "its", "his", "her", "associated", "corresponding", "respective"))
_NAMED = 0.9


def listing(draft: Draft) -> Built:
    entity = head_table(draft)
    slots = _distinct_slots([*(_named_beside(draft) or _whose(draft)), *draft.select, *_named_with(draft)])
    tables = [slot.best.table for slot in slots]
    if not tables and entity is not None:
        tables = [entity]
    sorts = list(draft.sorts)
    sort_tables = [sort.slot.best.table for sort in sorts if sort.slot is not None]
    for slot in [*slots, *(sort.slot for sort in sorts if sort.slot is not None)]:
        concept = draft.lexicon.concepts.get((slot.best.table, slot.best.column))
        sort_tables += concept.tables if concept is not None else ()
    if not tables:
        tables = _implied_tables(draft, sort_tables)
    if not tables:
        raise Unbuildable
    drawn = draft.wish is not None and draft.wish.explicit and draft.wish.mark != "scatter"
    if drawn and slots and all(is_number(draft.column(s.best)) and not is_time(draft.column(s.best)) for s in slots):
        slots = [*_named_rows(draft, entity or tables[0]), *slots]
        tables = [slot.best.table for slot in slots]
    scan = scan_over(draft, list(dict.fromkeys([*tables, *sort_tables])), [*([entity] if entity else []), *tables])
    where, lost = restrict(draft, scan)
    outputs = _columns(draft, slots, tables[0])
    order, limit, offset, where = _listing_order(draft, scan, sorts, where)
    query = Query(
        source=scan.base,
        joins=tuple(scan.joins),
        where=where,
        columns=tuple(outputs),
        distinct=(draft.distinct or (scan.base not in tables and not sorts) or _repeating(draft, scan, slots))
        and not order_outside(order, outputs),
        order=tuple(order),
        limit=limit,
        offset=offset,
        ties=limit == 1 and not offset and len(order) == 1 and not _by_row(order),
    )
    return Built(query, [o.label for o in outputs], [], [], lost, scan.multiplied)


def _whose(draft: Draft) -> list[Slot]:
    """ "dishes with their prices": the things are asked for, and their figures beside them."""
    if not draft.select or not draft.entities or draft.sorts:
        return []
    item, table, _ = min(draft.entities)
    first = min(draft.select, key=lambda slot: slot.item)
    before = draft.items[first.item - 1].norm if first.item > 0 else ""
    shown = {slot.best.table for slot in draft.select if draft.column(slot.best).type == "text"}
    if item > first.item or before not in _OWNED or table in shown or first.best.table != table:
        return []
    return _named_rows(draft, table)


def _named_with(draft: Draft) -> list[Slot]:
    """ "product names and their categories": a thing said behind columns of another is shown by name."""
    if not draft.select or draft.sorts:
        return []
    last = max(slot.item for slot in draft.select)
    texts = {slot.best.table for slot in draft.select}
    said = [entry for entry in sorted(draft.entities) if entry[0] > last]
    behind = [table for item, table, _ in said if _owned(draft, item) or _joined_by_and(draft, item)]
    return [slot for table in behind if table not in texts for slot in _named_rows(draft, table)]


def _owned(draft: Draft, index: int) -> bool:
    """ "and their (associated) categories"."""
    before, owned = index - 1, False
    while before > 0 and (draft.items[before].norm in _OWNED or draft.is_filler(before)) and not _is_and(draft, before):
        owned = owned or draft.items[before].norm in _OWNED
        before -= 1
    return owned and _is_and(draft, before)


def _is_and(draft: Draft, index: int) -> bool:
    return draft.items[index].tag("and") is not None or draft.items[index].norm == "with"


def _named_beside(draft: Draft) -> list[Slot]:
    """ "suppliers and the products they supply": things of two tables said side by side are both shown by name."""
    first = {table: item for item, table, _ in sorted(draft.entities, reverse=True)}
    said = sorted((item, table) for table, item in first.items())
    ranked = any(sort.superlative or sort.limit is not None for sort in draft.sorts)
    if not 2 <= len(said) <= 3 or draft.conditions or ranked:
        return []
    joined = [entry for entry in said[1:] if _joined_by_and(draft, entry[0])]
    if not joined:
        return []
    texts = {slot.best.table for slot in draft.select if draft.column(slot.best).type == "text"}
    tables = [table for _, table in (said[0], *joined) if table not in texts]
    return [slot for table in tables for slot in _named_rows(draft, table)]


def _joined_by_and(draft: Draft, index: int) -> bool:
    before = index - 1
    while before > 0 and draft.items[before].norm in ("the", "all", "their", "all the", "its", "what", "which"):
        before -= 1
    behind = draft.items[index + 1].norm.split()[0] if index + 1 < len(draft.items) else ""
    told = behind in ("they", "it", "that", "which", "he", "she") or _owned(draft, index)
    return draft.items[before].tag("and") is not None and told


def _by_row(order: list[Order]) -> bool:
    return any(isinstance(entry.by, ColumnRef) and entry.by.column == ROW_NUMBER for entry in order)


def _named_rows(draft: Draft, table: str) -> list[Slot]:
    """The columns that name a table's rows, for charts that show one bar a row."""
    return [Slot(-1, (ColumnHit(table, column.name, 1.0),)) for column in draft.lexicon.schema.name_columns(table)]


def order_outside(order: list[Order], outputs: list[Output]) -> bool:
    """True where rows are sorted by something that is not shown: then duplicates cannot be dropped."""
    labels = {output.label for output in outputs}
    return any(not isinstance(entry.by, str) or entry.by not in labels for entry in order)


def _repeating(draft: Draft, scan: Scan, slots: list[Slot]) -> bool:
    """One dimension listed on its own: each of its values once."""
    return (
        len(slots) == 1
        and not is_number(draft.column(slots[0].best))
        and not draft.every_row
        and bool(draft.column(slots[0].best).distinct)
    )


def _implied_tables(draft: Draft, sort_tables: list[str]) -> list[str]:
    if sort_tables:
        return sort_tables[:1]
    found = [restriction.table for restriction in restrictions(draft)]
    if found:
        return found[:1]
    return [draft.lexicon.tables[0].table.name] if len(draft.lexicon.tables) == 1 else []


def _distinct_slots(slots: list[Slot]) -> list[Slot]:
    seen: set[tuple[str, str]] = set()
    kept = []
    for slot in slots:
        key = (slot.best.table, slot.best.column)
        if key not in seen:
            seen.add(key)
            kept.append(slot)
    return kept


def _columns(draft: Draft, slots: list[Slot], table: str) -> list[Output]:
    shown = [(slot.best.table, slot.best.column) for slot in slots]
    shown = shown or [(ref.table, ref.column) for ref in entity_columns(draft, table)]
    outputs: list[Output] = []
    seen: set[str] = set()
    for owner, column in shown:
        label = plain_name(column) if column not in seen else f"{owner} {column}"
        seen.add(column)
        named = draft.lexicon.schema.columns[owner, column]
        outputs.append(
            Output(label=label, expr=column_ref(draft, ColumnHit(owner, column, 1.0)), unit=named.column.unit)
        )
    return outputs


def _listing_order(
    draft: Draft, scan: Scan, sorts: list[Sort], where: Predicate | None
) -> tuple[list[Order], int | None, int, Predicate | None]:
    orders: list[Order] = []
    limit, offset = None, 0
    for sort in sorts:
        by = _listing_key(draft, sort, scan)
        if by is None and sort.limit is not None:
            raise Unbuildable
        if by is None:
            continue
        orders.append(Order(by=by, descending=sort.descending))
        if sort.row and not scan.joins and not _by_row(orders):
            orders.append(Order(by=ColumnRef(table=scan.base, column=ROW_NUMBER), descending=sort.descending))
        if sort.limit is not None:
            limit, offset = sort.limit, sort.offset
            if not (isinstance(by, ColumnRef) and by.column == ROW_NUMBER):
                present = Missing(of=by, negated=True)
                where = present if where is None else together([where, present])
    return orders, limit, offset, where


def _listing_key(draft: Draft, sort: Sort, scan: Scan) -> Expr | None:
    if sort.slot is not None:
        return as_figure(draft, sort.slot.best) or column_ref(draft, sort.slot.best)
    if sort.row and _of_other_rows(draft, sort, scan):
        return None
    if sort.row or sort.superlative:
        column = time_column(draft, scan.base)
        if sort.row and column is not None:
            return ColumnRef(table=scan.base, column=column.name)
        if sort.row:
            return ColumnRef(table=scan.base, column=ROW_NUMBER)
        figures = [c for c in draft.lexicon.schema.tables[scan.base].table.columns if c.role == "measure"]
        return ColumnRef(table=scan.base, column=figures[0].name) if figures else None
    shown = draft.select or []
    if shown:
        return column_ref(draft, shown[-1 if sort.axis == "y" else 0].best)
    refs = entity_columns(draft, scan.base)
    return refs[0] if refs else None


def _of_other_rows(draft: Draft, sort: Sort, scan: Scan) -> bool:
    """ "which company placed the last 3 orders" over companies alone: the orders say which are the last."""
    named = (draft.table_at(index, _NAMED) for index in range(sort.item + 1, sort.item + 3))
    return next((table for table in named if table is not None), scan.base) != scan.base
