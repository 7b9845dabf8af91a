"""Rankings inside groups: "top 3 products per category by revenue", "the most expensive product in each category"."""

from __future__ import annotations

from apps.analyst.language.building.aggregated import aggregated_query
from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.building.dimensions import shown_columns
from apps.analyst.language.building.people import homes_of_people
from apps.analyst.language.figures import additive
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot
from apps.analyst.plan import AggregateName, Order


def ranks_within(draft: Draft) -> bool:
    """True where things are ranked and something else than they parts the ranking."""
    ranked = [sort for sort in draft.sorts if sort.superlative and sort.limit is not None and not sort.offset]
    if len(ranked) != 1 or len(draft.sorts) != 1 or not draft.groups or draft.having or draft.measures:
        return False
    if ranked[0].measure is None and ranked[0].slot is None:
        return False
    return _ranked_thing(draft) is not None


def ranking_within(draft: Draft) -> Built:
    """The first things of each group, group by group. Raises Unbuildable."""
    thing = _ranked_thing(draft)
    if thing is None:
        raise Unbuildable
    sort = draft.sorts[0]
    if sort.measure is None:
        assert sort.slot is not None
        fn: AggregateName = "sum" if additive(draft, sort.slot.best) else "max" if sort.descending else "min"
        sort.measure, sort.slot = Measure(fn, sort.slot, item=sort.item, said=False), None
    draft.groups.append(thing)
    draft.select = [slot for slot in draft.select if slot is not thing.slot]
    draft.entities = []
    built = aggregated_query(draft)
    width = 1 if thing.slot is not None else len(shown_columns(draft, thing.table or ""))
    labels = tuple(built.groups[:-width])
    if not labels:
        raise Unbuildable
    query = built.query.model_copy(
        update={"order": (*(Order(by=label) for label in labels), *built.query.order), "limit_per": labels}
    )
    return Built(query, built.asked, built.groups, built.measures, built.lost, built.multiplied)


def _ranked_thing(draft: Draft) -> Group | None:
    """What is ranked: a table named as a thing, else a column, that is none of the groups."""
    tables = {group.table for group in draft.groups if group.table} | {
        group.slot.best.table for group in draft.groups if group.slot is not None and group.slot.hits
    }
    columns = {(g.slot.best.table, g.slot.best.column) for g in draft.groups if g.slot is not None and g.slot.hits}
    first = min((group.item for group in draft.groups), default=0)
    for item, table, _ in sorted(draft.entities):
        if table not in tables and item < first:
            return Group(table=table, item=item)
    for slot in draft.select:
        if slot.item < first and (slot.best.table, slot.best.column) not in columns and _names(draft, slot):
            return Group(slot, item=slot.item)
    homes = [home for home in homes_of_people(draft) if home not in tables] if draft.items[0].norm == "who" else []
    return Group(table=homes[0], item=0) if len(homes) == 1 and not draft.entities and not draft.select else None


def _names(draft: Draft, slot: Slot) -> bool:
    column = draft.column(slot.best)
    return column.type == "text" or column.role == "id"
