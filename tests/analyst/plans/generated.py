"""Hypothesis strategies for plans over the sales organization: each plan drawn is valid, none says how it ends."""

from __future__ import annotations

from hypothesis import strategies as st

from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    ColumnRef,
    Compare,
    Comparison,
    Cut,
    Drivers,
    Expr,
    Order,
    Output,
    Query,
    SetOperation,
)
from tests.analyst.plans.generated_parts import (
    NUMBERS,
    SOURCES,
    TEXTS,
    WIDE,
    aggregates,
    column_of,
    group_keys,
    joins_of,
    measures,
    number,
    numbers,
    predicates,
    ref,
    usual,
)


@st.composite
def grouped(draw: st.DrawFn, windows: bool = True, wide: bool = False) -> Query:
    sources = WIDE if wide else SOURCES
    source = draw(st.sampled_from(sorted(sources)))
    others = draw(st.sampled_from(sources[source]))
    tables = (source, *others)
    keys = draw(st.lists(group_keys(tables), max_size=2, unique_by=str))
    groups = tuple(Output(label=f"g{i}", expr=expr) for i, expr in enumerate(keys))
    labels = tuple(group.label for group in groups)
    made = draw(st.lists(measures(tables, labels), min_size=1, max_size=2)) if windows else [draw(aggregates(tables))]
    outputs = tuple(Output(label=f"m{i}", expr=expr) for i, expr in enumerate(made))
    shown = [o.label for o in (*groups, *outputs)]
    by: list[str | Expr] = draw(st.lists(st.sampled_from(shown), max_size=2, unique=True))
    if draw(st.booleans()):
        by.insert(0, Aggregate(fn="sum", of=draw(numbers(tables, 0))))
    order = tuple(Order(by=item, descending=draw(st.booleans())) for item in by)
    limit = draw(st.sampled_from((None, None, 1, 3)))
    per = tuple(draw(st.sampled_from(((), labels[:1])))) if limit and labels else ()
    having = Compare(op=">", left=Aggregate(fn="count"), right=number(draw(st.integers(0, 12))))
    if draw(st.booleans()):
        counted = Aggregate(fn="count")
        of_it = Aggregate(fn="sum", of=ColumnRef(table=source, column=NUMBERS[source][0]))
        figure = draw(st.sampled_from((counted, of_it)))
        bar = Arithmetic(op="*", left=number(draw(st.sampled_from((0.5, 1)))), right=draw(usual(source, figure)))
        having = Compare(op=draw(st.sampled_from(("<", ">=", ">"))), left=figure, right=bar)
    return Query(
        source=source,
        joins=joins_of(source, others, draw(st.sampled_from(("inner", "left", "fold")))),
        where=draw(st.one_of(st.none(), predicates(tables))),
        groups=groups,
        measures=outputs,
        having=having if draw(st.booleans()) and groups else None,
        order=order,
        limit=limit,
        limit_per=per,
        ties=bool(limit and order and draw(st.booleans())),
        offset=draw(st.sampled_from((0, 0, 1))),
    )


@st.composite
def listed(draw: st.DrawFn, wide: bool = False) -> Query:
    sources = WIDE if wide else SOURCES
    source = draw(st.sampled_from(sorted(sources)))
    others = draw(st.sampled_from(sources[source]))
    tables = (source, *others)
    exprs = draw(st.lists(st.one_of(group_keys(tables), numbers(tables, 1)), min_size=1, max_size=3))
    columns = tuple(Output(label=f"c{i}", expr=expr) for i, expr in enumerate(exprs))
    by: list[str | Expr] = draw(st.lists(st.sampled_from([c.label for c in columns]), max_size=2, unique=True))
    if draw(st.booleans()):
        by.append(draw(numbers(tables, 0)))
    limit = draw(st.sampled_from((None, 1, 5)))
    return Query(
        source=source,
        joins=joins_of(source, others, draw(st.sampled_from(("inner", "left", "fold")))),
        where=draw(st.one_of(st.none(), predicates(tables))),
        columns=columns,
        distinct=draw(st.booleans()),
        order=tuple(Order(by=item, descending=draw(st.booleans())) for item in by),
        limit=limit,
        limit_per=(columns[0].label,) if limit and draw(st.booleans()) else (),
        ties=bool(limit and by and draw(st.booleans())),
    )


@st.composite
def nested(draw: st.DrawFn, wide: bool = False) -> Query:
    inner = draw(grouped(windows=False, wide=wide).filter(lambda query: len(query.groups) > 0))
    fn = draw(st.sampled_from(("count", "max", "min")))
    outer = Output(label="x", expr=Aggregate(fn=fn, of=ColumnRef(table="", column="m0")))
    keys = (Output(label="k", expr=ColumnRef(table="", column="g0")),) if draw(st.booleans()) else ()
    return Query(source=inner, groups=keys, measures=(outer,))


@st.composite
def compared(draw: st.DrawFn) -> Comparison:
    keys = draw(st.lists(column_of(TEXTS, ("deals",)), max_size=1))
    figures = [
        Aggregate(fn=fn, of=ref("deals", "amount"))
        for fn in draw(
            st.lists(st.sampled_from(("sum", "avg", "count", "median")), min_size=1, max_size=2, unique=True)
        )
    ]
    query = Query(
        source="deals",
        groups=tuple(Output(label="g", expr=key) for key in keys),
        measures=tuple(Output(label=f"m{i}", expr=figure) for i, figure in enumerate(figures)),
        where=draw(st.one_of(st.none(), predicates(("deals",), 1))),
        limit=draw(st.sampled_from((None, 2))) if keys else None,
    )
    sides = draw(predicates(("deals",), 1)), draw(predicates(("deals",), 1))
    return Comparison(query=query, current=sides[0], baseline=sides[1], current_label="now", baseline_label="then")


@st.composite
def sets(draw: st.DrawFn) -> SetOperation:
    column = draw(column_of(TEXTS, ("deals",)))
    left, right = (
        Query(source="deals", columns=(Output(label="v", expr=column),), where=draw(predicates(("deals",), 1)))
        for _ in "lr"
    )
    return SetOperation(op=draw(st.sampled_from(("union", "intersect", "except"))), left=left, right=right)


@st.composite
def explained(draw: st.DrawFn) -> Drivers:
    """A change to be explained by one or two columns; either side may turn out to have no rows."""
    fn = draw(st.sampled_from(("sum", "count", "avg")))
    measure = Output(label="m", expr=Aggregate(fn=fn, of=ref("deals", "amount")))
    query = Query(source="deals", measures=(measure,), where=draw(st.one_of(st.none(), predicates(("deals",), 0))))
    sides = draw(predicates(("deals",), 1)), draw(predicates(("deals",), 1))
    columns = draw(st.lists(column_of(TEXTS, ("deals",)), min_size=1, max_size=2, unique_by=str))
    cuts = tuple(Cut(by=Output(label=f"c{i}", expr=column)) for i, column in enumerate(columns))
    compared = Comparison(query=query, current=sides[0], baseline=sides[1], current_label="now", baseline_label="then")
    return Drivers(comparison=compared, cuts=cuts)


def plans(wide: bool = False) -> st.SearchStrategy[Query | Comparison | SetOperation]:
    """Any valid plan; `wide` ones over `wide_catalog`, others over `sales_catalog`."""
    scans = (grouped(wide=wide), grouped(wide=wide), listed(wide=wide), nested(wide=wide))
    return st.one_of(*scans, compared(), sets())
