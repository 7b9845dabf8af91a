"""Expressions and predicates over a working frame: a series in, a series out, missing values kept missing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from apps.analyst.computing.compile.kinds import constant_value, whole_bins
from apps.analyst.computing.compile.outputs import group_columns
from apps.analyst.computing.compile.scope import Scope
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.executor.calls import call, clock_hour
from apps.analyst.computing.executor.scans import Cells, folded_key, key, typed
from apps.analyst.errors import PlanRejected
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
    Query,
    ScalarQuery,
    TextMatch,
    Window,
)
from apps.analyst.tables.entries import split_cell
from apps.analyst.telling.formats import MONTHS

if TYPE_CHECKING:
    from apps.analyst.types import Scalar

_PERIODS = {"day": "D", "week": "W-SUN", "month": "M", "quarter": "Q", "year": "Y", "hour": "h"}
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


@dataclass
class Evaluator:
    """Evaluates over the rows of one frame. `values_of` runs an inner query and gives its only column."""

    frame: pd.DataFrame
    scope: Scope
    values_of: Callable[[Query], list[Scalar]]

    def cells(self, expr: Expr) -> Cells:
        """The values of `expr`, one a row."""
        match expr:
            case ColumnRef():
                return self.frame[key(expr.table, expr.column)]
            case Constant():
                return self._constant(expr)
            case Arithmetic():
                return self._arithmetic(expr)
            case Call():
                return self._call(expr)
            case Period():
                return self._period(expr)
            case Part():
                if expr.part == "hour" and shape_of(expr.of, self.scope).type == "text":
                    return typed(_map(self.cells(expr.of), clock_hour), "integer")
                return part_of(self.cells(expr.of), expr.part)
            case Bin():
                return self._bin(expr)
            case Conditional():
                return self._conditional(expr)
            case ScalarQuery():
                return self._value_of(expr)
            case Aggregate() | Window():
                raise PlanRejected("A figure over rows stands where single rows are computed.")

    def _value_of(self, expr: ScalarQuery) -> Cells:
        kind = shape_of(expr, self.scope).type
        if expr.own is None:
            found = self.values_of(expr.query)
            return self._filled(found[0] if found else None, kind)
        keys, figures = (self.values_of(column) for column in group_columns(expr.query))
        held = {_comparable(name): figure for name, figure in zip(keys, figures, strict=True) if name is not None}
        return typed(_map(self.cells(expr.own), lambda cell: held.get(_comparable(cell))), kind)

    def _filled(self, value: object, kind: Any) -> Cells:
        return typed(pd.Series([value] * len(self.frame), index=self.frame.index, dtype="object"), kind)

    def _constant(self, expr: Constant) -> Cells:
        return self._filled(constant_value(expr), shape_of(expr, self.scope).type)

    def _arithmetic(self, expr: Arithmetic) -> Cells:
        left, right = _number(self.cells(expr.left)), _number(self.cells(expr.right))
        if expr.op == "/":
            below = right.astype("Float64")
            return left.astype("Float64") / below.where(below != 0)
        if expr.op == "*":
            return left * right
        return left + right if expr.op == "+" else left - right

    def _period(self, expr: Period) -> Cells:
        frequency = _PERIODS[expr.grain]
        if expr.grain in ("quarter", "year") and expr.first_month != 1:
            frequency += f"-{MONTHS[expr.first_month - 2].upper()}"  # named after the month in which the year ends
        starts = self.cells(expr.of).dt.to_period(frequency).dt.start_time
        return starts.astype("datetime64[us]")

    def _bin(self, expr: Bin) -> Cells:
        width = float(expr.width or 1)
        edges = _map(_number(self.cells(expr.of)), lambda v: math.floor(v / width) * width)
        return typed(edges, "integer" if whole_bins(expr, shape_of(expr.of, self.scope)) else "float")

    def _conditional(self, expr: Conditional) -> Cells:
        kind = shape_of(expr, self.scope).type
        hit = self.truth(expr.when).fillna(False).astype(bool)
        then = typed(self.cells(expr.then).astype("object"), kind)
        other = (
            self._filled(None, kind)
            if expr.otherwise is None
            else typed(self.cells(expr.otherwise).astype("object"), kind)
        )
        return then.where(hit, other)

    def _call(self, expr: Call) -> Cells:
        shapes = [shape_of(arg, self.scope) for arg in expr.args]
        return typed(call(expr.name, [self.cells(arg) for arg in expr.args], shapes), shape_of(expr, self.scope).type)

    # ------------------------------------------------------------ predicates
    def truth(self, predicate: Predicate) -> Cells:
        """True, False or missing for each row."""
        match predicate:
            case Compare():
                return self._compare(predicate)
            case Among():
                return self._among(predicate)
            case Between():
                of, low, high = self.cells(predicate.of), self.cells(predicate.low), self.cells(predicate.high)
                return compared(">=", of, low) & compared("<" if predicate.half_open else "<=", of, high)
            case TextMatch():
                found = _map(self.cells(predicate.of), text_test(predicate))
                hits = typed(found, "boolean")
                return ~hits if predicate.negated else hits
            case Missing():
                gone = self.cells(predicate.of).isna().astype("boolean")
                return ~gone if predicate.negated else gone
            case InQuery():
                return self._in_query(predicate)
            case AllOf():
                return self._joined(predicate.of, lambda a, b: a & b)
            case AnyOf():
                return self._joined(predicate.of, lambda a, b: a | b)
            case Not():
                return ~self.truth(predicate.of)

    def _joined(self, parts: tuple[Predicate, ...], join: Callable[[Any, Any], Any]) -> Cells:
        found = self.truth(parts[0])
        for part in parts[1:]:
            found = join(found, self.truth(part))
        return found

    def _compare(self, predicate: Compare) -> Cells:
        left, right = self.cells(predicate.left), self.cells(predicate.right)
        if predicate.fold and shape_of(predicate.left, self.scope).type == "text":
            left, right = _map(left, folded), _map(right, folded)
        return compared(predicate.op, left, right)

    def _among(self, predicate: Among) -> Cells:
        of = self.cells(predicate.of)
        text = predicate.fold and shape_of(predicate.of, self.scope).type == "text"
        wanted = [constant_value(value) for value in predicate.values]
        if text:
            of, wanted = _map(of, folded), [folded(str(value)) for value in wanted]
        hits = [any(_same(cell, value) for value in wanted) for cell in of]
        found: Cells = pd.Series(hits, index=of.index, dtype="boolean").mask(of.isna())
        return ~found if predicate.negated else found

    def _in_query(self, predicate: InQuery) -> Cells:
        of = self.cells(predicate.of)
        values = [value for value in self.values_of(predicate.query) if value is not None]
        if predicate.fold:
            of = _map(of, folded_key)
        wanted = {folded_key(_stamp(value)) if predicate.fold else _comparable(value) for value in values}
        hits = [cell is not None and not pd.isna(cell) and _comparable(cell) in wanted for cell in of]
        found = pd.Series(hits, index=of.index, dtype="boolean")
        return (~found & of.notna()).astype("boolean") if predicate.negated else found


# ---------------------------------------------------------------- single values
def _number(cells: Cells) -> Cells:
    return cells if str(cells.dtype) in ("Int64", "Float64") else typed(cells, "float")


def _map(cells: Cells, change: Callable[[Any], Any]) -> Cells:
    """Each value changed, missing ones kept."""
    made = [None if value is None or pd.isna(value) else change(value) for value in cells]
    return pd.Series(made, index=cells.index, dtype="object")


def folded(value: str) -> str:
    """A text as it is compared: trimmed, without case."""
    return value.strip(" ").lower()


def compared(op: str, left: Cells, right: Cells) -> Cells:
    """A comparison that is missing where either side is."""
    gone = left.isna() | right.isna()
    if left.dtype == object or right.dtype == object:
        test = _OPERATORS[op]
        made = [None if miss else bool(test(a, b)) for a, b, miss in zip(left, right, gone, strict=True)]
        return pd.Series(made, index=left.index, dtype="boolean")
    made = _OPERATORS[op](left, right).astype("boolean")
    return made.mask(gone)


def _stamp(value: Any) -> object:
    return pd.Timestamp(value) if hasattr(value, "isoformat") else value


def _comparable(value: Any) -> object:
    if hasattr(value, "isoformat"):
        return pd.Timestamp(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    return float(value) if isinstance(value, int | float | np.number) or type(value).__name__ == "Decimal" else value


def _same(cell: object, value: object) -> bool:
    return cell is not None and not pd.isna(cell) and _comparable(cell) == _comparable(value)  # type: ignore[call-overload]


def text_test(predicate: TextMatch) -> Callable[[Any], bool]:
    """The test of one text."""
    wanted = predicate.value.lower()
    match predicate.op:
        case "contains":
            return lambda value: wanted in str(value).lower()
        case "starts":
            return lambda value: str(value).lower().startswith(wanted)
        case "ends":
            return lambda value: str(value).lower().endswith(wanted)
        case "word":
            words = r"\s+".join(re.escape(word) for word in wanted.split())
            pattern = re.compile(rf"(?:^|\W){words}(?:$|\W)")
            return lambda value: pattern.search(str(value).lower()) is not None
        case "entry":
            sought, mark = wanted.split(), predicate.separator
            return lambda value: sought in map(str.split, split_cell(str(value).lower(), mark))
        case _:
            marks = {"%": ".*", "_": "."}
            like = re.compile("".join(marks.get(c, re.escape(c)) for c in wanted), re.DOTALL)
            return lambda value: like.fullmatch(str(value).lower()) is not None


def part_of(cells: Cells, part: str) -> Cells:
    """A recurring part of each moment."""
    if part in ("month_name", "weekday_name"):
        names = cells.dt.month_name() if part == "month_name" else cells.dt.day_name()
        return typed(names, "text")
    match part:
        case "week":
            found: Any = cells.dt.isocalendar().week
        case "weekday":
            found = cells.dt.weekday + 1
        case "decade":
            found = cells.dt.year // 10 * 10
        case _:
            found = getattr(cells.dt, part)
    return found.astype("Int64")
