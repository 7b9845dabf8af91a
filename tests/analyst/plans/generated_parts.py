"""Hypothesis strategies for the parts of plans over the sales organization: columns, figures, conditions, joins."""

from __future__ import annotations

from typing import Literal

from hypothesis import strategies as st

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
    Join,
    JoinKey,
    KeyPart,
    Missing,
    Not,
    Output,
    Part,
    Period,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
    Window,
)

NUMBERS = {
    "deals": ("amount", "seats"), "owners": ("quota",), "activities": ("minutes",), "parts": ("weight",),
    "lines": ("units",), "approvers": ("quota",),
}  # fmt: skip
TEXTS = {
    "deals": ("stage", "lead_source"), "owners": ("owner_name", "region"), "activities": ("kind",),
    "parts": ("part_code", "part_kind"), "lines": ("part_key",), "approvers": ("owner_name", "region"),
}  # fmt: skip
DATES: dict[str, tuple[str, ...]] = {
    "deals": ("create_date", "close_date"), "owners": (), "activities": (), "parts": (), "lines": (), "approvers": (),
}  # fmt: skip
MOMENTS: dict[str, tuple[str, ...]] = {"lines": ("picked", "packed")}
CLOCKS = {"lines": ("dock",)}
"""Times of day that are written as text."""
IDS = {
    "deals": ("deal_id", "owner_id"), "owners": ("owner_id",), "activities": ("activity_id", "deal_id"),
    "parts": ("part_code",), "lines": ("line_id", "owner_id", "approver_id"), "approvers": ("owner_id",),
}  # fmt: skip
VALUES = ("Closed won", "closed LOST ", "Proposal", "West", "north", "Ada Stone", "Email", "Web", "nowhere")
SOURCES: dict[str, tuple[tuple[str, ...], ...]] = {
    "deals": ((), ("owners",), ("activities",), ("owners", "activities")),
    "owners": ((), ("deals",)),
    "activities": ((), ("deals",), ("deals", "owners")),
}
WIDE = SOURCES | {
    "lines": ((), ("parts",), ("owners",), ("approvers",), ("owners", "approvers"), ("parts", "approvers")),
    "parts": ((), ("lines",), ("lines", "approvers")),
}
"""With keys that hold the other side's key, and with a table that a row refers to twice."""
_KEYS = {
    frozenset({"deals", "owners"}): "owner_id",
    frozenset({"deals", "activities"}): "deal_id",
    frozenset({"lines", "owners"}): "owner_id",
}
ALIASES = {"approvers": "owners"}
"""What a table is called where a row refers to it a second time: a line has an owner and an approver."""
_BEHIND_THE_MARK = 2
"""Where the part's code begins among the letters and digits of a line's key: "CO-FR-101" holds "FR-101"."""


def ref(table: str, column: str) -> ColumnRef:
    return ColumnRef(table=table, column=column)


def number(value: float) -> Constant:
    return Constant(value=value, type="number")


def column_of(kinds: dict[str, tuple[str, ...]], tables: tuple[str, ...]) -> st.SearchStrategy[ColumnRef]:
    return st.sampled_from([ref(t, c) for t in tables for c in kinds.get(t, ())])


def has_dates(tables: tuple[str, ...]) -> bool:
    return any(DATES[table] for table in tables)


def has_moments(tables: tuple[str, ...]) -> bool:
    return any(table in MOMENTS for table in tables)


def joins_of(source: str, others: tuple[str, ...], how: str) -> tuple[Join, ...]:
    made: list[Join] = []
    known = [source]
    for other in others:
        keys = (_key_between(known, other, fold=how == "fold"),)
        alias = other if other in ALIASES else None
        made.append(
            Join(table=ALIASES.get(other, other), on=keys, how="left" if how == "left" else "inner", alias=alias)
        )
        known.append(other)
    return tuple(made)


