"""Figures of what all lines of a whole thing tell alike, in tables whose rows are lines (`tables/per_key`): each thing
enters once, by its first line.

An average of days from order to shipment over lines would count an order of nine articles nine times. What is told
once for a thing, as its total, stands on first lines alone: a column of that kind that no thing lacks marks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, Missing, Node, Plan, Predicate
from apps.analyst.plan.conditions import all_of, conjuncts, together
from apps.analyst.plan.nodes import every, everywhere
from apps.analyst.ports import Catalog
from apps.analyst.types import Table

N = TypeVar("N", bound=Node)
_WEIGHED = ("sum", "avg", "median", "quantile", "mode", "stddev", "stddev_pop", "variance", "variance_pop")
"""Aggregates to which it matters how often a value stands in the rows."""


def with_firsts(plan: Plan, catalog: Catalog) -> Plan:
    """The plan with such figures over first lines alone; as it is where a line's own columns are read, too."""
    marks = _marks(catalog)
    read = [ref for ref in every(plan) if isinstance(ref, ColumnRef) and ref.column != ROW_NUMBER] if marks else []
    levels = {ref.table: set[str]() for ref in read}
    tables = {table.name: table for table in catalog.tables() if table.name in marks}
    for ref in read:
        column = tables[ref.table].column(ref.column) if ref.table in tables else None
        levels[ref.table].add(column.per_key if column is not None else "")
    alike = {table for table in marks if levels.get(table) and "" not in levels[table]}
    kept = {table: marks[table] for table in alike}
    return everywhere(plan, lambda part, _: _first(part, kept, tables)) if kept else plan


def without_firsts(plan: N, catalog: Catalog) -> N:
    """The plan, or a part of one, without the conditions that `with_firsts` puts on figures, to be weighed and told."""
    marks = set(_marks(catalog).values())

    def change(part: Node, _: str) -> Node | None:
        if not isinstance(part, Aggregate) or part.where is None:
            return None
        return part.model_copy(update={"where": together([p for p in conjuncts(part.where) if p not in marks])})

    return everywhere(plan, change) if marks else plan


def _marks(catalog: Catalog) -> Mapping[str, Predicate]:
    """What holds for first lines alone, by the table."""
    found = {table.name: mark for table in catalog.tables() if (mark := _mark(table)) is not None}
    return {name: Missing(of=ColumnRef(table=name, column=column), negated=True) for name, column in found.items()}


def _mark(table: Table) -> str | None:
    key = next((column for column in table.columns if column.per_key == "key"), None)
    once = (column for column in table.columns if column.per_key == "once")
    return next((c.name for c in once if key is not None and table.rows - c.missing == key.distinct), None)


def _first(part: Node, marks: Mapping[str, Predicate], tables: Mapping[str, Table]) -> Node | None:
    """A figure to which it matters how often a value stands in the rows, over first lines."""
    if not isinstance(part, Aggregate) or part.fn not in _WEIGHED or part.of is None or part.distinct:
        return None
    read = list(references(part.of))
    lined = {ref.table for ref in read if ref.table in marks} - {ref.table for ref in read if _is_once(ref, tables)}
    return part.model_copy(update={"where": all_of(part.where, *(marks[name] for name in sorted(lined)))})


def _is_once(ref: ColumnRef, tables: Mapping[str, Table]) -> bool:
    column = tables[ref.table].column(ref.column) if ref.table in tables else None
    return column is not None and column.per_key == "once"
