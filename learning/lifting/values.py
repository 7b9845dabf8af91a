"""What an expression gives for one row, and what rows are grouped by."""

from __future__ import annotations

from math import prod

from sqlglot import exp

from learning.lifting.days import cut_of
from learning.lifting.reader import Env
from learning.lifting.sketches import Node, NotLifted
from learning.lifting.sources import Sources
from learning.lifting.trees import cleaning, factors, number_of, unwrap

_OPERATIONS = (exp.Add, exp.Mul, exp.Div)
_IN_SECONDS = {60: "minutes", 3600: "hours", 86400: "days"}
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
        if isinstance(e, _OPERATIONS):
            return self._computed(e, env)
        raise NotLifted("value " + type(e).__name__ + (":" + e.name if isinstance(e, exp.Anonymous) else ""))

    def scaled(self, e: exp.Expression, env: Env) -> tuple[Node, float]:
        """A product or quotient as what is computed of columns, and the constant that it is multiplied by."""
        above, below = factors(e)
        tops, bottoms = ([part for part in side if number_of(part) is None] for side in (above, below))
        scale = prod((n for part in above if (n := number_of(part)) is not None), start=1.0)
        for part in below:
            scale /= number_of(part) or 1
        if not tops or len(bottoms) > 1:
            raise NotLifted("scaled value")
        if len(tops) == 1 and not bottoms and (seconds := _seconds(tops[0])) is not None:
            unit = _IN_SECONDS.get(round(1 / scale))
            if unit is None:
                raise NotLifted("scaled value")
            return self._date_difference(unit, seconds.right, seconds.left, env), 1.0
        node = self.value(tops[0], env)
        for part in tops[1:]:
            node = ("vmul", node, self.value(part, env))
        return (("vdiv", node, self.value(bottoms[0], env)) if bottoms else node), scale

    def _computed(self, e: exp.Expression, env: Env) -> Node:
        if isinstance(e, exp.Add):
            if number_of(e.left) is not None or number_of(e.right) is not None:
                raise NotLifted("scaled value")
            return ("vadd", self.value(e.left, env), self.value(e.right, env))
        node, scale = self.scaled(e, env)
        if scale == 100 and node[0] == "vdiv":
            return ("vpct", *node[1:])
        if scale != 1:
            raise NotLifted("scaled value")
        return node

    def _difference(self, left: exp.Expression, right: exp.Expression, env: Env) -> Node:
        if self._is_today(left):
            return ("age", ("days",), self.date_column(right, env))
        if self._is_today(right):
            return ("ahead", self.date_column(left, env))
        if 1 in (number_of(left), number_of(right)):
            part = self.value(right if number_of(left) == 1 else left, env)
            if part[0] != "vdiv":
                raise NotLifted("value less one")
            rest = ("vsub", part[2], part[1]) if number_of(left) == 1 else ("vsub", part[1], part[2])
            return ("vdiv", rest, part[2])
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


def _seconds(e: exp.Expression) -> exp.Sub | None:
    """The difference of two times that is told in seconds there."""
    e = unwrap(e)
    inner = e.expressions[0] if isinstance(e, exp.Anonymous) and e.name.lower() == "epoch" else None
    inner = e.this if isinstance(e, exp.TimeToUnix) else inner
    return unwrap(inner) if inner is not None and isinstance(unwrap(inner), exp.Sub) else None