def _key_between(known: list[str], other: str, *, fold: bool) -> JoinKey:
    """The key by which a table joins those that are scanned already."""
    if other == "approvers":
        return JoinKey(left=ref("lines", "approver_id"), right=ref("approvers", "owner_id"), fold=fold)
    if {other} | set(known) >= {"parts", "lines"} and other in ("parts", "lines"):
        longer: Literal["left", "right"] = "right" if other == "lines" else "left"
        sides = (ref("lines", "part_key"), ref("parts", "part_code"))
        left, right = sides if longer == "left" else sides[::-1]
        return JoinKey(left=left, right=right, part=KeyPart(side=longer, start=_BEHIND_THE_MARK))
    partner = next(t for t in known if frozenset({t, other}) in _KEYS)
    column = _KEYS[frozenset({partner, other})]
    return JoinKey(left=ref(partner, column), right=ref(other, column), fold=fold)


@st.composite
def numbers(draw: st.DrawFn, tables: tuple[str, ...], depth: int = 2) -> Expr:
    plain = column_of(NUMBERS, tables)
    if depth == 0:
        return draw(plain)
    kind = draw(
        st.sampled_from(("column", "column", "arithmetic", "call", "constant", "between", "conditional", "length"))
    )
    if kind == "arithmetic":
        op = draw(st.sampled_from("+-*/"))
        return Arithmetic(op=op, left=draw(numbers(tables, depth - 1)), right=draw(numbers(tables, depth - 1)))
    if kind == "constant":
        return Arithmetic(
            op=draw(st.sampled_from("+-*")), left=draw(plain), right=number(draw(st.sampled_from((0, 2, 0.5, -3))))
        )
    if kind == "call":
        name = draw(st.sampled_from(("abs", "floor", "ceil", "sqrt", "ln", "round")))
        return Call(name=name, args=(draw(numbers(tables, depth - 1)),))
    if kind == "between" and has_dates(tables):
        name = draw(st.sampled_from(("days_between", "months_between", "years_between")))
        return Call(name=name, args=(draw(column_of(DATES, tables)), draw(column_of(DATES, tables))))
    if kind == "between" and has_moments(tables) and draw(st.booleans()):
        clocks = draw(column_of(CLOCKS, tables)), Constant(value=draw(st.sampled_from(("9:30", "5:05 pm"))))
        return Call(name=draw(st.sampled_from(("minutes_between", "hours_between"))), args=clocks)
    if kind == "between" and has_moments(tables):
        span = draw(st.sampled_from(("minutes_between", "hours_between", "days_between", "months_between")))
        return Call(name=span, args=(draw(column_of(MOMENTS, tables)), draw(column_of(MOMENTS, tables))))
    if kind == "conditional":
        other = draw(st.sampled_from((None, number(0))))
        return Conditional(when=draw(predicates(tables, 0)), then=draw(plain), otherwise=other)
    if kind == "length":
        return Call(name="length", args=(draw(column_of(TEXTS, tables)),))
    return draw(plain)


