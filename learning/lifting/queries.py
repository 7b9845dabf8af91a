"""One SELECT as a sketch: its keys, its figures, its conditions, and which rows are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

from learning.lifting.nested import Nested
from learning.lifting.reader import Ctes, Env
from learning.lifting.sketches import (
    ALL,
    NO_HAVING,
    Node,
    NotLifted,
    conj,
    direction,
    drop_filled,
    first,
    how_many,
)
from learning.lifting.trees import has_aggregate, unaliased, unwrap

MOST_KEYS, MOST_FIGURES, MOST_COLUMNS = 3, 4, 5
_RANKS = (exp.RowNumber, exp.Anonymous, exp.Rank, exp.DenseRank)


@dataclass(frozen=True)
class Select:
    """The parts of a SELECT, each name replaced by what it stands for."""

    tree: exp.Select
    outputs: list[exp.Expression]
    keys: list[exp.Expression]
    by: exp.Expression | None
    """What the rows are ordered by first."""
    descending: bool
    count: int | None
    """How many rows are shown, where not all are."""

    def arg(self, name: str) -> Any:
        """A clause of the SELECT."""
        return self.tree.args.get(name)

    @property
    def grouped(self) -> bool:
        """Whether rows are put together."""
        return bool(self.arg("group") or self.arg("having") or any(map(has_aggregate, self.outputs)))


class Lifter(Nested):
    """Lifts the queries of one catalog."""

    def lift(self, sql: str) -> Node:
        """The sketch that says what the query says. Raises NotLifted."""
        return self.query(sqlglot.parse_one(sql, read="duckdb"), {})

    def query(self, tree: exp.Expression, ctes: Ctes) -> Node:
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this, ctes)
        named = tree.args.get("with_") or tree.args.get("with")
        if named:
            ctes = {**ctes, **{cte.alias.casefold(): cte.this for cte in named.expressions}}
        if isinstance(tree, exp.Intersect | exp.Except):
            return self.combined(tree, ctes)
        if not isinstance(tree, exp.Select):
            raise NotLifted(type(tree).__name__)
        if tree.args.get("offset"):
            raise NotLifted("offset")
        return self.nested(tree, ctes) or self._select(tree, ctes)

    def _select(self, tree: exp.Select, ctes: Ctes) -> Node:
        aliases = {e.alias.casefold(): e.this for e in tree.expressions if isinstance(e, exp.Alias)}
        env = Env(ctes, aliases=aliases)
        conditions = self.sources(tree, env)
        where = tree.args.get("where")
        if where is not None:
            conditions = [*conditions, self.conjunction(where.this, env)]
        pred, parts = conj(conditions), _parts(tree, env)
        if parts.grouped:
            return self._groups(parts, pred, env)
        if parts.arg("qualify") is not None:
            raise NotLifted("qualify over rows")
        return self._rows(parts, pred, env)

    def _rows(self, parts: Select, pred: Node, env: Env) -> Node:
        if any(isinstance(e, exp.Star) for e in parts.outputs):
            raise NotLifted("star")
        values = [self.value(e, env) for e in parts.outputs]
        if not 1 <= len(values) <= MOST_COLUMNS:
            raise NotLifted("columns")
        last = ALL
        if parts.count is not None:
            if parts.by is None:
                raise NotLifted("limit without order")
            by = self.value(parts.by, env)
            pred, last = drop_filled(pred, by), first(parts.descending, ("byv", by), parts.count)
        return ("things" if parts.arg("distinct") else "rows", (f"v{len(values)}", *values), pred, last)

    def _groups(self, parts: Select, pred: Node, env: Env) -> Node:
        measures = [self.measure(e, env) for e in parts.outputs if has_aggregate(e)]
        having = self.having(parts.arg("having").this, env) if parts.arg("having") is not None else NO_HAVING
        keys = self._keys(parts, env)
        shown = any(not has_aggregate(e) for e in parts.outputs)
        if keys and not shown and measures and parts.by is None and having != NO_HAVING:
            raise NotLifted("figures of unnamed groups")
        last = self._shown(parts, measures, env)
        if not keys:
            if having != NO_HAVING or not 1 <= len(measures) <= MOST_FIGURES:
                raise NotLifted("having without keys")
            return ("agg", (f"m{len(measures)}", *measures), pred)
        if len(keys) > MOST_KEYS or len(measures) > MOST_FIGURES:
            raise NotLifted("too many keys or figures")
        if len(keys) == 1 and keys[0][0] == "C":
            pred = drop_filled(pred, keys[0])
        return ("group", (f"k{len(keys)}", *keys), (f"m{len(measures)}", *measures), pred, having, last)

    def _keys(self, parts: Select, env: Env) -> list[Node]:
        """What the groups are told apart by. Keys that are not shown only make names unique (an id beside a name) and
        are no part of the meaning, unless nothing else is shown."""
        written = {key.sql() for key in parts.keys}
        shown = [e for e in parts.outputs if not has_aggregate(e)]
        if shown and not parts.keys:
            raise NotLifted("output that is no key")
        if any(not isinstance(unwrap(e), exp.Literal) and e.sql() not in written for e in shown):
            raise NotLifted("output that is no key")
        named = {e.sql() for e in shown}
        hidden = [self.key(key, env) for key in parts.keys if key.sql() not in named]
        return [self.key(e, env) for e in shown] or hidden

    def _shown(self, parts: Select, measures: list[Node], env: Env) -> Node:
        """Which of the groups are shown."""
        if parts.arg("qualify") is not None:
            return self._first_of_each(unwrap(parts.arg("qualify").this), env)
        if parts.count is None:
            return ALL
        if parts.by is None:
            raise NotLifted("limit without order")
        return first(parts.descending, self._ranked_by(parts.by, measures, env), parts.count)

    def _ranked_by(self, e: exp.Expression, measures: list[Node], env: Env) -> Node:
        if not has_aggregate(e):
            return ("byv", self.key(e, env))
        figure = self.measure(e, env)
        return ("by1",) if measures and figure == measures[0] else ("bym", figure)

    def _first_of_each(self, e: exp.Expression, env: Env) -> Node:
        if isinstance(e, exp.EQ | exp.LTE | exp.LT):
            window, number = env.item(unwrap(e.left)), unwrap(e.right)
            if isinstance(window, exp.Window) and isinstance(window.this, _RANKS):
                count = int(number.this) - (1 if isinstance(e, exp.LT) else 0)
                order = window.args["order"].expressions[0]
                if len(window.args.get("partition_by") or []) != 1:
                    raise NotLifted("partition")
                figure = self.measure(env.item(order.this), env)
                return ("per", direction(bool(order.args.get("desc"))), ("bym", figure), how_many(count))
        raise NotLifted("qualify")


def _parts(tree: exp.Select, env: Env) -> Select:
    outputs = [unaliased(e) for e in tree.expressions]
    group, limit, order = (tree.args.get(name) for name in ("group", "limit", "order"))

    def meant(e: exp.Expression) -> exp.Expression:
        """What a place or a name in GROUP BY and ORDER BY stands for."""
        e = unaliased(e)
        if isinstance(e, exp.Literal) and not e.is_string:
            return outputs[int(e.this) - 1]
        return env.item(e) if isinstance(e, exp.Column) and not e.table else e

    keys = [meant(key) for key in group.expressions] if group else []
    if group and group.args.get("all"):
        keys = [e for e in outputs if not has_aggregate(e)]
    top = order.expressions[0] if order and order.expressions else None
    return Select(
        tree=tree,
        outputs=outputs,
        keys=keys,
        by=meant(top.this) if top is not None else None,
        descending=bool(top.args.get("desc")) if top is not None else False,
        count=int(limit.expression.this) if limit else None,
    )
