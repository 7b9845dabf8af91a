"""Queries over queries: figures of groups, sets put together, figures without FROM."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from learning.lifting.conditions import Conditions
from learning.lifting.merging import limited_groups
from learning.lifting.reader import Ctes, Env
from learning.lifting.sketches import ALL, ANY, NO_HAVING, Node, NotLifted, chained, conj
from learning.lifting.trees import (
    AGGREGATES,
    COMPARED,
    factors,
    flatten_and,
    is_condition,
    number_of,
    source_of,
    unaliased,
    unwrap,
)

_ADDED = ("sum", "count", "given")
"""Figures whose groups add up to the whole."""


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
        share = self._share_of_first(tree, ctes)
        if share is not None:
            return share
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
        return self._over(tree, self.query(inner, ctes), inner, ctes)

    def _over(self, tree: exp.Select, body: Node, inner: exp.Select, ctes: Ctes) -> Node:
        names = [e.alias_or_name.casefold() for e in inner.expressions]
        where = tree.args.get("where")
        if where is not None:
            body = self._filtered(body, where.this, names, ctes)
        if len(tree.expressions) != 1:
            raise NotLifted("several figures over a query")
        rate = self._share_of_groups(unwrap(unaliased(tree.expressions[0])), body, names, ctes)
        if rate is not None:
            return rate
        return _folded(unwrap(unaliased(tree.expressions[0])), body, names)

    def _share_of_groups(self, e: exp.Expression, body: Node, names: Sequence[str], ctes: Ctes) -> Node | None:
        """100 times the number of groups with a condition by the number of all."""
        if body[0] != "group" or body[4:] != (NO_HAVING, ALL):
            return None
        test: exp.Expression | None = None
        above, below = factors(e)
        numbers = [number_of(part) for part in above if number_of(part) is not None]
        tops = [unwrap(part) for part in above if number_of(part) is None]
        if numbers == [100.0] and len(tops) == 1 and len(below) == 1 and isinstance(unwrap(below[0]), exp.Count):
            if isinstance(tops[0], exp.Filter) and isinstance(tops[0].this, exp.Count):
                test = tops[0].expression.this
            elif isinstance(tops[0], exp.Sum) and is_condition(tops[0].this):
                test = unwrap(tops[0].this)
        elif numbers == [100.0] and len(tops) == 1 and not below and isinstance(tops[0], exp.Avg):
            test = unwrap(tops[0].this) if is_condition(tops[0].this) else None
        if test is None:
            return None
        return ("over_rate", body[1], body[3], self._of_groups(test, body, names, ctes))

    def _share_of_first(self, tree: exp.Select, ctes: Ctes) -> Node | None:
        """100 times the sum of the first groups by the sum of all: the share of the biggest."""
        if len(tree.expressions) != 1 or tree.args.get("group"):
            return None
        item = unwrap(unaliased(tree.expressions[0]))
        query = limited_groups(tree, ctes)
        if query is None or 100 not in map(number_of, item.find_all(exp.Literal)) or not item.find(exp.Div):
            return None
        body = self.query(query, ctes)
        if body[0] != "group" or body[5][0] != "first" or body[5][1] != ("desc",) or body[4] != NO_HAVING:
            return None
        by = body[5][2]
        figure = body[2][1] if by == ("by1",) else by[1]
        return ("top_share", body[1], figure, body[3], body[5][3]) if figure[0] in _ADDED else None

    def _filtered(self, body: Node, where: exp.Expression, names: Sequence[str], ctes: Ctes) -> Node:
        """A condition over the groups of an inner query, as HAVING."""
        if body[0] != "group" or body[5] != ALL or body[4] != NO_HAVING:
            raise NotLifted("condition over a query")
        return (*body[:4], self._of_groups(where, body, names, ctes), body[5])

    def _of_groups(self, where: exp.Expression, body: Node, names: Sequence[str], ctes: Ctes) -> Node:
        """Conditions of groups by the names of their figures."""
        found = []
        for part in map(unwrap, flatten_and(where)):
            op = COMPARED.get(type(part))
            figure = _figure_named(part.left, body, names) if op else None
            if op is None or figure is None:
                raise NotLifted("condition over a query")
            found.append(self._held(op, figure, unwrap(part.right), body, names, ctes))
        return chained("hand", found[:2])

    def _held(self, op: str, figure: Node, right: exp.Expression, body: Node, names: Sequence[str], ctes: Ctes) -> Node:
        number = number_of(right)
        if number is not None:
            return (f"h{op}", figure, ("N", number))
        other = _figure_named(right, body, names)
        if other is not None:
            return (f"hm{op}", figure, other)
        if isinstance(right, exp.Subquery):
            return self.having_against(op, figure, self.query(right.this, ctes))
        raise NotLifted("condition over a query")

    def _without_source(self, tree: exp.Select, ctes: Ctes) -> Node:
        """SELECT (query) / (query), 100 times or not, without FROM: two figures of one result."""
        if len(tree.expressions) != 1:
            raise NotLifted("figures without FROM")
        share = self._share_of_first(tree, ctes)
        if share is not None:
            return share
        return ("agg", ("m1", self.scalar(unaliased(tree.expressions[0]), Env(ctes))), ANY)


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
