"""Queries that are joined by their key: each of their columns is looked up for the row, none is joined.

The algebra joins stored tables only. A grouped SELECT that is joined by its group gives the figure of the row's own
group (`ScalarQuery.own`), and an inner join asks that there is one; a SELECT of one row gives figures of all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from apps.analyst.plan import Aggregate, ColumnRef, Expr, InQuery, Output, Query, ScalarQuery
from apps.analyst.plan.lift.conditions import packed
from apps.analyst.plan.lift.frames import Frames
from apps.analyst.plan.lift.reader import Cte
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.scans import Columns, Derived, Named
from apps.analyst.plan.lift.syntax import has_aggregate, number_of, uncast


@dataclass
class Item:
    """One thing that is read, as it stands in FROM."""

    node: exp.Expr
    alias: str
    side: str = ""
    on: list[exp.Expr] = field(default_factory=list)


class Lookups(Frames):
    """Reads sources that are looked up."""

    pool: list[exp.Expr]
    """Conditions that may be keys of joins, or else filter."""

    @abstractmethod
    def derived(self, tree: exp.Expr, ctes: Mapping[str, Cte]) -> Derived:
        """A SELECT that stands in FROM."""

    def tree_of(self, node: exp.Expr) -> tuple[exp.Expr | None, Mapping[str, Cte]]:
        """The SELECT that a source is, None for a stored table."""
        if isinstance(node, exp.Subquery):
            return node.this, self.ctes
        cte = self.ctes.get(node.name.casefold())
        return (cte.tree, cte.known) if cte is not None and not node.args.get("db") else (None, {})

    def one_row(self, node: exp.Expr) -> bool:
        tree, _ = self.tree_of(node)
        return (
            isinstance(tree, exp.Select)
            and not tree.args.get("group")
            and any(has_aggregate(item) for item in tree.expressions)
        )

    def looked_up(self, item: Item) -> bool:
        """A source whose columns are figures: of all, or of the row's own group."""
        tree, ctes = self.tree_of(item.node)
        assert tree is not None
        derived = self.derived(tree, ctes)
        if not item.side and not derived.query.groups and (derived.query.measures or derived.query.limit == 1):
            self.names.tables[item.alias] = {n.casefold(): _single(derived, label) for n, label in derived.names}
            return True
        candidates = item.on if item.side else self.pool
        pairs = {id(part): pair for part in candidates if (pair := self._pair(part, item.alias, derived)) is not None}
        if not pairs:
            return False
        if item.side and len(pairs) != len(item.on):
            raise NotLifted("outer join on a condition")
        labels = [label for label, _ in pairs.values()]
        if not is_key(derived.query, labels):
            raise NotLifted("join with a query that repeats its key")
        own = packed([self.value(e) for _, e in pairs.values()])
        self._look_up(item, derived, labels, own)
        if not item.side:
            keys = Query(source=derived.query, columns=(Output(label="key", expr=_key_of(labels)),))
            self.scan.where.append(InQuery(of=own, query=keys))
            self.pool = [part for part in self.pool if id(part) not in pairs]
        return True

    def _pair(self, e: exp.Expr, alias: str, derived: Derived) -> tuple[str, exp.Expr] | None:
        """The label of the key of a derived source with what it equals out here."""
        if not isinstance(e, exp.EQ):
            return None
        names = {name.casefold(): label for name, label in derived.names}
        for one, two in ((e.left, e.right), (e.right, e.left)):
            mine, other = _without_step(one, two)
            if not isinstance(mine, exp.Column) or mine.name.casefold() not in names:
                continue
            is_mine = mine.table.casefold() == alias or (not mine.table and self.names.find(mine) is None)
            if is_mine and all(self.names.find(c) is not None for c in other.find_all(exp.Column)):
                return names[mine.name.casefold()], other
        return None

    def _look_up(self, item: Item, derived: Derived, labels: list[str], own: Expr) -> None:
        columns: Columns = {}
        for name, label in derived.names:
            if label in labels and len(labels) == 1 and not item.side:
                columns[name.casefold()] = Named(label, own)
                continue
            group = Output(label="key", expr=_key_of(labels))
            figure = Output(label="figure", expr=Aggregate(fn="max", of=ColumnRef(table="", column=label)))
            query = Query(source=derived.query, groups=(group,), measures=(figure,))
            columns[name.casefold()] = Named(label, ScalarQuery(query=query, own=own))
        self.names.tables[item.alias] = columns


def _without_step(mine: exp.Expr, other: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """`a.year + 1 = b.year` is `a.year = b.year - 1`."""
    mine = uncast(mine)
    if isinstance(mine, exp.Add | exp.Sub) and number_of(mine.right) is not None:
        kind = exp.Sub if isinstance(mine, exp.Add) else exp.Add
        return uncast(mine.left), kind(this=other.copy(), expression=mine.right.copy())
    return mine, other


def _single(derived: Derived, label: str) -> Named:
    """A column of a source of one row, as a value."""
    query = derived.query
    if query.measures and query.having is None:
        only = next((m for m in query.measures if m.label == label), None)
        if only is not None:
            return Named(label, ScalarQuery(query=query.model_copy(update={"measures": (only,), "order": ()})))
    column = Output(label=label, expr=ColumnRef(table="", column=label))
    return Named(label, ScalarQuery(query=Query(source=query, columns=(column,), limit=1)))


def is_key(query: Query, labels: list[str]) -> bool:
    """Whether no two rows of the query have the same values of these columns."""
    if query.groups:
        return {group.label for group in query.groups} <= set(labels)
    if query.columns and query.distinct:
        return {column.label for column in query.columns} <= set(labels)
    return isinstance(query.source, Query) and query.columns != () and is_key(query.source, labels)


def _key_of(labels: list[str]) -> Expr:
    return packed([ColumnRef(table="", column=label) for label in labels])
