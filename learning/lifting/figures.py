"""Figures over rows: aggregates, shares and what is computed of them."""

from __future__ import annotations

from math import prod

from sqlglot import exp

from learning.lifting.reader import Env, Of
from learning.lifting.sketches import Node, NotLifted, given, opposite, percent
from learning.lifting.trees import AGGREGATES, factors, has_aggregate, is_condition, number_of, unwrap
from learning.lifting.values import Values

_UNITS = (60, 24, 7, 30, 100, 3600, 1000)
"""What a figure is divided by to be told in another unit."""


class Figures(Values):
    """Aggregates, with what chooses their rows, and arithmetic between them."""

    def measure(self, e: exp.Expression, env: Env) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.Filter):
            return given(self.measure(e.this, env), self.conjunction(e.expression.this, env))
        if isinstance(e, exp.Count):
            return self._count(e, env)
        if type(e) in AGGREGATES:
            return self._aggregate(AGGREGATES[type(e)], unwrap(e.this), env)
        if isinstance(e, exp.Window):
            return self._window(e, env)
        if isinstance(e, exp.Subquery):
            figure, pred = self.one_figure(e.this, env)
            return ("whole", figure, pred)
        if isinstance(e, exp.Column):
            return self.of_one_row(e, env)
        if isinstance(e, exp.AggFunc | exp.Anonymous):
            raise NotLifted("function " + (e.name if isinstance(e, exp.Anonymous) else type(e).__name__))
        return self.arithmetic(e, lambda part: self.measure(part, env))

    def one_figure(self, query: exp.Expression, env: Env) -> tuple[Node, Node]:
        """A query that gives one figure: the figure, and the condition of its rows."""
        body = self.query(query, env.ctes)
        if body[0] != "agg" or body[1][0] != "m1":
            raise NotLifted("scalar of " + str(body[0]))
        return body[1][1], body[2]

    # ---------------------------------------------------------------- aggregates
    def _aggregate(self, fn: str, arg: exp.Expression, env: Env) -> Node:
        if isinstance(arg, exp.Case):
            return self._of_cases(fn, arg, env)
        if fn in ("sum", "avg") and is_condition(arg):
            counted = given(("count", self.rows_of(env)), self.conjunction(arg, env))
            return counted if fn == "sum" else ("ratio", counted, ("count", self.rows_of(env)))
        if isinstance(arg, exp.Mul) and fn == "avg":
            for hundred, test in ((arg.left, arg.right), (arg.right, arg.left)):
                if number_of(hundred) == 100 and is_condition(test):
                    return ("rate", self.rows_of(env), self.conjunction(unwrap(test), env))
        if isinstance(arg, exp.Distinct):
            raise NotLifted("sum of distinct")
        named = self.figure_named(arg, env)
        if named is not None:
            if fn != "sum":
                raise NotLifted("figure of figures")
            return named
        if not isinstance(arg, exp.Mul | exp.Div):
            return (fn, self.value(arg, env))
        value, scale = self.scaled(arg, env)
        if scale == 100 and value[0] == "vdiv":
            return (fn, ("vpct", *value[1:]))
        return _scaled((fn, value), scale)

    def figure_named(self, e: exp.Expression, env: Env) -> Node | None:
        """The figure that an inner query of groups gives under that name, of the rows that it reads."""
        if not isinstance(e, exp.Column):
            return None
        for alias, figures in env.figures.items():
            if e.table.casefold() in ("", alias) and e.name.casefold() in figures:
                expression, own, pred = figures[e.name.casefold()]
                return given(self.measure(expression, own), pred)
        return None

    def of_one_row(self, e: exp.Column, env: Env) -> Node:
        """A column among figures: groups are told apart by it too, so that it has one value in each."""
        named = self.figure_named(e, env)
        if named is not None:
            return named
        value = self.value(e, env)
        found = self.table(value[1]).column(value[2])
        if found is None or found.type not in ("integer", "decimal", "float"):
            raise NotLifted("figure Column")
        return ("max", value)

    def _of_cases(self, fn: str, case: exp.Case, env: Env) -> Node:
        if len(case.args["ifs"]) != 1 or case.args.get("this") is not None:
            raise NotLifted("case")
        branch, other = case.args["ifs"][0], case.args.get("default")
        pred, then = self.conjunction(branch.this, env), unwrap(branch.args["true"])
        value, rest = number_of(then), number_of(other)
        if fn == "avg" and value in (1, 100) and rest == 0:
            rows = self.rows_of(env)
            return ("rate", rows, pred) if value == 100 else ("ratio", given(("count", rows), pred), ("count", rows))
        if fn == "sum" and value == 1 and rest in (0, None):
            return given(("count", self.rows_of(env)), pred)
        if value is None and (rest == 0 or other is None):
            return given((fn, self.value(then, env)), pred)
        raise NotLifted("case")

    def _count(self, e: exp.Count, env: Env) -> Node:
        arg = e.this
        if isinstance(arg, exp.Distinct):
            return self._different(arg, env)
        rows = self.rows_of(env)
        if isinstance(arg, exp.Star) or arg is None or number_of(arg) is not None:
            return ("count", rows)
        arg = unwrap(arg)
        if isinstance(arg, exp.Case):
            return given(("count", rows), self.conjunction(arg.args["ifs"][0].this, env))
        column = self.value(arg, env)
        if column[0] != "C":
            raise NotLifted("count of an expression")
        found = self.table(column[1]).column(column[2])
        if found is not None and not found.missing and len(set(env.tables.values())) == 1:
            return ("count", rows)
        return given(("count", rows), ("filled", column))

    def _different(self, arg: exp.Distinct, env: Env) -> Node:
        if len(arg.expressions) != 1:
            raise NotLifted("count of pairs")
        inner = unwrap(arg.expressions[0])
        if isinstance(inner, exp.Case):
            branch = inner.args["ifs"][0]
            return given(("countd", self.value(branch.args["true"], env)), self.conjunction(branch.this, env))
        return ("countd", self.key(inner, env))

    def _window(self, e: exp.Window, env: Env) -> Node:
        inner = unwrap(e.this)
        if e.args.get("partition_by"):
            raise NotLifted("window with partition")
        if isinstance(inner, exp.Lag):
            return ("previous", self.measure(inner.this, env))
        if isinstance(inner, exp.Sum):
            arg = unwrap(inner.this)
            if not has_aggregate(arg):
                raise NotLifted("window over rows")
            return ("running" if e.args.get("order") is not None else "total", self.measure(arg, env))
        raise NotLifted("window " + type(inner).__name__)

    # ---------------------------------------------------------------- arithmetic
    def scalar(self, e: exp.Expression, env: Env) -> Node:
        """Figures of queries computed with each other, without FROM."""
        e = unwrap(e)
        if isinstance(e, exp.Subquery):
            return given(*self.one_figure(e.this, env))
        return self.arithmetic(e, lambda part: self.scalar(part, env))

    def arithmetic(self, e: exp.Expression, of: Of) -> Node:
        """100*a/b, a/b, a-b, a+b, 100*(a-b)/b over figures."""
        e = unwrap(e)
        if isinstance(e, exp.Div | exp.Mul):
            return self._product(e, of)
        if isinstance(e, exp.Sub):
            if number_of(e.right) == 1:
                return ("minus", of(e.left), ("one",))
            if number_of(e.left) in (1, 100):
                return _rest(of(e.right))
            return ("minus", of(e.left), of(e.right))
        if isinstance(e, exp.Add):
            return ("plus", of(e.left), of(e.right))
        if isinstance(e, exp.Neg):
            return of(e.this)
        raise NotLifted("figure " + type(e).__name__)

    def _product(self, e: exp.Expression, of: Of) -> Node:
        above, below = factors(e)
        tops, bottoms = ([part for part in side if number_of(part) is None] for side in (above, below))
        scale = prod((n for part in above if (n := number_of(part)) is not None), start=1.0)
        for part in below:
            number = number_of(part)
            scale /= 1 if number is None else number or 1
        if len(tops) == 1 and len(bottoms) == 1:
            return _quotient(unwrap(tops[0]), unwrap(bottoms[0]), scale, of)
        if len(tops) == 1 and not bottoms:
            figure = of(tops[0])
            return (self.share_of_flag(figure) if scale == 100 else None) or _scaled(figure, scale)
        if len(tops) == 2 and not bottoms and scale == 1:
            return ("times", of(tops[0]), of(tops[1]))
        raise NotLifted("product")

    def share_of_flag(self, figure: Node) -> Node | None:
        """The mean of a flag of 0 and 1 as the share of the rows that have it."""
        if figure[0] == "given":
            inner = self.share_of_flag(figure[1])
            return given(inner, figure[2]) if inner is not None else None
        if figure[0] != "avg" or figure[1][0] != "C":
            return None
        _, table, name = figure[1]
        column = self.table(table).column(name)
        if column is None or {v.value for v in column.values} - {"0", "1", "true", "false"} or not column.values:
            return None
        truth = "true" if column.type == "boolean" else "1"
        return ("rate", ("T", table), ("is", ("W", table, name, truth)))


