"""The readings of a message that speaks of who was told alone: those of just these stand before all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.alike_values import SUREST
from apps.analyst.conversation.piece import Named
from apps.analyst.conversation.predicates import among
from apps.analyst.conversation.rows import ref_of
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.told_alone import held_to
from apps.analyst.plan import Plan, Query
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.following import Meant
from apps.analyst.reading.reader import Weighed


def of_these(ranked: Sequence[Weighed], named: list[Named], catalog: Catalog, warehouse: Warehouse) -> list[Weighed]:
    """What a message says by itself, of these alone; as it is where they have no place in it."""
    return [_held(one, named, catalog, warehouse) or one for one in ranked]


def _held(one: Weighed, named: list[Named], catalog: Catalog, warehouse: Warehouse) -> Weighed | None:
    plan = one.reading.plan
    if not isinstance(plan, Query) or plan.source != named[0].table:
        return None
    own = held_to(plan, named, Scene(catalog))
    computed = computed_of(own, catalog, warehouse, checked=True) if own is not None else None
    return Weighed(replace(one.reading, plan=own), computed) if own is not None and computed is not None else None


def for_these(ranked: Sequence[tuple[Meant, float]], named: list[Named]) -> list[tuple[Meant, float]]:
    """The readings; those of these alone first, the likeliest of each figure as likely as it is together with all that
    tell that figure of others, for which no word speaks."""
    test = among(ref_of(named[0]), [one.value for one in named])
    kept = [found for found in ranked if test in list(every(found[0].plan))]
    others = [found for found in ranked if found not in kept]
    made: list[tuple[Meant, float]] = []
    for one, chance in kept:
        first = all(_figures(one.plan) != _figures(before.plan) for before, _ in made)
        added = sum(more for other, more in others if first and _figures(other.plan) == _figures(one.plan))
        made.append((one, min(SUREST, chance + added)))
    return [*sorted(made, key=lambda found: -found[1]), *others]


def _figures(plan: Plan) -> list[str]:
    """What a plan computes, whatever it is called."""
    return [output.expr.model_dump_json() for output in plan.measures] if isinstance(plan, Query) else []
