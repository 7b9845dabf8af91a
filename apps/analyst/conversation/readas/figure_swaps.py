"""Another figure in the place of a plan's: of another column, the average for the total or the median, the figure for
its share, the number of rows for a list of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from apps.analyst.computing.compile.walk import rewrite, within
from apps.analyst.conversation.readas.likeness import amounts, identifiers, measures_like
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import figure_words
from apps.analyst.conversation.readas.replacing import Swap, with_core, with_output
from apps.analyst.plan import Aggregate, AggregateName, Arithmetic, ColumnRef, Expr, Node, Output, Plan, Query, Window
from apps.analyst.plan.sentence import expr_words
from apps.analyst.telling.formats import capital, plural, spoken

_ADDED: tuple[AggregateName, ...] = ("sum", "avg")
_OTHERWISE: dict[AggregateName, tuple[AggregateName, ...]] = {
    "sum": ("avg",),
    "avg": ("sum",),
    "median": ("avg", "sum"),
}
"""How else an amount may be told that is told so."""
ALL = "all columns"


def figures(mine: Output, plan: Plan, query: Query, names: Names) -> Iterator[Swap]:
    """The plan with other figures in the place of one of its own."""
    for made in _outputs(mine, query, names):
        changed = with_output(query, mine, made)
        if changed is not None:
            yield made.label, with_core(plan, changed)


def _outputs(mine: Output, query: Query, names: Names) -> Iterator[Output]:
    expr = mine.expr
    if isinstance(expr, Aggregate):
        yield from (_labelled(mine, other, query, names) for other in _aggregates(expr, query, names))
    elif isinstance(expr, Window) and expr.fn == "share":
        yield from _shares(mine, expr, query, names)
    elif (part := _part(expr)) is not None:
        yield from _ratios(mine, part, query, names)


def _labelled(mine: Output, expr: Expr, query: Query, names: Names) -> Output:
    """A figure under the words for it; those of the former one where it has none of its own."""
    return Output(label=capital(figure_words(Output(label=mine.label, expr=expr), query, names)), expr=expr)


def _aggregates(expr: Aggregate, query: Query, names: Names) -> Iterator[Aggregate]:
    if expr.of is None or _counts_rows(expr, names):
        for ref, adds in amounts(query, names):
            yield Aggregate(fn="avg" if adds == "average" else "sum", of=ref, where=expr.where)
        for ref in identifiers(query, names):
            yield Aggregate(fn="count", of=ref, distinct=True, where=expr.where)
        return
    if not isinstance(expr.of, ColumnRef):
        return
    if expr.fn == "count":
        yield expr.model_copy(update={"of": None, "distinct": False})
        return
    for ref, adds in measures_like(expr.of, names):
        fn = expr.fn if expr.fn not in _ADDED else "avg" if adds == "average" else "sum"
        yield expr.model_copy(update={"of": ref, "fn": fn})
    for other in _OTHERWISE.get(expr.fn, ()):
        yield expr.model_copy(update={"fn": other})


def _counts_rows(expr: Aggregate, names: Names) -> bool:
    """Whether a count is one of a table's rows, by what each of them is called by."""
    column = names.stored(expr.of) if isinstance(expr.of, ColumnRef) else None
    return expr.fn == "count" and column is not None and column.unique


def _shares(mine: Output, share: Window, query: Query, names: Names) -> Iterator[Output]:
    """Of a share of the whole: the share of another figure, that within each of the other groups, the figure itself."""
    inner = share.of
    for other in _aggregates(inner, query, names) if isinstance(inner, Aggregate) else ():
        if other.fn in ("sum", "count"):
            label = f"Share of {expr_words(names.named(other)) if other.of is not None else names.rows(query)}"
            yield mine.model_copy(update={"label": label, "expr": share.model_copy(update={"of": other})})
    for group in query.groups if len(query.groups) > 1 and not share.partition else ():
        within_each = share.model_copy(update={"partition": (group.label,)})
        yield mine.model_copy(update={"label": capital(expr_words(names.named(within_each))), "expr": within_each})
    yield Output(label=_made_of(inner, query, names), expr=inner)


def _made_of(expr: Expr, query: Query, names: Names) -> str:
    """What a figure is made of, its rows by what they are: "number of deals where stage is won"."""
    words = expr_words(names.named(expr))
    return capital(words.replace(expr_words(Aggregate(fn="count")), f"number of {names.rows(query)}"))


def _part(expr: Expr) -> Aggregate | None:
    """The figure that is set against another one, where a figure is no more than that."""
    found = [node for node in within(expr) if isinstance(node, Aggregate)]
    divided = any(isinstance(node, Arithmetic) and node.op == "/" for node in within(expr))
    return found[0] if divided and len(found) == 2 and isinstance(expr, Arithmetic) else None


def _ratios(mine: Output, part: Aggregate, query: Query, names: Names) -> Iterator[Output]:
    """Of a part against its whole: the part itself, and the same of another column, where the words name one."""
    yield Output(label=_made_of(part, query, names), expr=part)
    ref = part.of
    if not isinstance(ref, ColumnRef):
        return
    for other, adds in measures_like(ref, names):
        said = re.compile(re.escape(names.label(ref)), re.IGNORECASE)
        label = said.sub(names.label(other), spoken(mine.label))
        if adds == "sum" and label != spoken(mine.label):
            expr = rewrite(mine.expr, _to(ref, other))
            yield mine.model_copy(update={"label": capital(label), "expr": expr})


def _to(old: ColumnRef, new: ColumnRef) -> Callable[[Node], Node | None]:
    return lambda part: new if part == old else None


# ---------------------------------------------------------------- lists
def lists(plan: Plan, query: Query, names: Names) -> Iterator[Swap]:
    """How many rows, or different values, a list has; its values each once, or as often as they are there; and all
    that is known of each row."""
    shown = query.columns or query.groups
    bare = {"columns": (), "groups": (), "order": (), "distinct": False, "limit": None, "limit_per": ()}
    different = query.distinct or not query.columns
    first = shown[0].expr if len(shown) == 1 else None
    if not different or first is not None:
        counted = Aggregate(fn="count", of=first, distinct=True) if different else Aggregate(fn="count")
        what = figure_words(shown[0], query, names) if different else names.rows(query)
        label = f"Number of different {plural(what)}" if different else f"Number of {what}"
        measure = Output(label=label, expr=counted)
        yield label, with_core(plan, query.model_copy(update={**bare, "measures": (measure,)}))
    if first is not None and query.columns:
        other = query.model_copy(update={"distinct": not query.distinct})
        words = figure_words(shown[0], query, names)
        yield (f"List of {words}" if query.distinct else f"Different {words}"), with_core(plan, other)
    every = _every_column(query, names)
    if not different and len(every) > len(query.columns):
        yield f"List of {ALL}", with_core(plan, query.model_copy(update={"columns": every}))


def _every_column(query: Query, names: Names) -> tuple[Output, ...]:
    """All columns of the table whose rows are listed."""
    table = names.tables.get(query.source) if isinstance(query.source, str) else None
    columns = table.columns if table is not None else ()
    refs = [ColumnRef(table=str(query.source), column=column.name) for column in columns]
    return tuple(Output(label=capital(names.label(ref)), expr=ref) for ref in refs)
