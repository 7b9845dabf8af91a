"""Before a query is built: the sketch becomes one consistent request (whose figure, which dimensions)."""

from __future__ import annotations

from apps.analyst.language.building.built import Unbuildable
from apps.analyst.language.building.people import count_people
from apps.analyst.language.concepts import DISCOUNT, STOCK_VALUE
from apps.analyst.language.figures import (
    additive,
    default_aggregate,
)
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.parse.draft import Draft, Having, Measure, Sort, is_number, is_time
from apps.analyst.language.parse.quantities import columns_named, has_own_id
from apps.analyst.language.parse.sizes import MONEY
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import Arithmetic, ColumnRef

_SAID, _MANY_ROWS = 0.6, 5
_RATINGS = frozenset(
    form for word in ("rating", "csat", "nps", "satisfaction", "stars", "score") for form in keys(word)
)
_JUDGED = words("best worst")
_LISTS = frozenset(("list", "show", "all", "each", "every", "display", "which"))


def settle(draft: Draft) -> None:
    """Turns what was read into one consistent request: whose figure, which dimensions."""
    _value_of_groups(draft)
    count_people(draft)
    _things_reached(draft)
    for measure in draft.measures:
        if "counted" in draft.axes and measure.fn == "count" and measure.slot is None:
            measure.table = measure.table or draft.table_at(draft.axes["counted"])
    if draft.select and not draft.measures and not draft.having and not any(sort.measure for sort in draft.sorts):
        figures = [
            s for s in draft.select if is_number(draft.column(s.best)) and draft.column(s.best).role == "measure"
        ]
        for group in [g for g in draft.groups if g.slot is None and g.table is not None]:
            if figures and any(slot.best.table != group.table for slot in figures):
                continue
            draft.groups.remove(group)
            draft.entities.append((group.item, group.table or "", 1.0))
    grouped = {(g.slot.best.table, g.slot.best.column) for g in draft.groups if g.slot is not None and g.slot.hits}
    totalled = {
        (m.slot.best.table, m.slot.best.column): m.item
        for m in (*draft.measures, *(sort.measure for sort in draft.sorts if sort.measure))
        if m.fn == "sum" and m.slot and m.slot.hits
    }
    kept = [slot for slot in draft.select if (slot.best.table, slot.best.column) not in grouped]
    # "revenue from dish sales", "along with their quantities": the same figure said again behind it.
    draft.select = [s for s in kept if s.item < totalled.get((s.best.table, s.best.column), len(draft.items))]
    if draft.groups and not draft.measures and not draft.having:
        _default_measure(draft)
    _figures_beside(draft)
    _rates(draft)
    _money_off(draft)
    _bare_total(draft)
    _totals_of_things(draft)
    for sort in draft.sorts:
        _sort_by_total(draft, sort)


def _value_of_groups(draft: Draft) -> None:
    """ "the value of each order": what its lines come to; what is in store belongs to no order."""
    schema = draft.lexicon.schema
    tables = {group.table for group in draft.groups if group.table is not None}
    for slot in [*draft.select, *(measure.slot for measure in draft.measures if measure.slot is not None)]:
        if not slot.hits or slot.best.column != STOCK_VALUE or slot.best.score >= _SAID or not tables:
            continue
        if all(schema.path(slot.best.table, table, one=True) is not None for table in tables):
            continue
        money = [hit for hit in columns_named(draft, MONEY) if hit.column != STOCK_VALUE and additive(draft, hit)]
        own = [hit for hit in money if all(schema.path(hit.table, table, one=True) is not None for table in tables)]
        if not own:
            raise Unbuildable
        slot.hits, slot.choice = (own[0],), None


def _things_reached(draft: Draft) -> None:
    """ "how many towns does each region have": the regions that towns refer to, though buyers have a "region" too."""
    schema = draft.lexicon.schema
    homes = [m.slot.best.table if m.slot and m.slot.hits else m.table for m in draft.measures]
    home = next((table for table in homes if table is not None), None if homes else head_table(draft))
    for group in draft.groups if home is not None else ():
        if group.slot is None or not group.slot.hits or group.table in (None, home) or home is None:
            continue
        own = group.slot.best.table == home or schema.path(home, group.slot.best.table, one=True) is not None
        if not own and schema.path(home, group.table or "") is not None:
            group.slot = None