def _rest(figure: Node) -> Node:
    """What is left of the whole: 1 - a / b, 100 - 100 * a / b."""
    if figure[0] in ("ratio", "pct"):
        return (figure[0], ("minus", figure[2], figure[1]), figure[2])
    if figure[0] == "rate":
        return ("rate", figure[1], opposite(figure[2]))
    raise NotLifted("complement")


def _quotient(top: exp.Expression, bottom: exp.Expression, scale: float, of: Of) -> Node:
    if isinstance(top, exp.Sub) and scale == 100:
        now, before, base = of(top.left), of(top.right), of(bottom)
        return ("growth", now, before) if before == base else ("pct", ("minus", now, before), base)
    part, whole = of(top), of(bottom)
    if scale == 100:
        return percent(part, whole)
    if scale == 1:
        return ("ratio", part, whole)
    if scale == round(scale) and scale > 1:
        return ("ratio", part, ("scaled", whole, ("N", scale)))
    if scale > 0 and round(1 / scale, 6) in _UNITS:
        return ("ratio", ("scaled", part, ("N", round(1 / scale))), whole)
    raise NotLifted("scaled ratio")


def _scaled(figure: Node, scale: float) -> Node:
    if scale == 1:
        return figure
    if scale == 100 and figure[0] == "ratio":
        return percent(figure[1], figure[2])
    if scale > 0 and round(1 / scale, 6) in _UNITS:
        return ("scaled", figure, ("N", round(1 / scale)))
    if scale == 100 and figure[0] == "minus" and figure[1][0] == "ratio" and figure[2] == ("one",):
        return ("growth", figure[1][1], figure[1][2])
    raise NotLifted("scaled figure")
