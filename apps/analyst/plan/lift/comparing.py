"""Two values held against each other: literals become what the other side is, dates move to one side."""

from __future__ import annotations

import re
from abc import abstractmethod
from datetime import date

from sqlglot import exp

from apps.analyst.computing.compile.scope import TEMPORAL
from apps.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Call,
    Compare,
    Conditional,
    Constant,
    Expr,
    Missing,
    Not,
    Part,
    Period,
    Predicate,
    Query,
    TextMatch,
)
from apps.analyst.plan.lift.functions import YES, as_float
from apps.analyst.plan.lift.moments import day_constant, interval_of, iso_day, moved, number
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import bare, number_of, text_of
from apps.analyst.plan.lift.values import Values
from apps.analyst.tables.words import ALWAYS_MISSING
from apps.analyst.telling.formats import MONTH_NAMES

_FLIP = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NAMES = {name[:3].casefold(): name for name in (*MONTH_NAMES, *_WEEKDAYS)}
_YEAR, _MONTH = re.compile(r"\d{4}"), re.compile(r"(\d{4})[-/]?(\d\d)")
_MONTH_FIRST, _QUARTER = re.compile(r"(\d\d)[-/](\d{4})"), re.compile(r"(\d{4})\W*Q(\d)", re.IGNORECASE)
_NUMBER_AND_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s*([^\d\s]+)")