def _rates(draft: Draft) -> None:
    """A rate that is made of totals stands in no row, so it is never listed."""
    for slot in list(draft.select):
        concept = draft.lexicon.concepts.get((slot.best.table, slot.best.column))
        if concept is not None and concept.over is not None:
            draft.select.remove(slot)
            draft.measures.append(Measure("sum", slot, item=slot.item, said=False))


def _money_off(draft: Draft) -> None:
    """ "total discount" of shares of a price: shares are not added up, the money that they took off is."""
    for measure in draft.measures:
        hit = measure.slot.best if measure.slot is not None and measure.slot.hits else None
        given = draft.lexicon.concepts.get((hit.table, DISCOUNT)) if hit is not None and measure.fn == "sum" else None
        if hit is None or given is None or measure.slot is None or not isinstance(given.expression, Arithmetic):
            continue
        share = given.expression.right
        if isinstance(share, ColumnRef) and share.column == hit.column:
            measure.slot.choice = ColumnHit(hit.table, DISCOUNT, hit.score)


def _bare_total(draft: Draft) -> None:
    """ "sales last quarter", "what is our revenue": the total is meant, not the rows one by one.

    But a question may quote the cells of a small table that numbers no rows, where it says which cells.
    """
    if draft.measures or draft.groups or draft.having or draft.sorts or draft.entities or len(draft.select) != 1:
        return
    slot = draft.select[0]
    drawn = draft.wish is not None and draft.wish.explicit
    listed = any(item.norm.split()[0] in _LISTS for item in draft.items[:3])
    stored = (slot.best.table, slot.best.column) not in draft.lexicon.concepts  # what is derived stands in no cell
    short = stored and draft.lexicon.is_small(slot.best.table)
    quoted = short and bool(draft.conditions) and not has_own_id(draft, slot.best.table)
    if drawn or listed or draft.distinct or quoted or not additive(draft, slot.best):
        return
    draft.select.remove(slot)
    draft.measures.append(Measure("sum", slot, item=slot.item, said=False))


def _totals_of_things(draft: Draft) -> None:
    """ "customers with revenue over 50,000": of the things asked for the total counts, not each of their rows."""
    counted = _counted_things(draft)
    head = head_table(draft) if counted is None else _home(counted)
    if head is None or (draft.measures and counted is None) or draft.groups or draft.sorts:
        return
    listed = [slot.best for slot in draft.select] if counted is None else [counted.slot.best] if counted.slot else []
    for condition in list(draft.conditions):
        slot = condition.slot
        if condition.kind != "compare" or slot is None or not slot.hits or condition.negated or condition.alternative:
            continue
        hit = slot.best
        own = hit.table == head and bool(listed) and all(_repeats(draft, other, hit) for other in listed)
        far = (
            hit.table != head
            and not _is_named(draft, hit.table)
            and draft.lexicon.schema.path(hit.table, head, one=True) is not None
        )
        if not additive(draft, hit) or not (own or far):
            continue
        values = [float(value) for value in condition.values if not isinstance(value, str)]
        if condition.op in ("=", "!=") or not values:
            continue
        draft.conditions.remove(condition)
        measure = Measure("sum", slot, item=slot.item, said=False)
        draft.having.append(Having(measure, condition.op, values[0], values[1] if len(values) > 1 else None))


def _counted_things(draft: Draft) -> Measure | None:
    """ "how many customers have ...": the things whose number is asked for, each of them once."""
    only = draft.measures[0] if len(draft.measures) == 1 and not draft.select else None
    if only is None or only.fn != "count" or (only.slot is None) == (only.table is None):
        return None
    return only if only.slot is None or (only.distinct and only.slot.hits) else None


def _home(measure: Measure) -> str | None:
    return measure.slot.best.table if measure.slot is not None else measure.table


def _is_named(draft: Draft, table: str) -> bool:
    """True where the rows themselves are spoken of: "customers with orders over 500"."""
    return any(item.tables and item.tables[0].table == table and item.tables[0].score >= 0.9 for item in draft.items)


def _default_measure(draft: Draft) -> None:
    """A dimension without a named aggregate: figures beside it are totalled or averaged, else rows are counted."""
    if any(sort.measure for sort in draft.sorts) or any(sort.superlative and sort.slot for sort in draft.sorts):
        return
    for slot in [slot for slot in draft.select if draft.is_told_apart(slot.item)]:
        # "Orders per month" over the lines of orders: each order once.
        draft.select.remove(slot)
        draft.measures.append(Measure("count", slot, distinct=True, item=slot.item, said=False))
    numeric = [
        slot
        for slot in draft.select
        if is_number(draft.column(slot.best))
        and draft.column(slot.best).role in ("measure", "dimension")
        and not is_time(draft.column(slot.best))
    ]
    for slot in numeric:
        draft.select.remove(slot)
        draft.measures.append(Measure(default_aggregate(draft, slot.best), slot, item=slot.item, said=False))
    if not draft.measures:
        draft.measures.append(Measure("count", table=head_table(draft), said=False))


