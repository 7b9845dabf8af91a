"""Single values: columns, literals, casts, arithmetic, choices, and queries that give one value."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

from sqlglot import exp

from apps.analyst.plan import (
    Arithmetic,
    Call,
    ColumnRef,
    Conditional,
    Constant,
    Expr,
    Missing,
    Predicate,
    Query,
    ScalarQuery,
)
from apps.analyst.plan.lift.functions import NO, YES, Functions
from apps.analyst.plan.lift.moments import number
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import (
    bare,
    cast_to,
    is_aggregate,
    is_condition,
    number_of,
)

_OPERATORS: dict[type[exp.Expr], Literal["+", "-", "*", "/"]] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}


class Values(Functions):
    """Reads single values."""

    def value(self, e: exp.Expr) -> Expr:
        """What the expression gives for a row, or for a group."""
        e = bare(e)
        if isinstance(e, exp.Column):
            return self.column(e)
        if isinstance(e, exp.Literal | exp.Neg | exp.Boolean | exp.Null):
            return self._literal(e)
        if isinstance(e, exp.Window):
            return self.window(e)
        if is_aggregate(e) or isinstance(e, exp.IgnoreNulls):
            return self.figure(e)
        moment = self.moment(e)
        if moment is not None:
            return moment
        if isinstance(e, exp.Cast | exp.TryCast):
            return self._cast(e)
        if type(e) in _OPERATORS or isinstance(e, exp.Mod | exp.IntDiv):
            return self._arithmetic(e)
        if isinstance(e, exp.Case | exp.If):
            return self._case(e)
        if isinstance(e, exp.Subquery | exp.Select):
            return self._scalar(e)
        if is_condition(e):
            return Conditional(when=self.condition(e), then=YES, otherwise=NO)
        return self.function(e)

    def _literal(self, e: exp.Expr) -> Expr:
        found = number_of(e)
        if found is not None:
            return number(found)
        if isinstance(e, exp.Boolean):
            return YES if e.this else NO
        if isinstance(e, exp.Null):
            return Constant(value=None)
        if isinstance(e, exp.Neg):
            return Arithmetic(op="-", left=number(0), right=self.numeric(e.this))
        return Constant(value=str(e.this))

    # ------------------------------------------------------------ casts and arithmetic
    def _cast(self, e: exp.Expr) -> Expr:
        kind = cast_to(e)
        if kind == "date":
            return self.as_day(e.this)
        if kind == "datetime":
            return self.dated(e.this)
        inner = bare(e.this)
        if kind in ("number", "whole"):
            found = self.counted(self.condition(inner)) if is_condition(inner) else self._read_number(inner)
            whole = kind == "whole" and self.shape(found).type in ("float", "decimal")
            return Call(name="round", args=(found,)) if whole else found
        found = self.value(inner)
        shape = self.shape(found)
        if kind == "boolean":
            return self._as_truth(found)
        if kind == "text" and isinstance(found, Constant) and found.value is not None:
            return Constant(value=str(found.value))
        if kind == "text" or shape.type == kind:
            return found
        raise NotLifted(f"cast to {kind}")

    def _as_truth(self, found: Expr) -> Expr:
        """A value that is cast to true or false: a text by the words that it says it in."""
        if isinstance(found, Constant):
            return self.fitted(found, "boolean")
        if self.shape(found).type == "boolean":
            return found
        known = Conditional(when=Missing(of=found, negated=True), then=NO)
        return Conditional(when=self.truth(found, "Cast"), then=YES, otherwise=known)

    @abstractmethod
    def truth(self, found: Expr, what: str) -> Predicate:
        """A value that is taken for a condition."""

    def _read_number(self, e: exp.Expr) -> Expr:
        """What is cast to a number; a text that is cleaned for it is read as what number it holds."""
        inner = bare(e)
        while isinstance(inner, exp.Replace | exp.Trim) or (isinstance(inner, exp.Substring) and _is_rest(inner)):
            inner = bare(inner.this)
        if inner is not bare(e):
            found = self.value(inner)
            if self.shape(found).type == "text" and not isinstance(found, Constant):
                return Call(name="number", args=(found,))
        return self.numeric(e)

    def _arithmetic(self, e: exp.Expr) -> Expr:
        share = self.share(e)
        if share is not None:
            return share
        left, right = self.value(e.this), self.value(e.expression)
        if self.shape(left).temporal or self.shape(right).temporal:
            return self._between_days(e, left, right)
        left, right = self.as_number(left), self.as_number(right)
        if isinstance(e, exp.IntDiv):
            return Call(name="floor", args=(Arithmetic(op="/", left=left, right=right),))
        if isinstance(e, exp.Mod):
            times = Call(name="floor", args=(Arithmetic(op="/", left=left, right=right),))
            return Arithmetic(op="-", left=left, right=Arithmetic(op="*", left=right, right=times))
        return Arithmetic(op=_OPERATORS[type(e)], left=left, right=right)

    def share(self, e: exp.Expr) -> Expr | None:
        """A figure over the total of all, as the window that says so."""
        return None

    def _between_days(self, e: exp.Expr, left: Expr, right: Expr) -> Expr:
        if isinstance(e, exp.Sub) and self.shape(left).temporal and self.shape(right).temporal:
            return Call(name="days_between", args=(right, left))
        raise NotLifted("date moved by a value")

    # ------------------------------------------------------------ choices
    def _case(self, e: exp.Expr) -> Expr:
        ifs = [e] if isinstance(e, exp.If) else e.args["ifs"]
        last = e.args.get("false") if isinstance(e, exp.If) else e.args.get("default")
        subject = e.this if isinstance(e, exp.Case) else None
        other = self.value(last) if last is not None else None
        made: Expr | None = None if isinstance(other, Constant) and other.value is None else other
        for branch in reversed(ifs):
            when = branch.this if subject is None else exp.EQ(this=subject.copy(), expression=branch.this.copy())
            made = Conditional(when=self.condition(when), then=self.value(branch.args["true"]), otherwise=made)
        if made is None:
            raise NotLifted("choice without cases")
        return made

    # ------------------------------------------------------------ queries as values
    def _scalar(self, e: exp.Expr) -> Expr:
        inner = e.this if isinstance(e, exp.Subquery) else e
        if isinstance(inner, exp.Select):
            if inner.args.get("from_") is None and len(inner.expressions) == 1:
                return self.value(inner.expressions[0])
            found = self.correlated(inner)
            if found is not None:
                figure: Expr = ScalarQuery(query=found[0].query, own=found[1])
                counts = isinstance(bare(inner.expressions[0]), exp.Count)
                return Call(name="coalesce", args=(figure, number(0))) if counts else figure
        return ScalarQuery(query=one_value(self.subquery(e).query))


def one_value(query: Query) -> Query:
    """A query of one column as one that is sure to give one row."""
    if (query.measures and not query.groups) or query.limit == 1:
        return query
    label = (query.columns or (*query.groups, *query.measures))[0].label
    column = (query.columns or (*query.groups, *query.measures))[0].model_copy(
        update={"expr": ColumnRef(table="", column=label)}
    )
    return Query(source=query, columns=(column,), limit=1)


def _is_rest(e: exp.Substring) -> bool:
    """Whether only the first sign is cut off."""
    return number_of(e.args.get("start")) == 2 and e.args.get("length") is None
