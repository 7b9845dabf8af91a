"""The type rules of single nodes: the shape of what comes out, given the shapes of what goes in. Nothing recurses."""

from __future__ import annotations

import math
from datetime import date, datetime

from apps.analyst.computing.compile.functions import require
from apps.analyst.computing.compile.scope import Shape
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Aggregate, Arithmetic, Bin, ColumnRef, Constant, Expr, Part, Period, Window
from apps.analyst.telling.formats import fiscal_grain
from apps.analyst.types import POINTS, ColumnType, ValueCount

_TIMES = {"milliseconds": 0.001, "seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800}
"""Lengths of time in seconds."""
_NAMED_PARTS = {"month_name", "weekday_name"}
_OF_NUMBERS = {"sum", "avg", "median", "stddev", "stddev_pop", "variance", "variance_pop", "quantile"}
_WORDS = {
    "sum": "a sum", "avg": "an average", "median": "a median", "stddev": "a standard deviation",
    "stddev_pop": "a standard deviation", "variance": "a variance", "variance_pop": "a variance",
    "quantile": "a quantile",
}  # fmt: skip


def constant_shape(expr: Constant) -> Shape:
    """A literal's shape; dates must be ISO text."""
    value = expr.value
    if value is None:
        return Shape(None)
    match expr.type:
        case "boolean":
            require(isinstance(value, bool), f"{value!r} is not true or false.")
            return Shape("boolean")
        case "number":
            require(isinstance(value, int | float) and not isinstance(value, bool), f"{value!r} is not a number.")
            return Shape("integer" if isinstance(value, int) else "float")
        case "date" | "datetime":
            constant_value(expr)
            return Shape(expr.type)
        case "text":
            require(isinstance(value, str), f"{value!r} is not a text.")
            return Shape("text", said=(ValueCount(str(value), 1),))


def constant_value(expr: Constant) -> str | int | float | bool | date | datetime | None:
    """The Python value of a literal. Raises PlanRejected where a date's text is not ISO."""
    if expr.value is None or expr.type not in ("date", "datetime"):
        return expr.value
    try:
        if expr.type == "date":
            return date.fromisoformat(str(expr.value)[:10])
        return datetime.fromisoformat(str(expr.value)).replace(tzinfo=None)
    except ValueError:
        raise PlanRejected(f"{expr.value!r} is not an ISO date.") from None


def comparable(left: Shape, right: Shape) -> bool:
    """True where values of the two shapes have an order in common."""
    if left.type is None or right.type is None:
        return True
    return left.type == right.type or (left.numeric and right.numeric) or (left.temporal and right.temporal)


def same_kind(left: Shape, right: Shape) -> None:
    """Raises PlanRejected where the two cannot be compared."""
    if left.type is None or right.type is None:
        raise PlanRejected("A comparison with a missing value says nothing; test whether it is missing.")
    if not comparable(left, right):
        raise PlanRejected(f"A {left.type} cannot be compared with a {right.type}.")


def deep_product(expr: Expr) -> bool:
    """True for a product or quotient: multiplied further as a decimal it would outgrow 38 digits."""
    return isinstance(expr, Arithmetic) and expr.op in ("*", "/")


def whole_bins(expr: Bin, inner: Shape) -> bool:
    """True where the bins' edges are whole numbers."""
    return inner.type == "integer" and expr.width is not None and float(expr.width).is_integer()


def bin_shape(expr: Bin, inner: Shape) -> Shape:
    """The lower edge of a bin of numbers."""
    require(inner.numeric, f"Only numbers can be put into bins, not {inner.type}.")
    return Shape("integer" if whole_bins(expr, inner) else "float", unit=inner.unit, role="dimension")


def arithmetic_shape(expr: Arithmetic, left: Shape, right: Shape) -> Shape:
    """A computed number."""
    for side in (left, right):
        if side.temporal:
            raise PlanRejected("Dates are not added or subtracted; use days_between, hours_between or their like.")
        require(side.numeric or side.type is None, f"Only numbers can be computed with, not {side.type}.")
    return Shape(_number_type(expr, left, right), unit=_unit(expr, left, right), role="measure")


def _number_type(expr: Arithmetic, left: Shape, right: Shape) -> ColumnType:
    types = {left.type, right.type}
    if expr.op == "/" or "float" in types:
        return "float"
    if "decimal" not in types:
        return "integer"
    if expr.op == "*" and (deep_product(expr.left) or deep_product(expr.right)):
        return "float"
    return "decimal"


def _unit(expr: Arithmetic, left: Shape, right: Shape) -> str | None:
    if (changed := _changed_unit(expr, left, right)) is not None:
        return changed
    if expr.op in "+-":
        if expr.op == "-" and left.unit == right.unit:
            return change_unit(left.unit)
        if left.unit and right.unit and left.unit != right.unit:
            return None
        return left.unit or right.unit
    if expr.op == "*":
        units = [unit for unit in (left.unit, right.unit) if unit]
        return units[0] if len(units) == 1 and units[0] != "%" else None
    return left.unit if left.unit != "%" and right.unit is None else None


def _changed_unit(expr: Arithmetic, left: Shape, right: Shape) -> str | None:
    """The unit after a length of time was changed into another by its number (minutes / 60 are hours); else None."""
    of, factor = (right, expr.left) if expr.op == "*" and isinstance(expr.left, Constant) else (left, expr.right)
    number = factor.value if isinstance(factor, Constant) and factor.type == "number" else None
    if expr.op not in "*/" or of.unit not in _TIMES or not isinstance(number, int | float):
        return None
    size = _TIMES[of.unit] * number if expr.op == "/" else _TIMES[of.unit] / number if number else 0
    return next((unit for unit, seconds in _TIMES.items() if number != 1 and math.isclose(seconds, size)), None)


def period_shape(expr: Period, inner: Shape) -> Shape:
    """The start of a period."""
    require(inner.temporal, f"Only dates have a {expr.grain}, not {inner.type}.")
    if expr.grain == "hour":
        require(inner.type == "datetime", "These dates have no time of day.")
        return Shape("datetime", grain="hour", role="time")
    fiscal = expr.first_month != 1 and expr.grain in ("quarter", "year")
    grain = fiscal_grain(expr.grain, expr.first_month) if fiscal else expr.grain
    return Shape("date", grain=grain, role="time")


def part_shape(expr: Part, inner: Shape) -> Shape:
    """A recurring part of dates; the hour also of texts that are times of day."""
    if expr.part == "hour" and not inner.temporal:
        require(inner.clock, f"Only moments and times of day have an hour, not {inner.type}.")
        return Shape("integer", grain="hour", role="time")
    require(inner.temporal, f"Only dates have a {expr.part.replace('_', ' ')}, not {inner.type}.")
    if expr.part == "hour":
        require(inner.type == "datetime", "These dates have no time of day.")
    return Shape("text" if expr.part in _NAMED_PARTS else "integer", grain=expr.part, role="time")


def either_shape(then: Shape, other: Shape) -> Shape:
    """One of two values."""
    require(comparable(then, other), f"A condition gives {then.type} in one case and {other.type} in the other.")
    if then.type is None:
        return other
    if other.type is None or other.type == then.type:
        return then
    if then.temporal:
        return Shape("datetime", unit=then.unit, role=then.role)
    wider: ColumnType = "float" if "float" in (then.type, other.type) else "decimal"
    return Shape(wider, unit=then.unit or other.unit, role=then.role)


def aggregate_shape(expr: Aggregate, inner: Shape | None) -> Shape:
    """A figure over a group; `inner` is None where rows are counted."""
    if inner is None:
        require(expr.fn == "count", f"{expr.fn} needs something to work on.")
        return Shape("integer", role="measure")
    if expr.fn == "count":
        return Shape("integer", role="measure")
    if expr.fn not in _OF_NUMBERS:
        return inner
    if not inner.numeric:
        what = repr(expr.of.column) if isinstance(expr.of, ColumnRef) else "This"
        raise PlanRejected(f"{what} is {inner.type}, and only numbers have {_WORDS[expr.fn]}.")
    if expr.fn == "quantile":
        require(expr.quantile is not None and 0 <= expr.quantile <= 1, "A quantile lies between 0 and 1.")
    if expr.fn == "sum":
        return Shape(inner.type, unit=inner.unit, role="measure")
    return Shape("float", unit=None if expr.fn.startswith("variance") else inner.unit, role="measure")


def change_unit(unit: str | None) -> str | None:
    """The unit of a figure's change: two rates differ by percentage points."""
    return POINTS if unit == "%" else unit


def window_shape(expr: Window, inner: Shape) -> Shape:
    """A figure that looks across rows."""
    require(expr.span is None or expr.span >= 1, "A window's span is at least 1.")
    if expr.fn in ("rank", "row_number"):
        return Shape("integer", role="measure")
    if expr.fn == "previous":
        return inner
    require(inner.numeric, f"Only of numbers there is a {expr.fn.replace('_', ' ')}, not of {inner.type}.")
    if expr.fn in ("share", "change_pct"):
        return Shape("float", unit="%", role="measure")
    if expr.fn == "moving_average":
        return Shape("float", unit=inner.unit, role="measure")
    unit = change_unit(inner.unit) if expr.fn == "change" else inner.unit
    return Shape(inner.type, unit=unit, role="measure")
