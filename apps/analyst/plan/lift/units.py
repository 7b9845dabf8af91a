"""Which figures are in per cent: SQL says it only by a factor of 100."""

from __future__ import annotations

from collections.abc import Callable

from apps.analyst.computing.compile.scope import Shape
from apps.analyst.plan import Arithmetic, Call, Constant, Expr

_HUNDRED, _ONE = (100, 100.0), (1, 1.0)


def unit_of(expr: Expr, shape: Callable[[Expr], Shape]) -> str | None:
    """ "%" for a hundred times what two figures of one unit make: a part of a whole, a change against before."""
    tops, bottoms = _factors(expr)
    rest = [top for top in tops if not _is(top, _HUNDRED)]
    if len(rest) != len(tops) - 1 or len(rest) != 1:
        return None
    if len(bottoms) == 1:
        return "%" if shape(rest[0]).unit == shape(bottoms[0]).unit else None
    change = rest[0]
    if bottoms or not isinstance(change, Arithmetic) or change.op != "-" or not _is(change.right, _ONE):
        return None
    now, before = _factors(change.left)
    return "%" if len(now) == len(before) == 1 and shape(now[0]).unit == shape(before[0]).unit else None


def _factors(expr: Expr) -> tuple[list[Expr], list[Expr]]:
    """What is multiplied, and what it is divided by, rounding and guards left out."""
    if isinstance(expr, Call) and expr.name in ("round", "coalesce", "nullif"):
        return _factors(expr.args[0])
    if isinstance(expr, Arithmetic) and expr.op in "*/":
        (a, b), (c, d) = _factors(expr.left), _factors(expr.right)
        return (a + c, b + d) if expr.op == "*" else (a + d, b + c)
    return [expr], []


def _is(expr: Expr, values: tuple[float, ...]) -> bool:
    return isinstance(expr, Constant) and not isinstance(expr.value, str | bool) and expr.value in values
