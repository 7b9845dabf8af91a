"""What a sketch says of groups of rows as nodes of a plan: figures and the conditions they are held to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from apps.analyst.plan import (
    ROW_NUMBER,
    Aggregate,
    AllOf,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Output,
    Part,
    Period,
    Predicate,
    Query,
    ScalarQuery,
    Window,
)
from apps.analyst.plan.tree import DatePart
from apps.analyst.reading.composing_rows import OPERATORS, RowComposer, days_of, number, overlap, percent
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.sketch import Sketch


class FigureComposer(RowComposer):
    """Figures, alone and against each other."""

    def figure(self, m: Sketch, groups: tuple[Output, ...] = ()) -> Expr:
        match m[0]:
            case "count":
                return self.counted(m[1])
            case "countd":
                return Aggregate(fn="count", of=self.key(m[1]), distinct=True)
            case "sum" | "avg" | "min" | "max" | "median":
                return Aggregate(
                    fn=m[0], of=self.numeric(m[1]) if m[0] in ("sum", "avg", "median") else self.value(m[1])
                )
            case "given":
                return self.only(self.figure(m[1], groups), self.pred(m[2]))
            case "rate":
                whole = self.counted(m[1])
                return percent(whole.model_copy(update={"where": self.pred(m[2])}), whole)
            case "share":
                return Window(fn="share", of=self.figure(m[1], groups))
            case "running":
                return Window(fn="running_total", of=self.figure(m[1], groups), order=self.along(groups))
            case "previous":
                return Window(fn="previous", of=self.figure(m[1], groups), order=self.along(groups))
            case "pct" | "ratio" | "minus" | "plus" | "times" if m[1] == m[2]:
                raise Unfit("a figure with itself")
            case "pct":
                return percent(self.figure(m[1], groups), self.figure(m[2], groups))
            case "growth":
                if m[2] == ("previous", m[1]):
                    return Window(fn="change_pct", of=self.figure(m[1], groups), order=self.along(groups))
                if _is_no_growth(m[2], m[1]):
                    raise Unfit("growth from a period to itself, or back in time")
                new, old = self.figure(m[1], groups), self.figure(m[2], groups)
                return percent(Arithmetic(op="-", left=new, right=old), old)
            case "minus" if m[2] == ("previous", m[1]):
                return Window(fn="change", of=self.figure(m[1], groups), order=self.along(groups))
            case "minus" if _without_days(m[1]) == _without_days(m[2]) and overlap(m[1], m[2]):
                raise Unfit("a period less a part of it")
            case "ratio" | "minus" | "plus" | "times":
                op: Any = {"ratio": "/", "minus": "-", "plus": "+", "times": "*"}[m[0]]
                return Arithmetic(op=op, left=self.figure(m[1], groups), right=self.figure(m[2], groups))
            case "scaled":
                return Arithmetic(op="/", left=self.figure(m[1], groups), right=number(m[2]))
            case "one":
                return Constant(value=1, type="number")
            case "whole":
                return ScalarQuery(query=self.figure_alone(m[1], m[2]))
            case "beside":
                return self.beside(m)
        raise Unfit(m[0])

    def beside(self, m: Sketch) -> Expr:
        """A figure of a table that the others do not meet row by row, summed up by itself and found by its group."""
        _, figure, theirs, mine, pred, _ = m
        told = self.groups_alone(theirs, figure, pred)
        if not mine[1:]:
            return ScalarQuery(query=told.model_copy(update={"groups": ()}))
        # Every row of a group finds the same figure, which therefore counts once.
        found = Aggregate(fn="max", of=ScalarQuery(query=told, own=in_one([self.key(key) for key in mine[1:]])))
        counts = figure[1] if figure[0] == "given" else figure
        nought = Constant(value=0, type="number")
        return Call(name="coalesce", args=(found, nought)) if counts[0] in ("count", "countd") else found

    def counted(self, table: Sketch) -> Aggregate:
        """The number of a table's rows, each counted once however often a join repeats it."""
        if table[1] == self.source and not self.repeats:
            return Aggregate(fn="count")
        return Aggregate(fn="count", of=ColumnRef(table=table[1], column=ROW_NUMBER), distinct=True)

    def along(self, groups: tuple[Output, ...]) -> str:
        if not groups:
            raise Unfit("a figure along time without periods")
        return groups[0].label

    def only(self, figure: Expr, pred: Predicate) -> Expr:
        """The figure over the rows that fulfil a condition, as far down as its aggregates."""
        if isinstance(figure, Aggregate):
            return figure.model_copy(update={"where": pred if figure.where is None else AllOf(of=(figure.where, pred))})
        if isinstance(figure, Arithmetic):
            return figure.model_copy(
                update={"left": self.only(figure.left, pred), "right": self.only(figure.right, pred)}
            )
        if isinstance(figure, Constant):
            return figure
        raise Unfit("a condition on a figure across rows")

    # ---------------------------------------------------------------- conditions on groups
    def having(self, h: Sketch, query: Query) -> Predicate:
        kind = h[0]
        if kind == "hand":
            return AllOf(of=(self.having(h[1], query), self.having(h[2], query)))
        if kind[:4] not in ("havg", "hall"):
            return self.held(h, lambda m: self.figure(m, query.groups))
        figure = self.figure(h[1], query.groups)
        if kind[:4] == "havg" and kind[4:] in OPERATORS:
            each = query.model_copy(update={"measures": (Output(label="Figure", expr=figure),), "having": None})
            mean = Query(
                source=each,
                measures=(Output(label="Average", expr=Aggregate(fn="avg", of=ColumnRef(table="", column="Figure"))),),
            )
            return Compare(op=OPERATORS[kind[4:]], left=figure, right=ScalarQuery(query=mean))
        if kind[:4] == "hall" and kind[4:] in OPERATORS:
            whole = query.model_copy(
                update={"groups": (), "measures": (Output(label="Figure", expr=figure),), "having": None}
            )
            return Compare(op=OPERATORS[kind[4:]], left=figure, right=ScalarQuery(query=whole))
        raise Unfit(kind)

    def held(self, h: Sketch, figure: Callable[[Sketch], Expr]) -> Predicate:
        """A condition that holds figures of a group against numbers or each other; `figure` writes each of them."""
        kind = h[0]
        if kind == "hand":
            return AllOf(of=(self.held(h[1], figure), self.held(h[2], figure)))
        if kind[:1] == "h" and kind[1:] in OPERATORS:
            return Compare(op=OPERATORS[kind[1:]], left=figure(h[1]), right=number(h[2]))
        if kind[:2] == "hm" and kind[2:] in OPERATORS:
            return Compare(op=OPERATORS[kind[2:]], left=figure(h[1]), right=figure(h[2]))
        raise Unfit(kind)


