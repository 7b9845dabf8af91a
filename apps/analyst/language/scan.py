"""Which table a query scans and how the others join it, without counting anything twice.

A query scans the table whose rows it lists or counts. Tables that a row meets at most once are joined; a restriction
on a
table that a row may meet many times becomes a semi-join.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from apps.analyst.computing.compile.walk import references
from apps.analyst.language.schema import Edge, Schema
from apps.analyst.plan import Call, ColumnRef, Constant, Expr, InQuery, Join, JoinKey, Output, Predicate, Query


def join_of(step: Edge, how: Literal["inner", "left"] = "inner") -> Join:
    """A step between tables as a join."""
    on = tuple(
        JoinKey(
            left=ColumnRef(table=step.source, column=mine),
            right=ColumnRef(table=step.target, column=theirs),
            fold=step.fold,
            part=step.part,
        )
        for mine, theirs in zip(step.source_columns, step.target_columns, strict=True)
    )
    return Join(table=step.target, on=on, how=how)


@dataclass(slots=True)
class Scan:
    """A base table with its joins in order."""

    schema: Schema
    base: str
    joins: list[Join] = field(default_factory=list)
    joined: set[str] = field(default_factory=set)
    multiplied: bool = False
    """True where a join may meet several rows, so that rows of the base repeat."""

    common: set[str] = field(default_factory=set)
    """Joined tables whose rows several rows of the base share."""

    def reach(self, table: str, *, many: bool = False) -> bool:
        """Joins a table (over others where needed); only by steps to one row, unless `many`."""
        if table in self.joined:
            return True
        starts = sorted(self.joined, key=lambda start: (start != self.base, self.schema.distance(start, table)))
        for start in starts:
            steps = self.schema.path(start, table, one=True)
            if steps is not None and not any(step.target in self.joined for step in steps):
                self._take(steps)
                return True
        if many:
            paths = [
                steps
                for start in starts
                if (steps := self.schema.path(start, table)) is not None
                and not self.schema.strays(steps, shared=start in self.common)
            ]
            paths.sort(key=lambda steps: sum(step.cost for step in steps))
            for steps in paths:
                remaining = tuple(step for step in steps if step.target not in self.joined)
                self.multiplied = self.multiplied or any(not step.one for step in remaining)
                self._take(remaining)
                return True
        return False

    def reach_all_of(self, where: Predicate | None) -> bool:
        """Joins every table that a predicate reads: a derived figure may be made of several."""
        tables = dict.fromkeys(ref.table for ref in references(where)) if where is not None else {}
        return all(self.reach(table) for table in tables if table)

    def _take(self, steps: Sequence[Edge]) -> None:
        for step in steps:
            self.joins.append(join_of(step))
            self.multiplied = self.multiplied or step.versions
            if step.source in self.common or self.schema.leads_to_shared(step):
                self.common.add(step.target)
            self.joined.add(step.target)

    def among(self, table: str, where: Predicate | None, *, negated: bool = False) -> Predicate | None:
        """The rows that meet (or never meet) a row of another table where something holds; None where none joins, and
        where rows join by several columns together: by one of them they would meet rows that are not theirs."""
        paths = [steps for start in sorted(self.joined) if (steps := self.schema.path(start, table))]
        if not paths or any(len(steps[0].source_columns) > 1 for steps in paths):
            return None
        steps = min(paths, key=lambda found: sum(step.cost for step in found))
        first, rest = steps[0], steps[1:]
        inner = Scan(self.schema, first.target, joined={first.target})
        inner._take(rest)
        if not inner.reach_all_of(where):
            return None
        query = Query(
            source=first.target,
            joins=tuple(inner.joins),
            where=where,
            columns=(Output(label="key", expr=_compared(first, "right")),),
        )
        return InQuery(
            of=_compared(first, "left"),
            query=query,
            negated=negated,
            fold=first.fold,
        )


def _compared(step: Edge, side: Literal["left", "right"]) -> Expr:
    """The key on one side of a step, as far as it is compared."""
    table, columns = (step.source, step.source_columns) if side == "left" else (step.target, step.target_columns)
    key = ColumnRef(table=table, column=columns[0])
    if step.part is None:
        return key
    start, length = (step.part.start, step.part.length or 0) if step.part.side == side else (0, 0)
    bounds = (Constant(value=start, type="number"), Constant(value=length, type="number"))
    return Call(name="key_part", args=(key, *bounds))


def choose_base(schema: Schema, needed: Iterable[str], preferred: Sequence[str] = ()) -> Scan | None:
    """The scan that reaches all needed tables, by steps to one row if any table allows it; None where they do not
    join."""
    tables = list(dict.fromkeys(needed))
    if not tables:
        return None
    if len(tables) == 1:
        return Scan(schema, tables[0], joined={tables[0]})
    best: tuple[float, int, Scan] | None = None
    for order, base in enumerate(schema.tables):
        scan = Scan(schema, base, joined={base})
        if not all(scan.reach(table) for table in sorted(tables, key=lambda table: schema.distance(base, table))):
            continue
        cost = sum(schema.distance(base, table) for table in tables)
        cost += 0.0 if base in tables else 0.9
        cost -= 0.4 if base in preferred else 0.0
        if best is None or cost < best[0] - 1e-9:
            best = (cost, order, scan)
    if best is not None:
        return best[2]
    for base in [*preferred, *tables]:
        if base not in tables:
            continue
        scan = Scan(schema, base, joined={base})
        if all(scan.reach(table, many=True) for table in tables):
            return scan
    return None
