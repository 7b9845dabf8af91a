"""What an expression gives for one row, and what rows are grouped by."""

from __future__ import annotations

from sqlglot import exp

from learning.lifting.days import cut_of
from learning.lifting.reader import Env
from learning.lifting.sketches import Node, NotLifted
from learning.lifting.sources import Sources
from learning.lifting.trees import cleaning, number_of, unwrap

_OPERATIONS: dict[type[exp.Expression], str] = {exp.Add: "vadd", exp.Mul: "vmul", exp.Div: "vdiv"}
_DATE_DIFFERENCES = ("date_diff", "datediff", "date_sub")


class Values(Sources):
    """Columns and what is computed of them row by row."""

    def key(self, e: exp.Expression, env: Env) -> Node:
        """What rows are grouped by: a period of a date, else a value."""
        e = unwrap(e)
        cut = cut_of(e)
        if cut is not None:
            return (cut[0], self.date_column(cut[1], env))
        if isinstance(e, exp.Column):
            for name, names in env.derived.items():
                if e.table.casefold() in ("", name) and e.name.casefold() in names:
                    return self.key(names[e.name.casefold()], env.merged[name])
        return self.value(e, env)

    def value(self, e: exp.Expression, env: Env) -> Node:
        e = unwrap(e)
        if isinstance(e, exp.Column):
            return self.column(e, env)
        cleaned = cleaning(e)
        if cleaned is not None:
            return self.value(cleaned, env)
        if isinstance(e, exp.DateDiff):
            return self._date_difference(str(e.args.get("unit") or "day"), e.expression, e.this, env)
        if isinstance(e, exp.Anonymous) and e.name.lower() in _DATE_DIFFERENCES:
            return self._date_difference(str(e.expressions[0].this), e.expressions[1], e.expressions[2], env)
        if isinstance(e, exp.Sub):
            return self._difference(unwrap(e.left), unwrap(e.right), env)
        if type(e) in _OPERATIONS:
            return self._computed(e, env)
        raise NotLifted("value " + type(e).__name__ + (":" + e.name if isinstance(e, exp.Anonymous) else ""))

    def _computed(self, e: exp.Expression, env: Env) -> Node:
        factor = number_of(e.left)
        if factor in (1, 100) and isinstance(e, exp.Mul):
            inner = self.value(e.right, env)
            if factor == 100 and inner[0] == "vdiv":
                return ("vpct", *inner[1:])
            if factor == 1:
                return inner
        if factor is not None or number_of(e.right) is not None:
            raise NotLifted("scaled value")
        top = unwrap(e.left)
        if isinstance(e, exp.Div) and isinstance(top, exp.Mul):
            for scale, part in ((top.left, top.right), (top.right, top.left)):
                kind = {100: "vpct", 1: "vdiv"}.get(number_of(scale) or 0)
                if kind is not None:
                    return (kind, self.value(part, env), self.value(e.right, env))
        return (_OPERATIONS[type(e)], self.value(e.left, env), self.value(e.right, env))

    def _difference(self, left: exp.Expression, right: exp.Expression, env: Env) -> Node:
        if self._is_today(left):
            return ("age", ("days",), self.date_column(right, env))
        if self._is_today(right):
            return ("ahead", self.date_column(left, env))
        a, b = self.value(left, env), self.value(right, env)
        return ("span", ("days",), b, a) if self.is_date(a) and self.is_date(b) else ("vsub", a, b)

    def _date_difference(self, unit: str, early: exp.Expression, late: exp.Expression, env: Env) -> Node:
        unit = unit.lower().strip("'").rstrip("s") + "s"
        early, late = unwrap(early), unwrap(late)
        if self._is_today(late):
            return ("age", (unit,), self.date_column(early, env))
        if self._is_today(early):
            if unit != "days":
                raise NotLifted("time ahead in " + unit)
            return ("ahead", self.date_column(late, env))
        return ("span", (unit,), self.date_column(early, env), self.date_column(late, env))

    def _is_today(self, e: exp.Expression) -> bool:
        return self.day(e) is not None or isinstance(e, exp.CurrentDate)
