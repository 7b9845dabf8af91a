"""The type, unit and kind of every expression, and the checks of every condition: the rules a plan has to keep.

Both raise PlanRejected with a reason that a person (or a model) can act on. They compute nothing.
"""

from __future__ import annotations

from apps.analyst.computing.compile.functions import call_shape, require
from apps.analyst.computing.compile.kinds import (
    aggregate_shape,
    arithmetic_shape,
    bin_shape,
    constant_shape,
    either_shape,
    part_shape,
    period_shape,
    same_kind,
    window_shape,
)
from apps.analyst.computing.compile.scope import Scope, Shape
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Between,
    Bin,
    Call,
    ColumnRef,
    Compare,
    Conditional,
    Constant,
    Expr,
    InQuery,
    Missing,
    Not,
    Part,
    Period,
    Predicate,
    ScalarQuery,
    TextMatch,
    Window,
)


def shape_of(expr: Expr, scope: Scope) -> Shape:
    """The shape of `expr` in `scope`. Raises PlanRejected where it breaks a type rule or names what is not there."""
    match expr:
        case ColumnRef():
            return scope.shape(expr)
        case Constant():
            return constant_shape(expr)
        case Arithmetic():
            return arithmetic_shape(expr, shape_of(expr.left, scope), shape_of(expr.right, scope))
        case Call():
            return call_shape(expr.name, [shape_of(arg, scope) for arg in expr.args])
        case Period():
            return period_shape(expr, shape_of(expr.of, scope))
        case Part():
            return part_shape(expr, shape_of(expr.of, scope))
        case Bin():
            return bin_shape(expr, shape_of(expr.of, scope))
        case Conditional():
            check_predicate(expr.when, scope)
            other = Shape(None) if expr.otherwise is None else shape_of(expr.otherwise, scope)
            return either_shape(shape_of(expr.then, scope), other)
        case Aggregate():
            if expr.where is not None:
                check_predicate(expr.where, scope)
            return aggregate_shape(expr, None if expr.of is None else shape_of(expr.of, scope))
        case Window():
            return window_shape(expr, shape_of(expr.of, scope))
        case ScalarQuery():
            if expr.own is None:
                return scope.queries.of_value(expr.query)
            group, figure = scope.queries.of_groups(expr.query)
            same_kind(shape_of(expr.own, scope), group)
            return figure


def check_predicate(predicate: Predicate, scope: Scope) -> None:
    """Raises PlanRejected where a part of `predicate` breaks a type rule or names what is not there."""
    match predicate:
        case Compare():
            same_kind(shape_of(predicate.left, scope), shape_of(predicate.right, scope))
        case Among():
            require(bool(predicate.values), "A list of values to compare with is empty.")
            of = shape_of(predicate.of, scope)
            for value in predicate.values:
                same_kind(of, shape_of(value, scope))
        case Between():
            of = shape_of(predicate.of, scope)
            same_kind(of, shape_of(predicate.low, scope))
            same_kind(of, shape_of(predicate.high, scope))
        case TextMatch():
            of = shape_of(predicate.of, scope)
            require(of.type in ("text", "integer"), f"A text test needs a text, not {of.type}.")
            require(predicate.value != "", "A text test needs something to look for.")
        case Missing():
            shape_of(predicate.of, scope)
        case InQuery():
            same_kind(shape_of(predicate.of, scope), scope.queries.of_set(predicate.query))
        case AllOf() | AnyOf():
            require(bool(predicate.of), "A condition is empty.")
            for part in predicate.of:
                check_predicate(part, scope)
        case Not():
            check_predicate(predicate.of, scope)
