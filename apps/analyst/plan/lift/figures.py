"""Figures over groups: aggregates with their filters, choices inside them as filters, correlations from sums."""

from __future__ import annotations

from sqlglot import exp

from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    Arithmetic,
    Call,
    Compare,
    Constant,
    Expr,
    Missing,
    Not,
    Predicate,
)
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.lift.conditions import Conditions, either, packed
from apps.analyst.plan.lift.functions import YES
from apps.analyst.plan.lift.moments import number
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import bare, has_aggregate, is_condition, number_of, uncast

_NAMES: dict[type[exp.Expr], AggregateName] = {
    exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max", exp.Median: "median", exp.Stddev: "stddev",
    exp.StddevSamp: "stddev", exp.StddevPop: "stddev_pop", exp.Variance: "variance", exp.VariancePop: "variance_pop",
    exp.Mode: "mode", exp.First: "first", exp.Last: "last", exp.AnyValue: "min",
}  # fmt: skip
_NUMERIC = ("sum", "avg", "median", "stddev", "stddev_pop", "variance", "variance_pop", "quantile")


class Figures(Conditions):
    """Reads figures over groups."""

    def figure(self, e: exp.Expr) -> Expr:
        """A figure over a group."""
        if isinstance(e, exp.Filter):
            return self._of(e.this, self.condition(e.expression.this))
        return self._of(e, None)

    def _of(self, e: exp.Expr, where: Predicate | None) -> Expr:
        e = bare(e)
        if isinstance(e, exp.IgnoreNulls):
            e = e.this
        if any(has_aggregate(child) for child in e.iter_expressions()) and not isinstance(e, exp.WithinGroup):
            raise NotLifted("figure of a figure")
        if isinstance(e, exp.Count):
            return self._count(e, where)
        if isinstance(e, exp.CountIf):
            return Aggregate(fn="count", where=_both(where, self.condition(e.this)))
        if isinstance(e, exp.PercentileCont | exp.Quantile | exp.ApproxQuantile | exp.WithinGroup):
            return self._quantile(e, where)
        if isinstance(e, exp.Corr):
            return self._correlation(e, where)
        if isinstance(e, exp.LogicalOr | exp.LogicalAnd):
            return self._any_or_all(e, where)
        fn = _NAMES.get(type(e))
        if fn is None:
            raise NotLifted(f"figure {e.name.lower() if isinstance(e, exp.Anonymous) else type(e).__name__}")
        return self._plain(fn, e.this, where)

    def _plain(self, fn: AggregateName, e: exp.Expr, where: Predicate | None) -> Expr:
        distinct = isinstance(e, exp.Distinct)
        if distinct:
            if len(e.expressions) != 1:
                raise NotLifted("figure of several values")
            e = e.expressions[0]
        e = bare(e)
        if fn in ("sum", "avg") and not distinct:
            found = self._of_condition(fn, e, where) or self._of_choice(fn, e, where)
            if found is not None:
                return found
        inner = uncast(e)
        if isinstance(inner, exp.Case) and not distinct:
            when, then = _single_choice(inner)
            if when is not None and then is not None:
                return self._aggregate(fn, then, _both(where, self.condition(when)))
        return self._aggregate(fn, e, where, distinct=distinct)

    def _aggregate(self, fn: AggregateName, e: exp.Expr, where: Predicate | None, *, distinct: bool = False) -> Expr:
        of = self.numeric(e) if fn in _NUMERIC else self.value(e)
        if isinstance(of, Constant):
            if fn == "sum" and isinstance(of.value, int | float):
                return Arithmetic(op="*", left=Aggregate(fn="count", where=where), right=of)
            raise NotLifted("figure of a literal")
        return Aggregate(fn=fn, of=of, where=where, distinct=distinct)

    # ------------------------------------------------------------ conditions and choices inside
    def _of_condition(self, fn: str, e: exp.Expr, where: Predicate | None) -> Expr | None:
        """A sum or an average of what is true or false counts, "100 * (a > b)" in per cent."""
        inner, factor = uncast(e), number(1)
        if isinstance(inner, exp.Mul):
            for a, b in ((inner.left, inner.right), (inner.right, inner.left)):
                by = number_of(a)
                if by is not None and self._is_test(uncast(b)):
                    inner, factor = uncast(b), number(by)
        if not self._is_test(inner):
            return None
        when = self.condition(inner)
        counted: Expr = Aggregate(fn="count", where=_both(where, when))
        if factor.value != 1:
            counted = Arithmetic(op="*", left=factor, right=counted)
        if fn == "sum":
            return counted
        known = where if self._always_known(when) else _both(where, either([when, Not(of=when)]))
        return Arithmetic(op="/", left=counted, right=Aggregate(fn="count", where=known))

    def _is_test(self, e: exp.Expr) -> bool:
        if is_condition(e):
            return True
        return isinstance(e, exp.Column) and self.shape(self.value(e)).type == "boolean"

    def _always_known(self, when: Predicate) -> bool:
        """Whether the condition is true or false for every row."""
        of = getattr(when, "of", None) if not isinstance(when, Compare) else when.left
        if isinstance(when, Missing):
            return True
        simple = isinstance(when, Compare) and isinstance(when.right, Constant)
        return (simple or not isinstance(when, Compare)) and hasattr(of, "kind") and self.scan.filled(of)  # type: ignore[arg-type]

    def _of_choice(self, fn: str, e: exp.Expr, where: Predicate | None) -> Expr | None:
        """`sum(case when p then 1 else 0 end)` counts, `avg(... 100.0 ... 0)` is a rate."""
        inner = uncast(e)
        when, then = _single_choice(inner)
        if when is None or then is None or not isinstance(inner, exp.Case | exp.If):
            return None
        other = _otherwise(inner)
        rest = number_of(other) if other is not None else None
        value = number_of(then)
        test = _both(where, self.condition(when))
        if other is not None and rest != 0:
            return None
        if value is not None:
            hits: Expr = Aggregate(fn="count", where=test)
            if value != 1:
                hits = Arithmetic(op="*", left=number(value), right=hits)
            if fn == "sum":
                return hits
            return (
                Arithmetic(op="/", left=hits, right=Aggregate(fn="count", where=where)) if other is not None else None
            )
        if fn == "sum":
            total: Expr = Aggregate(fn="sum", of=self.numeric(then), where=test)
            return Call(name="coalesce", args=(total, number(0))) if other is not None else total
        return None

    def _any_or_all(self, e: exp.Expr, where: Predicate | None) -> Expr:
        test = self.condition(e.this)
        hits = Aggregate(fn="count", where=_both(where, test if isinstance(e, exp.LogicalOr) else Not(of=test)))
        from apps.analyst.plan import Conditional

        when = Compare(op=">" if isinstance(e, exp.LogicalOr) else "=", left=hits, right=number(0))
        return Conditional(when=when, then=YES, otherwise=Constant(value=False, type="boolean"))

    # ------------------------------------------------------------ counts
    def _count(self, e: exp.Count, where: Predicate | None) -> Expr:
        arg = e.this
        if arg is None or isinstance(arg, exp.Star) or number_of(arg) is not None:
            return Aggregate(fn="count", where=where)
        if isinstance(arg, exp.Distinct):
            return self._count_distinct(arg, where)
        inner = uncast(arg)
        when, then = _single_choice(inner)
        if when is not None and then is not None:
            where = _both(where, self.condition(when))
            inner = uncast(then)
            if number_of(inner) is not None or isinstance(inner, exp.Literal | exp.Boolean):
                return Aggregate(fn="count", where=where)
        of = self.value(inner)
        if isinstance(of, Constant):
            return Aggregate(fn="count", where=where)
        if self.scan.filled(of):
            return Aggregate(fn="count", where=where)
        return Aggregate(fn="count", where=_both(where, Missing(of=of, negated=True)))

    def _count_distinct(self, e: exp.Distinct, where: Predicate | None) -> Expr:
        parts = [bare(part) for part in e.expressions]
        if len(parts) == 1 and isinstance(parts[0], exp.Tuple):
            parts = [bare(part) for part in parts[0].expressions]
        if len(parts) == 1:
            when, then = _single_choice(parts[0])
            if when is not None and then is not None:
                where, parts = _both(where, self.condition(when)), [then]
        return Aggregate(fn="count", of=packed([self.value(part) for part in parts]), where=where, distinct=True)

    # ------------------------------------------------------------ quantiles and correlation
    def _quantile(self, e: exp.Expr, where: Predicate | None) -> Expr:
        if isinstance(e, exp.WithinGroup):
            if not isinstance(e.this, exp.PercentileCont):
                raise NotLifted("ordered figure")
            of, share = e.expression.expressions[0].this, number_of(e.this.this)
        else:
            of, share = e.this, number_of(e.expression if e.expression is not None else e.args.get("quantile"))
        if share is None:
            raise NotLifted("quantile that is no number")
        if share == 0.5:
            return Aggregate(fn="median", of=self.numeric(of), where=where)
        return Aggregate(fn="quantile", of=self.numeric(of), where=where, quantile=float(share))

    def _correlation(self, e: exp.Corr, where: Predicate | None) -> Expr:
        """Pearson's coefficient from averages and deviations."""
        x, y = self.numeric(e.this), self.numeric(e.expression)
        both = all_of(where, Missing(of=x, negated=True), Missing(of=y, negated=True))

        def of(fn: AggregateName, expr: Expr) -> Expr:
            return Aggregate(fn=fn, of=expr, where=both)

        product = of("avg", Arithmetic(op="*", left=x, right=y))
        apart = Arithmetic(op="-", left=product, right=Arithmetic(op="*", left=of("avg", x), right=of("avg", y)))
        spread = Arithmetic(op="*", left=of("stddev_pop", x), right=of("stddev_pop", y))
        return Arithmetic(op="/", left=apart, right=spread)


def _both(one: Predicate | None, other: Predicate) -> Predicate:
    return all_of(one, other) or other


def _single_choice(e: exp.Expr) -> tuple[exp.Expr | None, exp.Expr | None]:
    """The condition and the value of a choice of one case that gives nothing, or 0, otherwise."""
    if isinstance(e, exp.If):
        return e.this, e.args["true"]
    if not isinstance(e, exp.Case) or e.this is not None or len(e.args["ifs"]) != 1:
        return None, None
    other = _otherwise(e)
    branch = e.args["ifs"][0]
    return (branch.this, branch.args["true"]) if other is None or number_of(other) == 0 else (None, None)


def _otherwise(e: exp.Expr) -> exp.Expr | None:
    other = e.args.get("default") if isinstance(e, exp.Case) else e.args.get("false")
    return None if isinstance(other, exp.Null) else other