class Comparing(Values):
    """Reads comparisons."""

    @abstractmethod
    def membership(self, e: exp.Select) -> tuple[Query, Expr]:
        """A query that EXISTS asks about: the keys that it holds, and the key out here."""

    def compared(self, op: str, left: exp.Expr, right: exp.Expr) -> Predicate:
        """One comparison."""
        left, right = bare(left), bare(right)
        if isinstance(right, exp.Any | exp.All):
            raise NotLifted("compared with any of a query")
        if _is_fixed(left) and not _is_fixed(right):
            left, right, op = right, left, _FLIP[op]
        special = self._start_of_text(op, left, right) or self._weekday(op, left, right)
        special = special or self._apart_by(op, left, right)
        if special is not None:
            return special
        of = self.value(left)
        answer = self._yes_or_no(of, op, self.value(right))
        if answer is not None:
            return answer
        other = self.matched(of, right)
        if op in ("=", "!=") and self.says_nothing(of, other):
            return Missing(of=of, negated=op == "!=")
        if isinstance(of, Constant) and not isinstance(other, Constant):
            literal = of
            of, other, op = other, self.literal_for(other, literal), _FLIP[op]
        truth = _truth_of(of, op, other)
        if truth is not None:
            return truth
        of, other = self._one_kind(of, other)
        return Compare(op=op, left=of, right=other, fold=False)

    def _yes_or_no(self, of: Expr, op: str, other: Expr) -> Predicate | None:
        """A column that says Yes and No held against true or 1."""
        if not isinstance(other, Constant) or isinstance(other.value, str) or other.value not in (0, 1, True, False):
            return None
        if op not in ("=", "!=") or self.scan.stored(of) is None or self.shape(of).type != "text":
            return None
        try:
            held = self.truth(of, "")
        except NotLifted:
            return None
        return held if bool(other.value) == (op == "=") else self.opposite(held)

    def says_nothing(self, of: Expr, other: Expr) -> bool:
        """Whether a column of texts is held against a word ("n/a") that stood for no value where its file was read."""
        if not isinstance(other, Constant) or not isinstance(other.value, str):
            return False
        column = self.scan.stored(of)
        stands = column is not None and column.type == "text" and all(v.value != other.value for v in column.values)
        return stands and other.value.strip().casefold() in ALWAYS_MISSING

    @abstractmethod
    def opposite(self, found: Predicate) -> Predicate:
        """What holds where the condition does not."""

    def _one_kind(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        """Both as numbers where one of them is a number and the other a truth or a text that holds one."""
        a, b = self.shape(left), self.shape(right)
        if a.numeric and b.type == "boolean":
            return left, self.as_number(right)
        if b.numeric and a.type == "boolean":
            return self.as_number(left), right
        return left, right

    def matched(self, of: Expr, e: exp.Expr) -> Expr:
        """The other side of a comparison with `of`."""
        found = self.value(e)
        return self.literal_for(of, found) if isinstance(found, Constant) else found

    def literal_for(self, of: Expr, found: Constant) -> Expr:
        """A literal as a value of the kind that `of` is."""
        shape = self.shape(of)
        if shape.type in TEMPORAL:
            day = period_start(of, str(found.value))
            if day is None:
                raise NotLifted("text held against dates")
            return day_constant(day)
        if shape.grain in ("weekday_name", "month_name") and isinstance(found.value, str):
            return Constant(value=_NAMES.get(found.value.strip()[:3].casefold(), found.value))
        if shape.type is None or isinstance(of, Constant):
            return found
        if shape.numeric and isinstance(found.value, bool):
            return number(int(found.value))
        if shape.numeric and shape.unit and (counted := _with_unit(str(found.value), shape.unit)) is not None:
            return number(counted)
        return self.fitted(found, shape.type)

    def period_of(self, of: Expr, text: str) -> Predicate | None:
        """That a moment falls in the year, month or day that a text says."""
        if _YEAR.fullmatch(text):
            return Compare(op="=", left=Part(part="year", of=of), right=number(int(text)))
        if (found := _MONTH.fullmatch(text)) is not None:
            first = date(int(found[1]), int(found[2]), 1)
            return Between(
                of=of, low=day_constant(first), high=day_constant(moved(first, (1, "month"), 1)), half_open=True
            )
        day = iso_day(text)
        return Compare(op="=", left=Period(grain="day", of=of), right=day_constant(day)) if day is not None else None

    # ------------------------------------------------------------ special sides
    def _start_of_text(self, op: str, left: exp.Expr, right: exp.Expr) -> Predicate | None:
        """`left(x, 2) = 'AB'` asks how a text starts."""
        text = text_of(right)
        if op not in ("=", "!=") or not text:
            return None
        if isinstance(left, exp.Left):
            length = number_of(left.expression)
        elif isinstance(left, exp.Substring) and number_of(left.args.get("start")) in (0, 1):
            length = number_of(left.args.get("length"))
        else:
            return None
        of = self.value(left.this)
        if self.shape(of).type != "text" or length != len(text):
            return None
        return TextMatch(op="starts", of=of, value=text, negated=op == "!=")

    def _weekday(self, op: str, left: exp.Expr, right: exp.Expr) -> Predicate | None:
        """Weekdays that are counted from Sunday as 0."""
        day = number_of(right)
        if not isinstance(left, exp.DayOfWeek) or op not in ("=", "!=") or day is None:
            return None
        weekday = Part(part="weekday", of=self.dated(left.this))
        return Compare(op="=" if op == "=" else "!=", left=weekday, right=number(int(day) or 7))

    def _apart_by(self, op: str, left: exp.Expr, right: exp.Expr) -> Predicate | None:
        """`a > b + 7`, `a - b > interval 7 day`: how many days lie between two dates."""
        if isinstance(right, exp.Interval | exp.ToDays):
            step = interval_of(right)
            if step is not None and step[1] in ("day", "week"):
                days = step[0] * (7 if step[1] == "week" else 1)
                return Compare(op=op, left=self.value(left), right=number(days))
        for one, other, way in ((left, right, op), (right, left, _FLIP[op])):
            if self.moves(other):
                step = interval_of(other.expression)
                assert step is not None
                sign = 1 if isinstance(other, exp.Add) else -1
                return self._moved(way, self._moment_of(one), self.value(other.this), (step[0] * sign, step[1]))
        return None

    def moves(self, e: exp.Expr) -> bool:
        """Whether a date that is not fixed is moved: `placed + 7`, `(SELECT max(placed) ...) - INTERVAL 1 MONTH`."""
        e = bare(e)
        if not isinstance(e, exp.Add | exp.Sub) or self.fixed(e) is not None or interval_of(e.right) is None:
            return False
        return number_of(e.left) is None and self.shape(self.value(e.left)).temporal

    def _moment_of(self, e: exp.Expr) -> Expr:
        text = text_of(e)
        day = iso_day(text) if text is not None else None
        return day_constant(day) if day is not None else self.dated(e)

    def _moved(self, op: str, one: Expr, base: Expr, step: tuple[int, str]) -> Predicate:
        """`one op base + step`."""
        count, unit = step
        if unit in ("day", "week"):
            apart = Call(name="days_between", args=(base, one))
            return Compare(op=op, left=apart, right=number(count * (7 if unit == "week" else 1)))
        months = count * {"month": 1, "quarter": 3, "year": 12}.get(unit, 0)
        if not months or self.shape(one).type != "date" or self.shape(base).type != "date":
            raise NotLifted("date moved by months of a column")
        return _months_apart(op, one, base, months)


def _months_apart(op: str, one: Expr, base: Expr, months: int) -> Predicate:
    """`one op base + months`: full months lie between them, or just as many to the day."""
    early, late = (base, one) if months > 0 else (one, base)
    op = op if months > 0 else _FLIP[op]
    full = Call(name="months_between", args=(early, late))
    count = number(abs(months))
    same_day = Compare(op="=", left=Part(part="day", of=early), right=Part(part="day", of=late))
    exact = AllOf(of=(Compare(op="=", left=full, right=count), same_day))
    match op:
        case "<" | ">=":
            return Compare(op=op, left=full, right=count)
        case "<=":
            return AnyOf(of=(Compare(op="<", left=full, right=count), exact))
        case ">":
            return AllOf(of=(Compare(op=">=", left=full, right=count), Not(of=exact)))
    return exact if op == "=" else Not(of=exact)


def period_start(of: Expr, text: str) -> date | None:
    """The moment that a text says beside `of`: "2025-01" beside a month is its first day."""
    text = text.strip()
    day = iso_day(text)
    if day is not None:
        return day
    if (found := _MONTH.fullmatch(text)) is not None and 1 <= int(found[2]) <= 12:
        return date(int(found[1]), int(found[2]), 1)
    if (found := _MONTH_FIRST.fullmatch(text)) is not None and 1 <= int(found[1]) <= 12:
        return date(int(found[2]), int(found[1]), 1)
    if (found := _QUARTER.fullmatch(text)) is not None and 1 <= int(found[2]) <= 4:
        return date(int(found[1]), 3 * int(found[2]) - 2, 1)
    if _YEAR.fullmatch(text) and isinstance(of, Period):
        return date(int(text), 1, 1)
    return None


def _with_unit(text: str, unit: str) -> float | None:
    """The number of a text that says the column's own unit: "60 days"."""
    found = _NUMBER_AND_UNIT.fullmatch(text.strip())
    said = found is not None and found[2].casefold().rstrip("s") == unit.casefold().rstrip("s")
    return as_float(found[1]) if found is not None and said else None


def _is_fixed(e: exp.Expr) -> bool:
    if isinstance(e, exp.Literal | exp.Boolean) or number_of(e) is not None:
        return True
    return isinstance(e, exp.Cast) and isinstance(bare(e.this), exp.Literal)


def _truth_of(left: Expr, op: str, right: Expr) -> Predicate | None:
    """A condition held against a literal is the condition, or not."""
    is_test = isinstance(left, Conditional) and left.then == YES and isinstance(right, Constant)
    if not is_test or op not in ("=", "!=") or not isinstance(right, Constant):
        return None
    assert isinstance(left, Conditional)
    wanted = right.value in (True, 1)
    return left.when if wanted == (op == "=") else None
