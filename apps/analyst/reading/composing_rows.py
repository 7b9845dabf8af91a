"""What a sketch says of one row as nodes of a plan: values and conditions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, get_args

from apps.analyst.knowledge.english import english
from apps.analyst.plan import (
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Grain,
    InQuery,
    Missing,
    Part,
    Period,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)
from apps.analyst.reading.joining import Schema, Unfit
from apps.analyst.reading.sketch import NOTHING, Sketch, unrolled, walk

GRAINS = frozenset(get_args(Grain))
OPERATORS: Mapping[str, Any] = {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "=", "ne": "!="}
_PARTS: Mapping[str, Any] = {
    "monthof": "month", "quarterof": "quarter", "weekday": "weekday_name", "hourof": "hour",
}  # fmt: skip
_SPANS: Mapping[str, Any] = {
    "days": "days_between",
    "months": "months_between",
    "years": "years_between",
    "hours": "hours_between",
    "minutes": "minutes_between",
}
_DATED = ("date", "datetime")
_WEEKEND = (Constant(value=6, type="number"), Constant(value=7, type="number"))


def _is_the_same(one: Sketch, other: Sketch) -> bool:
    """Whether two values are columns of one name in two tables."""
    return bool(one[0] == other[0] == "C" and one[1] != other[1] and one[2] == other[2])


@dataclass
class RowComposer(ABC):
    """Values and conditions over one schema."""

    schema: Schema
    source: str = ""
    """The table that the query at hand reads."""
    repeats: bool = False
    """Whether a join may repeat its rows."""

    @abstractmethod
    def figure_alone(self, figure: Sketch, pred: Sketch) -> Query:
        """A query of its own for one figure of the rows that fulfil a condition."""

    @abstractmethod
    def groups_alone(self, keys: Sketch, figure: Sketch, pred: Sketch) -> Query:
        """A query of its own for one figure of each group, the keys of a group as one; of all rows without keys."""

    @abstractmethod
    def members_alone(self, s: Sketch) -> Query:
        """A query of its own for what stands in a column."""

    # ---------------------------------------------------------------- values of a row
    def key(self, node: Sketch) -> Expr:
        if node[0] in GRAINS:
            return Period(grain=node[0], of=self.dated(node[1]))
        if node[0] in _PARTS:
            return Part(part=_PARTS[node[0]], of=self.dated(node[1]))
        return self.value(node)

    def value(self, v: Sketch) -> Expr:
        match v[0]:
            case "C":
                self.schema.column(v)
                return ColumnRef(table=v[1], column=v[2])
            case "span" if v[2] == v[3]:
                raise Unfit("a time between a day and itself")
            case "span":
                return Call(name=self.span(v[1][0]), args=(self.dated(v[2]), self.dated(v[3])))
            case "age":
                return Call(name=self.span(v[1][0]), args=(self.dated(v[2]), self.now()))
            case "ahead":
                return Call(name="days_between", args=(self.now(), self.dated(v[1])))
            case "vadd" | "vsub" | "vmul" | "vdiv" | "vpct" if v[1] == v[2]:
                raise Unfit("a figure with itself")
            case "vadd" | "vmul" if _is_the_same(v[1], v[2]):
                raise Unfit("one figure of two files, which are added file by file")
            case "vadd" | "vsub" | "vmul" | "vdiv":
                op: Any = {"vadd": "+", "vsub": "-", "vmul": "*", "vdiv": "/"}[v[0]]
                return Arithmetic(op=op, left=self.numeric(v[1]), right=self.numeric(v[2]))
            case "vpct":
                return percent(self.numeric(v[1]), self.numeric(v[2]))
        raise Unfit(v[0])

    def span(self, unit: str) -> Any:
        if unit not in _SPANS:
            raise Unfit(f"time in {unit}")
        return _SPANS[unit]

    def now(self) -> Constant:
        return Constant(value=self.schema.today.isoformat(), type="date")

    def numeric(self, v: Sketch) -> Expr:
        if v[0] == "C" and self.schema.column(v).type not in ("integer", "decimal", "float"):
            raise Unfit("no number")
        return self.value(v)

    def dated(self, v: Sketch) -> Expr:
        if v[0] != "C" or self.schema.column(v).type not in _DATED:
            raise Unfit("no date")
        return self.value(v)

    # ---------------------------------------------------------------- conditions
    def where(self, pred: Sketch) -> Predicate | None:
        return None if pred == NOTHING else self.pred(pred)

    def constant(self, w: Sketch) -> Constant:
        column = self.schema.column(("C", w[1], w[2]))
        if column.type == "boolean":
            return Constant(value=str(w[3]).casefold() in english().affirmed, type="boolean")
        if column.type in ("integer", "decimal", "float"):
            try:
                number = float(w[3])
            except ValueError:
                raise Unfit("no number") from None
            return Constant(value=int(number) if number.is_integer() else number, type="number")
        return Constant(value=str(w[3]), type="text")

    def pred(self, p: Sketch) -> Predicate:
        kind = p[0]
        match kind:
            case "and" | "or":
                return self.several(p)
            case "is" | "isnt":
                ref = self.value(("C", p[1][1], p[1][2]))
                return Compare(op="=" if kind == "is" else "!=", left=ref, right=self.constant(p[1]))
            case "in" | "notin":
                if len({w[1:3] for w in p[1:]}) != 1:
                    raise Unfit("values of several columns")
                ref = self.value(("C", p[1][1], p[1][2]))
                return Among(of=ref, values=tuple(self.constant(w) for w in p[1:]), negated=kind == "notin")
            case "has" | "hasnt":
                ref = self.value(("C", p[1][1], p[1][2]))
                return TextMatch(op="contains", of=ref, value=str(p[1][3]), negated=kind == "hasnt")
            case "missing" | "filled":
                return Missing(of=self.value(p[1]), negated=kind == "filled")
            case "dates":
                return self.between_days(p)
            case "years":
                parts = tuple(self.between_days(("dates", p[1], d[1], d[2])) for d in p[2:])
                return AnyOf(of=parts) if len(parts) > 1 else parts[0]
            case "between":
                of = self.numeric(p[1])
                return AllOf(
                    of=(Compare(op=">=", left=of, right=number(p[2])), Compare(op="<=", left=of, right=number(p[3])))
                )
            case "weekend":
                return Among(of=Part(part="weekday", of=self.dated(p[1])), values=_WEEKEND)
            case "partis":
                return self.part_is(p)
            case "member" | "nonmember":
                return InQuery(of=self.value(p[1]), query=self.members_alone(p[2]), negated=kind == "nonmember")
            case "extreme":
                whole = self.figure_alone((p[1][0], p[2]), p[3])
                return Compare(op="=", left=self.value(p[2]), right=ScalarQuery(query=whole))
        return self.comparison(p)

    def several(self, p: Sketch) -> Predicate:
        """All of some conditions or any of them, each once. Raises Unfit for periods of one date that are alternatives
        and have days in common, or that have none and hold both."""
        parts = list(dict.fromkeys(unrolled(p, p[0])))
        dated = [part for part in parts if part[0] == "dates"]
        if any(overlap(a, b) == (p[0] == "or") for a, b in combinations(dated, 2) if a[1] == b[1]):
            raise Unfit("periods that do not go together")
        made = tuple(self.pred(part) for part in parts)
        return made[0] if len(made) == 1 else AllOf(of=made) if p[0] == "and" else AnyOf(of=made)

    def comparison(self, p: Sketch) -> Predicate:
        kind = p[0]
        if kind in OPERATORS:
            return Compare(op=OPERATORS[kind], left=self.numeric(p[1]), right=number(p[2]))
        if kind.startswith("hour") and kind[4:] in OPERATORS:
            return Compare(op=OPERATORS[kind[4:]], left=Part(part="hour", of=self.dated(p[1])), right=number(p[2]))
        if kind[:1] == "v" and kind[1:] in OPERATORS:
            if p[1] == p[2]:
                raise Unfit("a value held against itself")
            return Compare(op=OPERATORS[kind[1:]], left=self.value(p[1]), right=self.value(p[2]))
        if kind[:3] == "avg" and kind[3:] in OPERATORS:
            mean = self.figure_alone(("avg", p[1]), p[2])
            return Compare(op=OPERATORS[kind[3:]], left=self.numeric(p[1]), right=ScalarQuery(query=mean))
        raise Unfit(kind)

    def between_days(self, p: Sketch) -> Predicate:
        of = self.dated(p[1])
        parts: list[Predicate] = []
        if p[2] is not None:
            parts.append(Compare(op=">=", left=of, right=Constant(value=p[2].isoformat(), type="date")))
        if p[3] is not None:
            parts.append(Compare(op="<", left=of, right=Constant(value=p[3].isoformat(), type="date")))
        return parts[0] if len(parts) == 1 else AllOf(of=tuple(parts))

    def part_is(self, p: Sketch) -> Predicate:
        part = {"monthof": "month", "quarterof": "quarter", "weekday": "weekday", "hourof": "hour"}[p[1][0]]
        name = "weekday_name" if part == "weekday" and not str(p[3][1]).isdecimal() else part
        if part == "month" and not str(p[3][1]).isdecimal():
            name = "month_name"
        said = str(p[3][1])
        right = (
            Constant(value=int(said), type="number")
            if said.isdecimal()
            else Constant(value=said.capitalize(), type="text")
        )
        return Compare(op="=", left=Part(part=name, of=self.dated(p[2])), right=right)


def days_of(node: Sketch) -> list[Sketch]:
    """The periods under a node: their date, their first day and the first that is no longer theirs."""
    return [part[1:] for part in walk(node) if part[0] == "dates"]


def overlap(one: Sketch, other: Sketch) -> bool:
    """Whether each node has one period, both are of the same date, and they have days in common."""
    mine, theirs = days_of(one), days_of(other)
    if len(mine) != 1 or len(theirs) != 1 or mine[0][0] != theirs[0][0]:
        return False
    (_, start, end), (_, begins, ends) = mine[0], theirs[0]
    return (start is None or ends is None or start < ends) and (begins is None or end is None or begins < end)


def percent(part: Expr, whole: Expr) -> Expr:
    return Arithmetic(op="/", left=Arithmetic(op="*", left=Constant(value=100, type="number"), right=part), right=whole)


def number(n: Sketch) -> Constant:
    value = float(n[1])
    return Constant(value=int(value) if value.is_integer() else value, type="number")
