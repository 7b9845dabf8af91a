"""Who stands behind the largest transaction: "the employee who handled the order with the highest total value"."""

from __future__ import annotations

from apps.analyst.language.building.aggregated import aggregated_query
from apps.analyst.language.building.built import Built, Unbuildable
from apps.analyst.language.building.dimensions import shown_columns
from apps.analyst.language.parse.draft import Draft, Group
from apps.analyst.plan import ColumnRef, Output, Query


def stands_behind(draft: Draft) -> str | None:
    """The table of the things asked for, where transactions are ranked and something else is wanted of the first."""
    ranked = draft.groups[0].table if len(draft.groups) == 1 and "transaction" in draft.axes else None
    if ranked is None or draft.select or draft.measures or draft.having or len(draft.sorts) != 1:
        return None
    others = [table for _, table, _ in sorted(draft.entities) if table != ranked]
    reached = [table for table in others if draft.lexicon.schema.path(ranked, table, one=True) is not None]
    return reached[0] if reached and others[0] == reached[0] else None


def behind_largest(draft: Draft, table: str) -> Built:
    """The things that the first transactions belong to. Raises Unbuildable."""
    width = len(shown_columns(draft, table))
    draft.groups.insert(0, Group(table=table, item=0))
    draft.entities = []
    built = aggregated_query(draft)
    labels = [*built.groups[:width], *built.measures]
    if len(labels) == width or len(built.groups) <= width:
        raise Unbuildable
    columns = tuple(Output(label=label, expr=ColumnRef(table="", column=label)) for label in labels)
    query = Query(source=built.query, columns=columns)
    return Built(query, built.groups[:width], [], [], built.lost, built.multiplied)
