"""Queries over queries: figures of groups, sets put together, figures without FROM."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from learning.lifting.conditions import Conditions
from learning.lifting.reader import Ctes, Env
from learning.lifting.sketches import ALL, ANY, NO_HAVING, Node, NotLifted, chained, conj
from learning.lifting.trees import AGGREGATES, COMPARED, flatten_and, number_of, source_of, unaliased, unwrap


class Nested(Conditions):
    """What stands around another query."""

    def combined(self, tree: exp.Expression, ctes: Ctes) -> Node:
        """What stands in both of two queries, or in the first alone."""
        left, right = self.query(tree.left, ctes), self.query(tree.right, ctes)
        if any(side[0] not in ("rows", "things") or side[1][0] != "v1" for side in (left, right)):
            raise NotLifted("set operation")
        op = "member" if isinstance(tree, exp.Intersect) else "nonmember"
        inner = ("sub", right[1][1], right[2], NO_HAVING)
        return ("things", left[1], conj([left[2], (op, left[1][1], inner)]), ALL)

    def nested(self, tree: exp.Select, ctes: Ctes) -> Node | None:
        """The sketch of a SELECT over another query, or without FROM; None for all others."""
        item = source_of(tree)
        if item is None:
            return self._without_source(tree, ctes)
        inner = None
        if isinstance(item, exp.Subquery):
            inner = item.this
        elif isinstance(item, exp.Table):
            inner = ctes.get(item.name.casefold())
        if inner is None or tree.args.get("joins"):
            return None
        if isinstance(inner, exp.SetOperation):
            return self._counted_set(tree, inner, ctes)
        grouped = isinstance(inner, exp.Select) and any(
            inner.args.get(part) for part in ("group", "having", "limit", "distinct")
        )
        return self._over_groups(tree, inner, ctes) if grouped else None

    def _counted_set(self, tree: exp.Select, inner: exp.Expression, ctes: Ctes) -> Node:
        counts = len(tree.expressions) == 1 and isinstance(unwrap(tree.expressions[0]), exp.Count)
        if not counts or isinstance(inner, exp.Union):
            raise NotLifted("union")
        one = self.query(inner, ctes)
        return ("agg", ("m1", ("countd", one[1][1])), one[2])

    def _over_groups(self, tree: exp.Select, inner: exp.Select, ctes: Ctes) -> Node:
        if any(tree.args.get(part) for part in ("group", "having", "qualify")):
            raise NotLifted("groups of groups")
        body = self.query(inner, ctes)
        names = [e.alias_or_name.casefold() for e in inner.expressions]
        where = tree.args.get("where")
        if where is not None:
            body = _filtered(body, where.this, names)
        if len(tree.expressions) != 1:
            raise NotLifted("several figures over a query")
        return _folded(unwrap(unaliased(tree.expressions[0])), body, names)

    def _without_source(self, tree: exp.Select, ctes: Ctes) -> Node:
        """SELECT (query) / (query), 100 times or not, without FROM: two figures of one result."""
        if len(tree.expressions) != 1:
            raise NotLifted("figures without FROM")
        return ("agg", ("m1", self.scalar(unaliased(tree.expressions[0]), Env(ctes))), ANY)


def _filtered(body: Node, where: exp.Expression, names: Sequence[str]) -> Node:
    """A condition over the groups of an inner query, as HAVING."""
    if body[0] != "group" or body[5] != ALL or body[4] != NO_HAVING:
        raise NotLifted("condition over a query")
    found = []
    for part in map(unwrap, flatten_and(where)):
        op = COMPARED.get(type(part))
        number = number_of(part.right) if op else None
        figure = _figure_named(part.left, body, names) if op else None
        if number is None or figure is None:
            raise NotLifted("condition over a query")
        found.append((f"h{op}", figure, ("N", number)))
    return (*body[:4], chained("hand", found[:2]), body[5])


def _folded(e: exp.Expression, body: Node, names: Sequence[str]) -> Node:
    """A figure over the rows or groups of an inner query."""
    if body[0] in ("things", "rows") and isinstance(e, exp.Count) and body[3] == ALL and body[1][0] == "v1":
        return ("agg", ("m1", ("countd", body[1][1])), body[2])
    if body[0] != "group":
        raise NotLifted("figure over " + body[0])
    if isinstance(e, exp.Count) and body[5] == ALL:
        return ("over_count", body[1], body[3], body[4])
    figure = _figure_named(e.this, body, names) if type(e) in AGGREGATES and body[5] == ALL else None
    if figure is None:
        raise NotLifted("figure over a query")
    return ("over", (AGGREGATES[type(e)],), body[1], figure, body[3], body[4])


def _figure_named(e: exp.Expression, body: Node, names: Sequence[str]) -> Node | None:
    """The figure of a group that a column of the inner query names."""
    e = unwrap(e)
    if not isinstance(e, exp.Column) or e.name.casefold() not in names:
        return None
    keys, figures = body[1][1:], body[2][1:]
    place = names.index(e.name.casefold()) - len(keys)
    return figures[place] if 0 <= place < len(figures) else None
