"""One SELECT as a sketch: its keys, its figures, its conditions, and which rows are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

from apps.analyst.reading.sketch import MOST_FIGURES, MOST_KEYS, MOST_VALUES, walk
from learning.lifting.merging import merged
from learning.lifting.months import parts_of_dates, pushed_down
from learning.lifting.nested import Nested
from learning.lifting.reader import Ctes, Env
from learning.lifting.sides import within
from learning.lifting.sketches import (
    ALL,
    NO_HAVING,
    Node,
    NotLifted,
    conj,
    direction,
    drop_filled,
    first,
    given,
    how_many,
    opposite,
    unroll,
)
from learning.lifting.trees import has_aggregate, number_of, source_of, unaliased, unwrap

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
        tree = sqlglot.parse_one(sql, read="duckdb")
        for node in tree.walk():
            node.comments = None
        return parts_of_dates(self.query(tree, {}))

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
        tree = merged(tree, ctes)
        return self.nested(tree, ctes) or self._select(_grouped_as_read(tree, ctes), ctes)

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
        return self._rows(parts, pred, env)

    def _rows(self, parts: Select, pred: Node, env: Env) -> Node:
        if any(isinstance(e, exp.Star) for e in parts.outputs):
            raise NotLifted("star")
        values = [self.value(e, env) for e in parts.outputs]
        if not 1 <= len(values) <= MOST_VALUES:
            raise NotLifted("columns")
        last = ALL
        if parts.arg("qualify") is not None:
            return self._first_rows_of_each(unwrap(parts.arg("qualify").this), values, pred, env)
        if parts.count is not None:
            if parts.by is None:
                raise NotLifted("limit without order")
            by = self.value(parts.by, env)
            pred, last = drop_filled(pred, by), first(parts.descending, ("byv", by), parts.count)
        return ("things" if parts.arg("distinct") else "rows", (f"v{len(values)}", *values), pred, last)

    def _first_rows_of_each(self, e: exp.Expression, values: list[Node], pred: Node, env: Env) -> Node:
        """The first rows of each value, which is told first."""
        window, count = _ranked(e, env)
        order, key = window.args["order"].expressions[0], self.key(env.item(window.args["partition_by"][0]), env)
        by = self.value(env.item(order.this), env)
        listed = [key, *(value for value in values if value != key)]
        last = ("per", direction(bool(order.args.get("desc"))), ("byv", by), how_many(count))
        if not 2 <= len(listed) <= MOST_VALUES:
            raise NotLifted("columns")
        return ("rows", (f"v{len(listed)}", *listed), drop_filled(drop_filled(pred, by), key), last)

    def _groups(self, parts: Select, pred: Node, env: Env) -> Node:
        sides = self._side_by_side(parts, pred, env)
        if sides is not None:
            return sides
        measures = [self.measure(e, env) for e in parts.outputs if has_aggregate(e)]
        measures, pred = (
            pushed_down(measures, pred)
            if any(p[0] == "months" for p in unroll(pred)) and _spans(measures)
            else (measures, pred)
        )
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
        shown = [e for e in parts.outputs if not has_aggregate(e) and not isinstance(unwrap(e), exp.Literal)]
        if shown and not parts.keys:
            raise NotLifted("output that is no key")
        written = {key.sql(): self.key(key, env) for key in parts.keys}
        told = [written.get(e.sql()) or self.key(e, env) for e in shown]
        if any(key not in written.values() for key in told):
            raise NotLifted("output that is no key")
        hidden = [key for key in dict.fromkeys(written.values()) if key not in told]
        return told or hidden

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
        window, count = _ranked(e, env)
        order = window.args["order"].expressions[0]
        figure = self.measure(env.item(order.this), env)
        return ("per", direction(bool(order.args.get("desc"))), ("bym", figure), how_many(count))

    # ---------------------------------------------------------------- sides
    def _sides(self, case: exp.Case, pred: Node, env: Env) -> tuple[list[Node], Node]:
        """The conditions by which a CASE parts rows into named groups, and the condition of all of them."""
        if case.args.get("this") is not None or any(number_of(b.args["true"]) is not None for b in case.args["ifs"]):
            raise NotLifted("case")
        sides = [self.conjunction(branch.this, env) for branch in case.args["ifs"]]
        if case.args.get("default") is not None:
            if len(sides) > 1:
                raise NotLifted("case of many")
            sides.append(opposite(sides[0]))
        return within(sides, pred)

    def _side_by_side(self, parts: Select, pred: Node, env: Env) -> Node | None:
        """Groups by a CASE as figures beside each other; None where there is no CASE among the keys."""
        cases = [key for key in parts.keys if isinstance(unwrap(key), exp.Case)]
        if not cases:
            return None
        others = [self.key(key, env) for key in parts.keys if key not in cases]
        flag = _flag_of(unwrap(cases[0]))
        if flag is not None and len(cases) == 1:
            others = [self.key(flag, env), *others]
            figures = [self.measure(e, env) for e in parts.outputs if has_aggregate(e)]
        elif len(cases) > 1 or parts.arg("having") is not None or parts.arg("qualify") is not None:
            raise NotLifted("case among keys")
        else:
            sides, pred = self._sides(unwrap(cases[0]), pred, env)
            measures = [self.measure(e, env) for e in parts.outputs if has_aggregate(e)]
            figures = [_given_in(measure, side) for side in sides for measure in measures]
        if not 1 <= len(figures) <= MOST_FIGURES or len(others) > MOST_KEYS:
            raise NotLifted("too many keys or figures")
        listed = (f"m{len(figures)}", *figures)
        if not others:
            return ("agg", listed, pred)
        return ("group", (f"k{len(others)}", *others), listed, pred, NO_HAVING, ALL)


def _ranked(e: exp.Expression, env: Env) -> tuple[exp.Window, int]:
    """The window that ranks rows or groups within others, and how many places are shown."""
    if isinstance(e, exp.EQ | exp.LTE | exp.LT):
        window, number = env.item(unwrap(e.left)), number_of(e.right)
        if isinstance(window, exp.Window) and isinstance(window.this, _RANKS) and number is not None:
            count = int(number) - (1 if isinstance(e, exp.LT) else 0)
            if len(window.args.get("partition_by") or []) != 1:
                raise NotLifted("partition")
            if isinstance(e, exp.EQ) and count != 1:
                raise NotLifted("a later place")
            return window, count
    raise NotLifted("qualify")


def _flag_of(case: exp.Case) -> exp.Expression | None:
    """The column of two values whose sides a CASE names."""
    if len(case.args["ifs"]) != 1 or case.args.get("default") is None:
        return None
    test = unwrap(case.args["ifs"][0].this)
    return test if isinstance(test, exp.Column) else None


def _given_in(measure: Node, side: Node) -> Node:
    """A figure of the rows of one side; a share of rows in its own words."""
    if measure[0] in ("share", "running", "total", "previous"):
        raise NotLifted("a window among sides")
    return given(measure, side)


def _spans(measures: list[Node]) -> bool:
    """Whether figures are of stretches of time of their own."""
    return any(part[0] == "dates" for measure in measures for part in walk(measure))


def _grouped_as_read(tree: exp.Select, ctes: Ctes) -> exp.Select:
    """A SELECT that only puts figures of groups beside each other, with the groups that they are of."""
    start = source_of(tree)
    joins = [join.this for join in tree.args.get("joins") or []]
    if start is None or not joins or tree.args.get("group") or any(map(has_aggregate, tree.expressions)):
        return tree
    figures: set[str] = set()
    for item in (start, *joins):
        inner = item.this if isinstance(item, exp.Subquery) else ctes.get(item.name.casefold())
        if not isinstance(inner, exp.Select) or not inner.args.get("group"):
            return tree
        figures |= {e.alias_or_name.casefold() for e in inner.expressions if has_aggregate(e)}
    made = tree.copy()
    shown = [unaliased(e) for e in made.expressions]
    keys = [e.copy() for e in shown if not any(c.name.casefold() in figures for c in e.find_all(exp.Column))]

    def summed(node: exp.Expression) -> exp.Expression:
        return exp.Sum(this=node.copy()) if isinstance(node, exp.Column) and node.name.casefold() in figures else node

    made.set("expressions", [e if unaliased(e) in keys else e.transform(summed) for e in made.expressions])
    if made.args.get("where") is not None:
        raise NotLifted("condition of joined groups")
    order = made.args.get("order")
    made.set("order", order.transform(summed) if order is not None else None)
    made.set("group", exp.Group(expressions=keys))
    return made


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