def in_one(keys: Sequence[Expr]) -> Expr:
    """Several keys as one text, times by their parts. Raises Unfit for weeks and hours, which have none of a year."""
    if len(keys) == 1:
        return keys[0]
    parts = [part for key in keys for part in (_parts_of(key) if isinstance(key, Period) else [key])]
    return Call(name="concat", args=tuple([found for part in parts for found in (Constant(value="|"), part)][1:]))


def _parts_of(period: Period) -> list[Expr]:
    parts: dict[str, tuple[DatePart, ...]] = {
        "year": ("year",),
        "quarter": ("year", "quarter"),
        "month": ("year", "month"),
        "day": ("year", "month", "day"),
    }
    if period.grain not in parts:
        raise Unfit("weeks and hours beside another key")
    return [Part(part=part, of=period.of) for part in parts[period.grain]]


def _is_no_growth(old: Sketch, new: Sketch) -> bool:
    """Whether a figure's two periods are the same days or have days in common, or the first is the later one."""
    before, after = days_of(old), days_of(new)
    if overlap(old, new) or (before and [one[1:] for one in before] == [one[1:] for one in after]):
        return True
    if len(before) != 1 or len(after) != 1:
        return False
    ends, later = before[0][2], after[0][2]
    return ends is not None and later is not None and bool(ends > later)


def _without_days(m: Sketch) -> Sketch:
    """A figure with its periods left open."""
    if m[0] == "dates":
        return m[:2]
    return (m[0], *(_without_days(part) if isinstance(part, tuple) else part for part in m[1:]))
