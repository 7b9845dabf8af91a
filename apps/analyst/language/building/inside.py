"""The rows that belong to the first by their own number: "the tracks on the album with the most tracks"."""

from __future__ import annotations

from apps.analyst.language.building.built import Built
from apps.analyst.language.building.listing import listing
from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.schema import Edge
from apps.analyst.plan import Aggregate, ColumnRef, InQuery, Order, Output, Query
from apps.analyst.plan.conditions import together

_NUMBER = "rows"


def belongs_to_first(draft: Draft) -> Edge | None:
    """How rows refer to the thing that has the most of them, where the rows are asked for and not the thing."""
    if len(draft.sorts) != 1 or draft.groups or draft.measures or draft.having:
        return None
    sort = draft.sorts[0]
    counted = sort.measure
    if not sort.superlative or counted is None or counted.fn != "count" or counted.table is None or counted.distinct:
        return None
    things = [(item, table) for item, table, _ in sorted(draft.entities) if item < sort.item]
    if len(things) < 2 or things[0][1] != counted.table or things[-1][1] == counted.table:
        return None
    told = [c for c in draft.conditions if c.kind != "exists" or c.negated or c.table != things[-1][1]]
    if told or any(slot.item > things[0][0] or slot.best.table != counted.table for slot in draft.select):
        return None
    for edge in draft.lexicon.schema.edges.get(counted.table, ()):
        if edge.one and edge.target == things[-1][1] and len(edge.source_columns) == 1 and edge.part is None:
            return edge
    return None


def rows_of_first(draft: Draft, edge: Edge) -> Built:
    """Those rows, listed. Raises Unbuildable."""
    sort = draft.sorts.pop()
    draft.conditions.clear()
    key = ColumnRef(table=edge.source, column=edge.source_columns[0])
    counted = Query(
        source=edge.source,
        groups=(Output(label=key.column, expr=key),),
        measures=(Output(label=_NUMBER, expr=Aggregate(fn="count")),),
        order=(Order(by=_NUMBER, descending=sort.descending),),
        limit=sort.limit,
        offset=sort.offset,
        ties=sort.limit == 1 and not sort.offset,
    )
    first = Query(source=counted, columns=(Output(label=key.column, expr=ColumnRef(table="", column=key.column)),))
    draft.entities = [entry for entry in draft.entities if entry[1] == edge.source][:1]
    built = listing(draft)
    where = together([part for part in (built.query.where, InQuery(of=key, query=first)) if part is not None])
    built.query = built.query.model_copy(update={"where": where})
    return built