@st.composite
def predicates(draw: st.DrawFn, tables: tuple[str, ...], depth: int = 2) -> Predicate:
    kinds = ["compare", "text", "among", "match", "missing", "range"] + (["date", "part"] if has_dates(tables) else [])
    kinds += ["all", "any", "not", "in", "scalar"] if depth else []
    kind = draw(st.sampled_from(kinds))
    if kind in ("all", "any"):
        parts = tuple(draw(st.lists(predicates(tables, depth - 1), min_size=1, max_size=3)))
        return AllOf(of=parts) if kind == "all" else AnyOf(of=parts)
    if kind == "not":
        return Not(of=draw(predicates(tables, depth - 1)))
    negated = draw(st.booleans())
    op = draw(st.sampled_from(("=", "!=", "<", "<=", ">", ">=")))
    if kind == "in" and "deals" in tables:
        which = Output(label="d", expr=ref("activities", "deal_id"))
        inner = Query(source="activities", columns=(which,), where=draw(predicates(("activities",), 0)))
        if draw(st.booleans()):
            many = Compare(op=">", left=Aggregate(fn="count"), right=number(draw(st.integers(0, 4))))
            inner = inner.model_copy(update={"columns": (), "groups": (which,), "having": many})
        return InQuery(of=ref("deals", "deal_id"), query=inner, negated=negated, fold=draw(st.booleans()))
    if kind == "scalar":
        table = tables[0]
        average = Aggregate(fn=draw(st.sampled_from(("avg", "max", "median"))), of=draw(column_of(NUMBERS, (table,))))
        inner = Query(source=table, measures=(Output(label="x", expr=average),))
        own = draw(st.none() | column_of(TEXTS, (table,)))
        if own is not None:
            inner = inner.model_copy(update={"groups": (Output(label="g", expr=own),)})
        return Compare(op=op, left=draw(column_of(NUMBERS, (table,))), right=ScalarQuery(query=inner, own=own))
    if kind == "text":
        value = Constant(value=draw(st.sampled_from(VALUES)))
        return Compare(op=op, left=draw(column_of(TEXTS, tables)), right=value, fold=draw(st.booleans()))
    if kind == "among":
        values = tuple(Constant(value=v) for v in draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=3)))
        return Among(of=draw(column_of(TEXTS, tables)), values=values, negated=negated, fold=draw(st.booleans()))
    if kind == "match":
        op_text = draw(st.sampled_from(("contains", "starts", "ends", "word", "like")))
        value_text = draw(st.sampled_from(("closed", "E", "won", "%e_", "West", "a", "fr")))
        return TextMatch(op=op_text, of=draw(column_of(TEXTS, tables)), value=value_text, negated=negated)
    if kind == "missing":
        return Missing(of=draw(st.one_of(column_of(TEXTS, tables), column_of(NUMBERS, tables))), negated=negated)
    if kind == "date":
        day = draw(
            st.dates(
                min_value=__import__("datetime").date(2023, 1, 1), max_value=__import__("datetime").date(2025, 6, 1)
            )
        )
        low, high = (Constant(value=d.isoformat(), type="date") for d in (day, day.replace(year=day.year + 1, day=1)))
        return Between(of=draw(column_of(DATES, tables)), low=low, high=high, half_open=negated)
    if kind == "part":
        return Compare(
            op=op, left=Part(part="month", of=draw(column_of(DATES, tables))), right=number(draw(st.integers(1, 12)))
        )
    if kind == "range":
        low_value = draw(st.integers(0, 100))
        low, high = number(low_value), number(low_value + draw(st.integers(0, 20_000)))
        return Between(of=draw(numbers(tables, 0)), low=low, high=high, half_open=negated)
    return Compare(
        op=op, left=draw(numbers(tables, 1)), right=number(draw(st.sampled_from((0, 10, 25, 1000.5, 10_000))))
    )


@st.composite
def group_keys(draw: st.DrawFn, tables: tuple[str, ...]) -> Expr:
    kinds = ["text", "text", "id", "bin", "number"] + (["period", "part"] if has_dates(tables) else [])
    kind = draw(st.sampled_from(kinds + (["hour", "hours"] if has_moments(tables) else [])))
    if kind == "hour":
        return Part(part="hour", of=draw(column_of(draw(st.sampled_from((MOMENTS, CLOCKS))), tables)))
    if kind == "hours":
        return Period(grain="hour", of=draw(column_of(MOMENTS, tables)))
    if kind == "period":
        grain = draw(st.sampled_from(("day", "week", "month", "quarter", "year")))
        first = draw(st.sampled_from((1, 1, 2, 7, 10)))
        return Period(grain=grain, of=draw(column_of(DATES, tables)), first_month=first)
    if kind == "part":
        parts = ("year", "quarter", "month", "month_name", "week", "day", "weekday", "weekday_name", "decade")
        return Part(part=draw(st.sampled_from(parts)), of=draw(column_of(DATES, tables)))
    if kind == "bin":
        return Bin(of=draw(column_of(NUMBERS, tables)), width=draw(st.sampled_from((10, 2500, 0.5))))
    if kind == "id":
        return draw(column_of(IDS, tables))
    return draw(column_of(TEXTS, tables)) if kind == "text" else ref(tables[0], NUMBERS[tables[0]][-1])


