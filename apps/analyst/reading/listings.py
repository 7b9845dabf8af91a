"""Listings of the same rows that differ in what they show beside the names: one reading, which shows all of it."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.plan import ColumnRef, Node, Output, Plan, Query
from apps.analyst.plan.nodes import every
from apps.analyst.reading.closeness import content_places
from apps.analyst.reading.coverage import BY_NAME, LOST, NEAR_ENOUGH, own_fits, places_of, unused
from apps.analyst.reading.linking import Linked

MOST_BESIDE = 2
"""Columns that are shown beyond those of the likeliest of such listings."""


def same_rows(plans: Sequence[Plan]) -> list[int]:
    """The places of the plans that list the rows which the first lists, in its order, whatever they show of them; none
    where the first lists no rows."""
    first = _rows(plans[0]) if plans else None
    return [place for place, plan in enumerate(plans) if first is not None and _rows(plan) == first]


def asks_to_show(plans: Sequence[Plan], linked: Linked) -> bool:
    """Whether the question's words ask for one of the columns in which listings part, or for something that the first
    has no use for."""
    shown = [frozenset(n for n in _shown(plan) if isinstance(n, ColumnRef)) for plan in plans]
    bare = plans[0].model_copy(update={"columns": ()})
    shared = frozenset.intersection(*shown) | {n for n in every(bare) if isinstance(n, ColumnRef)}
    parting = frozenset().union(*shown) - shared
    common, apart = (own_fits(linked, places_of(linked, list(refs)), (), BY_NAME) for refs in (shared, parting))
    named = any(apart[n] >= max(NEAR_ENOUGH, common[n] + LOST) for n in content_places(linked))
    return named or bool(unused(linked, plans[0]))


def _shown(plan: Plan) -> list[Node]:
    return [node for output in plan.columns for node in every(output.expr)] if isinstance(plan, Query) else []


def shown_together(plans: Sequence[Plan]) -> Plan:
    """The first of plans that list the same rows, with the columns of the others beside its own."""
    first, found = plans[0], dict[str, Output]()
    assert isinstance(first, Query)
    own = {output.label for output in first.columns} | {output.expr.model_dump_json() for output in first.columns}
    for plan in plans[1:]:
        for output in plan.columns if isinstance(plan, Query) else ():
            said = output.expr.model_dump_json()
            if own.isdisjoint((output.label, said)):
                found.setdefault(said, output)
    return first.model_copy(update={"columns": (*first.columns, *list(found.values())[:MOST_BESIDE])})


def _rows(plan: Plan) -> str | None:
    """What tells which rows a listing shows, and in which order; None of what is none."""
    if not isinstance(plan, Query) or not plan.columns or plan.groups or plan.measures or plan.distinct:
        return None
    return plan.model_copy(update={"columns": (), "noun": "", "scope": ""}).model_dump_json()
