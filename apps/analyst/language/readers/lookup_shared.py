"""What questions about single rows and pairs have in common: named values, the other conditions, figures."""

from __future__ import annotations

from apps.analyst.language.figures import as_figure, column_ref
from apps.analyst.language.parse.draft import Condition, Draft, Slot
from apps.analyst.language.predicates import constant, restrictions
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import Compare, Part, Plan, Predicate
from apps.analyst.plan.conditions import together

Found = tuple[Plan, tuple[str, ...], float]
"""A plan, the labels asked for, and how sure the reading is."""


def named_values(draft: Draft) -> tuple[Condition, tuple[str | float, ...]] | None:
    """The condition that names two or more values of one column (or years), with the values."""
    for condition in draft.conditions:
        if condition.kind == "value" and condition.slot is not None and len(condition.values) >= 2:
            return condition, condition.values
    by_column: dict[tuple[str, str], list[Condition]] = {}
    for condition in draft.conditions:
        if condition.slot is not None and condition.kind in ("value", "compare", "period") and condition.op == "=":
            by_column.setdefault((condition.slot.best.table, condition.slot.best.column), []).append(condition)
    for conditions in by_column.values():
        if len(conditions) >= 2:
            values = tuple(
                v
                for c in conditions
                for v in (c.values or ((float(c.period.low.year),) if c.period and c.period.low else ()))
            )
            if len(values) >= 2:
                return conditions[0], values
    return None


def rest_of(draft: Draft, without: ColumnHit) -> Predicate | None:
    """All other conditions of the question on the same table."""
    kept = [
        c
        for c in draft.conditions
        if c.slot is None or (c.slot.best.table, c.slot.best.column) != (without.table, without.column)
    ]
    held, draft.conditions = draft.conditions, kept
    found = [r.predicate for r in restrictions(draft) if r.table == without.table and r.predicate is not None]
    draft.conditions = held
    return together(found)


def equals(draft: Draft, hit: ColumnHit, value: str | float) -> Predicate:
    column = draft.column(hit)
    of = column_ref(draft, hit)
    if column.type in ("date", "datetime") and isinstance(value, float):
        return Compare(op="=", left=Part(part="year", of=of), right=constant(value, column))
    return Compare(op="=", left=of, right=constant(value, column))


def both(one: Predicate | None, other: Predicate) -> Predicate:
    joined = together([p for p in (one, other) if p is not None])
    assert joined is not None
    return joined


def figures_named(draft: Draft, table: str, without: ColumnHit | None = None) -> list[Slot]:
    """Columns with figures that the question names on a table, measures first."""
    slots = [m.slot for m in draft.measures if m.slot is not None and m.slot.hits]
    slots += [s.slot for s in draft.sorts if s.slot is not None] + [
        s.measure.slot for s in draft.sorts if s.measure and s.measure.slot
    ]
    slots += list(draft.select)
    good = []
    for slot in slots:
        hit = slot.best
        if (
            hit.table == table
            and as_figure(draft, hit) is not None
            and (without is None or hit.column != without.column)
        ):
            good.append(slot)
    return good


def only_table(draft: Draft, hit: ColumnHit) -> bool:
    return all(slot.best.table == hit.table for slot in draft.select)