def value_of(table: str, figure: Expr) -> ScalarQuery:
    """A figure over all rows of a table, as a value."""
    return ScalarQuery(query=Query(source=table, measures=(Output(label="x", expr=figure),)))


@st.composite
def usual(draw: st.DrawFn, table: str, figure: Aggregate) -> ScalarQuery:
    """What a figure comes to on average over the groups of a table, perhaps scaled, as a value."""
    group = Output(label="g", expr=draw(column_of(TEXTS, (table,))))
    inner = Query(source=table, groups=(group,), measures=(Output(label="f", expr=figure),))
    mean = Aggregate(fn=draw(st.sampled_from(("avg", "max", "median"))), of=ColumnRef(table="", column="f"))
    return ScalarQuery(query=Query(source=inner, measures=(Output(label="x", expr=mean),)))


@st.composite
def aggregates(draw: st.DrawFn, tables: tuple[str, ...]) -> Aggregate:
    where = draw(st.one_of(st.none(), predicates(tables, 0)))
    fn = draw(
        st.sampled_from(
            (
                "count",
                "count",
                "sum",
                "sum",
                "avg",
                "min",
                "max",
                "median",
                "stddev",
                "stddev_pop",
                "variance",
                "quantile",
                "mode",
                "first",
                "last",
            )
        )
    )
    if fn == "count" and draw(st.booleans()):
        return Aggregate(fn="count", where=where)
    if fn in ("count", "min", "max", "mode", "first", "last"):
        of: Expr = draw(st.one_of(column_of(TEXTS, tables), column_of(NUMBERS, tables), column_of(IDS, tables)))
        return Aggregate(fn=fn, of=of, where=where, distinct=fn == "count" and draw(st.booleans()))
    quantile = draw(st.sampled_from((0.1, 0.25, 0.9))) if fn == "quantile" else None
    return Aggregate(
        fn=fn,
        of=draw(numbers(tables, 1)),
        where=where,
        quantile=quantile,
        distinct=draw(st.sampled_from((False, False, False, True))),
    )


@st.composite
def measures(draw: st.DrawFn, tables: tuple[str, ...], labels: tuple[str, ...]) -> Expr:
    base = draw(aggregates(tables))
    kind = draw(st.sampled_from(("plain", "plain", "ratio", "window", "scaled", "of all")))
    if kind == "plain":
        return base
    figure = Aggregate(fn=draw(st.sampled_from(("sum", "avg", "count", "max"))), of=draw(numbers(tables, 0)))
    if kind == "ratio":
        return Arithmetic(op="/", left=figure, right=Aggregate(fn="count"))
    if kind == "scaled":
        hundred = Arithmetic(op="*", left=number(100), right=figure)
        return draw(st.sampled_from((hundred, Arithmetic(op="/", left=figure, right=number(60)))))
    if kind == "of all":
        whole = Aggregate(fn="sum", of=ref(tables[0], NUMBERS[tables[0]][0]))
        return Arithmetic(op=draw(st.sampled_from("/-")), left=figure, right=value_of(tables[0], whole))
    fn = draw(
        st.sampled_from(
            ("share", "rank", "running_total", "moving_average", "previous", "change", "change_pct", "row_number")
        )
    )
    partition = tuple(draw(st.lists(st.sampled_from(labels), max_size=1))) if labels else ()
    order = draw(st.sampled_from((None, *labels)))
    return Window(
        fn=fn,
        of=figure,
        partition=partition,
        order=order if order not in partition else None,
        span=draw(st.sampled_from((None, 2))),
    )