def _figures_beside(draft: Draft) -> None:
    """ "revenue and number of orders by region": a figure beside another is one of each group, and no group itself."""
    related = any(item.tag("correlation", "versus") for item in draft.items)
    if not draft.groups or not draft.measures or related or (draft.wish is not None and draft.wish.explicit):
        return
    for slot in [slot for slot in draft.select if slot.hits]:
        column = draft.column(slot.best)
        neighbours = [*draft.items[max(0, slot.item - 1) : slot.item], *draft.items[slot.item + 1 : slot.item + 2]]
        beside = any(item.tag("and") or item.norm == "," for item in neighbours)
        if beside and is_number(column) and column.role == "measure" and not is_time(column):
            draft.select.remove(slot)
            figure = Measure(default_aggregate(draft, slot.best), slot, item=slot.item, said=False)
            draft.measures = sorted([*draft.measures, figure], key=lambda measure: measure.item)


def head_table(draft: Draft) -> str | None:
    """The table whose rows are asked for: the first thing named, else the table of the first column."""
    if draft.entities:
        return min(draft.entities)[1]
    for slot in draft.select:
        return slot.best.table
    return None


def _sort_by_total(draft: Draft, sort: Sort) -> None:
    """ "Which region has the most sales": rows of a repeated dimension are added up before they are compared."""
    if not (sort.superlative and sort.slot is not None and not draft.measures):
        return
    hit = sort.slot.best
    concept = draft.lexicon.concepts.get((hit.table, hit.column))
    if concept is not None and concept.over is not None:
        sort.measure, sort.slot = Measure("sum", sort.slot, item=sort.item, said=False), None
        return
    if draft.groups:
        timed = any(group.grain or group.part for group in draft.groups)
        if additive(draft, hit) and (timed or (sort.limit and not draft.select)):
            sort.measure, sort.slot = Measure("sum", sort.slot, item=sort.item, said=False), None
        return
    dims = [slot.best for slot in draft.select] or []
    entity = head_table(draft)
    if additive(draft, hit) and dims and all(_repeats(draft, dim, hit) for dim in dims):
        sort.measure, sort.slot = Measure("sum", sort.slot, item=sort.item, said=False), None
    elif _is_judged(draft, sort, hit) and dims and all(_stands_for_many(draft, dim, hit) for dim in dims):
        sort.measure, sort.slot = Measure("avg", sort.slot, item=sort.item, said=False), None
    elif additive(draft, hit) and not dims and entity is not None and entity != hit.table:
        path = draft.lexicon.schema.path(hit.table, entity, one=True)
        if path:
            sort.measure, sort.slot = Measure("sum", sort.slot, item=sort.item, said=False), None


def _is_judged(draft: Draft, sort: Sort, hit: ColumnHit) -> bool:
    """True for marks that people give, and for what is judged by its best and worst: of who has many of them, the best
    alone says little."""
    if not is_number(draft.column(hit)) or additive(draft, hit):
        return False
    rated = any(form & _RATINGS for form in draft.named(hit).name.forms)
    return rated or (0 <= sort.item < len(draft.items) and draft.items[sort.item].norm in _JUDGED)


def _stands_for_many(draft: Draft, dim: ColumnHit, figure: ColumnHit) -> bool:
    """True for who has many rows of the figure's own table each ("which agent has the best rating")."""
    rows = draft.lexicon.schema.tables[dim.table].table.rows
    return dim.table == figure.table and draft.column(dim).distinct * _MANY_ROWS <= rows


def _repeats(draft: Draft, dim: ColumnHit, figure: ColumnHit) -> bool:
    """True where one value of a dimension stands in many rows of the figure's table."""
    column = draft.column(dim)
    if dim.table == figure.table:
        rows = draft.lexicon.schema.tables[dim.table].table.rows
        refers = any(e.one and e.source_columns == (dim.column,) for e in draft.lexicon.schema.edges.get(dim.table, ()))
        if refers and column.role == "id":
            return not column.unique
        return (not is_number(column) or column.role == "id") and column.distinct <= 0.5 * rows
    return draft.lexicon.schema.path(figure.table, dim.table, one=True) is not None
