"""Conditions of rows."""

from __future__ import annotations

from datetime import date, timedelta

from sqlglot import exp

from learning.lifting.comparisons import Comparisons
from learning.lifting.days import GRAINS, Cut, cut_of, next_period, span_written
from learning.lifting.months import MONTHS, within_years
from learning.lifting.reader import Env
from learning.lifting.sketches import ALL, NO_HAVING, Node, NotLifted, chained, conj, opposite, strip_filled
from learning.lifting.trees import COMPARED, TURNED, are_columns, flatten, flatten_and, literal, number_of, unwrap

_WEEKENDS = ({0.0, 6.0}, {6.0, 7.0})


class Conditions(Comparisons):
    """Conditions put together, sets, ranges and texts."""

    def conjunction(self, e: exp.Expression, env: Env) -> Node:
        ends: dict[Node, dict[str, date]] = {}
        found: list[Node] = []
        for part in map(unwrap, flatten_and(e)):
            if self._says_nothing(part, env):
                continue
            bound = self._bound(part, env)
            if bound is None:
                found.append(self.pred(part, env))
                continue
            column, side, day = bound
            if column not in ends:
                found.append(("ends", column))
            if side in ends.setdefault(column, {}):
                raise NotLifted("two bounds on one side")
            ends[column][side] = day
        spans = {column: ("dates", column, days.get("lo"), days.get("hi")) for column, days in ends.items()}
        return within_years(conj([spans[node[1]] if node[0] == "ends" else node for node in found]), self.only_year)

    def _says_nothing(self, e: exp.Expression, env: Env) -> bool:
        if isinstance(e, exp.Boolean) and e.this:
            return True
        if isinstance(e, exp.EQ) and e.left.sql() == e.right.sql():
            return True
        if not are_columns(e):
            return False
        # a join as it was written before JOIN; of other columns of two tables it says that they are equal
        return frozenset(self.value(side, env)[1:] for side in (e.left, e.right)) in self._met

    def _bound(self, e: exp.Expression, env: Env) -> tuple[Node, str, date] | None:
        """A date that is bounded on one side: the column, the side, and the day from or before which it is."""
        op = COMPARED.get(type(e))
        if op not in ("gt", "ge", "lt", "le"):
            return None
        left, day = unwrap(e.left), self.day(e.right)
        cut = cut_of(left)
        if cut is not None:
            return self._bound_of_period(op, cut, e, env)
        if day is None:
            left, day, op = unwrap(e.right), self.day(e.left), TURNED[op]
        if day is None:
            return None
        try:
            column = self.value(left, env)
        except NotLifted:
            return None
        if not self.is_date(column):
            return None
        later = timedelta(1) if op in ("gt", "le") else timedelta(0)
        return column, "lo" if op in ("gt", "ge") else "hi", day + later

    def _bound_of_period(self, op: str, cut: Cut, e: exp.Expression, env: Env) -> tuple[Node, str, date] | None:
        """A period that is held against one that is written out: "2025-03", the first day of a month."""
        text = unwrap(e.right)
        if cut[0] not in GRAINS or not isinstance(text, exp.Literal):
            return None
        span = span_written(str(text.this), cut[0])
        begin = self.day(text)
        if span is None and begin is not None:
            span = (begin, next_period(begin, cut[0]))
        if span is None:
            return None
        side = "lo" if op in ("gt", "ge") else "hi"
        return self.date_column(cut[1], env), side, span[0] if op in ("ge", "lt") else span[1]

    def pred(self, e: exp.Expression, env: Env) -> Node:
        e = unwrap(e)
        match e:
            case exp.And():
                return self.conjunction(e, env)
            case exp.Or():
                return self._alternatives(e, env)
            case exp.Not():
                return self._opposite(e, env)
            case exp.Between():
                return self._between(e, env)
            case exp.In():
                return self._among(e, env)
            case exp.Is():
                column = self.value(e.this, env)
                if isinstance(e.expression, exp.Null):
                    return ("missing", column)
                raise NotLifted("is")
            case exp.Like() | exp.ILike():
                return self._like(e, env)
            case exp.Column():
                column = self.column(e, env)
                return ("is", ("W", column[1], column[2], "true"))
        bound = self._bound(e, env)
        if bound is not None:
            column, side, day = bound
            return ("dates", column, day if side == "lo" else None, day if side == "hi" else None)
        op = COMPARED.get(type(e))
        if op is not None:
            return self.compare(op, e.left, e.right, env)
        raise NotLifted("condition " + type(e).__name__ + (":" + e.name if isinstance(e, exp.Anonymous) else ""))

    def _alternatives(self, e: exp.Or, env: Env) -> Node:
        parts = [self.pred(p, env) for p in flatten(e, exp.Or)]
        if all(p[0] == "is" for p in parts) and len({p[1][:3] for p in parts}) == 1:
            return ("in", *(p[1] for p in parts))
        return chained("or", parts)

    def _opposite(self, e: exp.Not, env: Env) -> Node:
        return opposite(self.pred(e.this, env))

    # ---------------------------------------------------------------- ranges, sets, texts
    def _between(self, e: exp.Between, env: Env) -> Node:
        low, high = self.day(e.args["low"]), self.day(e.args["high"])
        if low is not None and high is not None:
            column = self.value(e.this, env)
            if not self.is_date(column):
                raise NotLifted("between dates of a value")
            return ("dates", column, low, high + timedelta(1))
        cut = cut_of(e.this)
        least, most = number_of(e.args["low"]), number_of(e.args["high"])
        if cut is not None and least is None:
            return self._between_periods(cut, e, env)
        if least is None or most is None:
            raise NotLifted("between")
        if cut is None:
            return ("between", self.value(e.this, env), ("N", least), ("N", most))
        column = self.date_column(cut[1], env)
        if cut[0] == "year":
            return ("dates", column, date(int(least), 1, 1), date(int(most) + 1, 1, 1))
        if cut[0] in MONTHS:
            return ("months", column, (least - 1) * MONTHS[cut[0]] + 1, most * MONTHS[cut[0]])
        raise NotLifted("between parts")

    def _between_periods(self, cut: Cut, e: exp.Between, env: Env) -> Node:
        """Between two periods that are written as texts."""
        spans = [span_written(literal(e.args[end]), cut[0]) for end in ("low", "high")]
        if None in spans:
            raise NotLifted("between")
        return ("dates", self.date_column(cut[1], env), spans[0][0], spans[1][1])  # type: ignore[index]

    def _among(self, e: exp.In, env: Env) -> Node:
        query = e.args.get("query")
        if query is not None:
            column = self.value(e.this, env)
            return ("member", column, self._members(query, env))
        cut = cut_of(e.this)
        if cut is not None:
            return _parts_among(cut[0], self.date_column(cut[1], env), e.expressions)
        column = self.value(e.this, env)
        if column[0] != "C":
            raise NotLifted("value among")
        items = tuple(("W", column[1], column[2], literal(x)) for x in e.expressions)
        return ("in", *items) if len(items) > 1 else ("is", items[0])

    def _members(self, query: exp.Expression, env: Env) -> Node:
        """What stands in the column of an inner query."""
        body = self.query(query, env.ctes)
        if body[0] in ("rows", "things") and body[1][0] == "v1" and body[3] == ALL:
            return ("sub", body[1][1], strip_filled(body[2], body[1][1]), NO_HAVING)
        if body[0] == "group" and body[1][0] == "k1" and body[2] == ("m0",) and body[5] == ALL:
            return ("sub", body[1][1], strip_filled(body[3], body[1][1]), body[4])
        raise NotLifted("members of " + body[0])

    def _like(self, e: exp.Expression, env: Env) -> Node:
        column, core = self.value(e.this, env), literal(e.expression).strip("%")
        if column[0] != "C":
            raise NotLifted("like of a value")
        if "%" in core or "_" in core or not core:
            raise NotLifted("pattern")
        if self.is_date(column):
            raise NotLifted("pattern of a date")
        return ("has", ("W", column[1], column[2], core))


def _parts_among(part: str, column: Node, listed: list[exp.Expression]) -> Node:
    """Years, months or days of the week that a date is one of."""
    numbers = sorted(n for n in map(number_of, listed) if n is not None)
    texts = {str(x.this).lower()[:3] for x in listed}
    if part == "year" and len(numbers) >= 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return ("years", column, *(("D", date(int(n), 1, 1), date(int(n) + 1, 1, 1)) for n in numbers))
    if part == "weekday" and (texts == {"sat", "sun"} or set(numbers) in _WEEKENDS):
        return ("weekend", column)
    if part in MONTHS and len(numbers) == len(listed) and numbers[-1] - numbers[0] == len(numbers) - 1:
        return ("months", column, (numbers[0] - 1) * MONTHS[part] + 1, numbers[-1] * MONTHS[part])
    if part == "month":
        days = [span_written(str(x.this), "month") for x in listed]
        if all(days):
            return ("years", column, *(("D", *span) for span in days if span is not None))
    raise NotLifted("parts among")
