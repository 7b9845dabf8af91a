"""Comparisons: a value or a part of a date with a constant, with another value, with the figure of a query."""

from __future__ import annotations

from datetime import date, timedelta

from sqlglot import exp

from learning.lifting.days import GRAINS, Cut, cut_of, next_period, span_written
from learning.lifting.figures import Figures
from learning.lifting.months import MONTHS
from learning.lifting.reader import Env
from learning.lifting.sketches import Node, NotLifted, chained
from learning.lifting.trees import COMPARED, TURNED, flatten_and, literal, number_of, unwrap

_ORDERED = ("gt", "ge", "lt", "le")
_NAMED_PARTS = ("monthof", "quarterof", "weekday", "hourof")


class Comparisons(Figures):
    """What rows and groups are held against."""

    def compare(self, op: str, left: exp.Expression, right: exp.Expression, env: Env) -> Node:
        """The condition that `left` stands to `right` as `op` says."""
        left, right = unwrap(left), unwrap(right)
        if isinstance(left, exp.Literal) and not isinstance(right, exp.Literal):
            left, right, op = right, left, TURNED[op]
        if isinstance(right, exp.Subquery):
            return self._against(op, left, right, env)
        cut = cut_of(left)
        if cut is not None:
            return self._part_is(op, cut, right, env)
        number = number_of(right)
        if number is not None:
            return (op, self.value(left, env), ("N", number))
        times = _times(right)
        if times is not None:
            return held_to(op, self.value(left, env), self.value(times[1], env), times[0], ("vpct", "vdiv"))
        if isinstance(right, exp.Boolean):
            column = self.value(left, env)
            truth = bool(right.this) == (op == "eq")
            return ("is", ("W", column[1], column[2], "true" if truth else "false"))
        if isinstance(right, exp.Literal):
            return self._is_text(op, self.value(left, env), right)
        return ("v" + op, self.value(left, env), self.value(right, env))

    def _is_text(self, op: str, column: Node, right: exp.Expression) -> Node:
        if column[0] != "C":
            raise NotLifted("text of a value")
        day = self.day(right)
        if day is not None and self.is_date(column):
            if op == "eq":
                return ("dates", column, day, day + timedelta(1))
            raise NotLifted("date unlike")
        if op not in ("eq", "ne"):
            raise NotLifted("order of texts")
        return ("is" if op == "eq" else "isnt", ("W", column[1], column[2], literal(right)))

    def _part_is(self, op: str, cut: Cut, right: exp.Expression, env: Env) -> Node:
        part, column = cut[0], self.date_column(cut[1], env)
        number, text = number_of(right), literal(right) if isinstance(right, exp.Literal) else ""
        if part == "year" and (number is not None or text.isdigit()):
            span = _years(op, int(number if number is not None else text))
            if span is not None:
                return ("dates", column, *span)
        day = self.day(right)
        if op == "eq" and part in GRAINS and day is not None:
            return ("dates", column, day, next_period(day, part))
        written = span_written(text, part) if op == "eq" else None
        if written is not None:
            return ("dates", column, *written)
        if part == "weekday" and op in ("ge", "gt") and number in (6, 5):
            return ("weekend", column)
        months = _months(op, part, number)
        if months is not None:
            return ("months", column, *months)
        if op == "eq" and part in _NAMED_PARTS:
            return ("partis", (part,), column, ("X", str(text or int(number or 0)).casefold()))
        if part == "hourof" and number is not None:
            return ("hour" + op, column, ("N", number))
        raise NotLifted("part of a date")

    def _against(self, op: str, left: exp.Expression, right: exp.Subquery, env: Env) -> Node:
        figure, pred = self.one_figure(right.this, env)
        value = self.value(left, env)
        if figure[0] == "avg" and figure[1] == value and op in _ORDERED:
            return ("avg" + op, value, pred)
        if figure[0] in ("max", "min") and figure[1] == value and op == "eq":
            return ("extreme", (figure[0],), value, pred)
        raise NotLifted("against a figure")

    # ---------------------------------------------------------------- of groups
    def having(self, e: exp.Expression, env: Env) -> Node:
        """The conditions of groups."""
        return chained("hand", [self._having_part(unwrap(part), env) for part in flatten_and(e)])

    def _having_part(self, e: exp.Expression, env: Env) -> Node:
        if isinstance(e, exp.Between):
            low, high = number_of(e.args["low"]), number_of(e.args["high"])
            if low is not None and high is not None:
                figure = self.measure(env.item(unwrap(e.this)), env)
                return ("hand", ("hge", figure, ("N", low)), ("hle", figure, ("N", high)))
        op = COMPARED.get(type(e))
        if op is None:
            raise NotLifted("having")
        left, right = env.item(unwrap(e.left)), env.item(unwrap(e.right))
        if number_of(left) is not None:
            left, right, op = right, left, TURNED[op]
        figure = self.measure(left, env)
        number = number_of(right)
        if number is not None:
            return ("h" + op, figure, ("N", number))
        if isinstance(right, exp.Subquery):
            return self.having_against(op, figure, self.query(right.this, env.ctes))
        times = _times(right)
        if times is not None:
            return held_to(op, figure, self.measure(times[1], env), times[0], ("pct", "ratio"))
        return ("hm" + op, figure, self.measure(right, env))

    @staticmethod
    def having_against(op: str, figure: Node, body: Node) -> Node:
        """The condition that the figure of a group stands to the mean of the groups, or to that of all rows."""
        if op in _ORDERED:
            if body[0] == "over" and body[1] == ("avg",) and body[3] == figure:
                return ("havg" + op, figure)
            if body[0] == "agg" and body[1] == ("m1", figure):
                return ("hall" + op, figure)
        raise NotLifted("having against a query")


def _times(e: exp.Expression) -> tuple[float, exp.Expression] | None:
    """A number and what it multiplies."""
    if not isinstance(e, exp.Mul):
        return None
    for number, rest in ((number_of(e.left), e.right), (number_of(e.right), e.left)):
        if number:
            return number, unwrap(rest)
    return None


def held_to(op: str, left: Node, right: Node, times: float, kinds: tuple[str, str]) -> Node:
    """`left` against so many times `right`: the one as a percentage of the other below once, else their quotient."""
    kind, number = (kinds[0], 100 * times) if times < 1 else (kinds[1], times)
    return (f"h{op}" if kind in ("pct", "ratio") else op, (kind, left, right), ("N", round(number, 6)))


def _months(op: str, part: str, number: float | None) -> tuple[float, float] | None:
    """The months of a year that a part of a date is held to."""
    if part not in MONTHS or number is None:
        return None
    last = 12 // MONTHS[part]
    low, high = {
        "eq": (number, number), "le": (1, number), "lt": (1, number - 1),
        "ge": (number, last), "gt": (number + 1, last),
    }.get(op, (0, 0))  # fmt: skip
    return ((low - 1) * MONTHS[part] + 1, high * MONTHS[part]) if low else None


def _years(op: str, year: int) -> tuple[date | None, date | None] | None:
    """The days of a year, of those from it on, or up to it."""
    begin, end = date(year, 1, 1), date(year + 1, 1, 1)
    spans: dict[str, tuple[date | None, date | None]] = {
        "eq": (begin, end),
        "ge": (begin, None),
        "gt": (end, None),
        "le": (None, end),
        "lt": (None, begin),
    }
    return spans.get(op)
