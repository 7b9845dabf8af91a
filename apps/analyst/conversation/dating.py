"""By which date a plan goes where a message names a period and no date."""

from __future__ import annotations

from apps.analyst.computing.metrics.roles import Entity, find
from apps.analyst.conversation.figures import conditions_within
from apps.analyst.conversation.predicates import column_of, date_of, left_out, values_of
from apps.analyst.conversation.scene import Scene
from apps.analyst.plan import ColumnRef, Query
from apps.analyst.plan.conditions import conjuncts


def date_meant(query: Query, scene: Scene) -> ColumnRef | None:
    """The date that the query goes by already, else the one at which the states it looks at were reached, else the main
    one of its rows."""
    return date_of(query, scene.dated) or _of_states(query, scene) or scene.main_date(query)


def _of_states(query: Query, scene: Scene) -> ColumnRef | None:
    """The date at which deals or tickets end, where the query looks at how they ended: deals that were won in 2025 were
    won then, whenever they were created, as where the question says both (`metrics_scope`)."""
    crm = find(scene.catalog)
    entities = crm.entities.values() if crm is not None else ()
    found = next((one for one in entities if one.table.name == query.source), None)
    end = found.part("closed") if found is not None else None
    if found is None or end is None or not _looks_at_ends(query, found):
        return None
    return ColumnRef(table=end.table, column=end.name)


def _looks_at_ends(query: Query, entity: Entity) -> bool:
    """Whether the query's rows or figures are chosen by how things ended, or by their not having ended."""
    if entity.states is None:
        return False
    stage = ColumnRef(table=entity.states.part.table, column=entity.states.part.name)
    tests = [test for test in (*conjuncts(query.where), *conditions_within(query)) if column_of(test) == stage]
    said = {value for test in tests for value in (*values_of(test), *left_out(test))}
    return bool(said & {*entity.states.won, *entity.states.lost})
