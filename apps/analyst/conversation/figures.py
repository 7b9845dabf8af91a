"""Another figure of the same rows: another column, the average instead of the total, the share instead of the count."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.conversation.predicates import is_time, values_of
from apps.analyst.conversation.scene import Scene
from apps.analyst.knowledge.folding import singular
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    Arithmetic,
    Call,
    ColumnRef,
    Constant,
    Expr,
    InQuery,
    Node,
    Output,
    Predicate,
    Query,
    Window,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.telling.formats import capital, plural, rows_noun
from apps.analyst.telling.wording import led_by

_LABELS = {"avg": "Average", "median": "Median", "min": "Lowest", "max": "Highest"}
_ADDED: tuple[AggregateName, ...] = ("sum", "avg", "median", "min", "max")


def figure_of(query: Query) -> Aggregate | None:
    """The query's first figure where it is a plain one."""
    expr = query.measures[0].expr if query.measures else None
    return expr if isinstance(expr, Aggregate) else None


def _shared(query: Query) -> Aggregate | None:
    """The figure that the query's shares are of."""
    expr = query.measures[0].expr if query.measures else None
    return expr.of if isinstance(expr, Window) and expr.fn == "share" and isinstance(expr.of, Aggregate) else None


def adds_up(query: Query) -> bool:
    """Whether the query's one figure is a sum or a count."""
    mine = figure_of(query)
    return mine is not None and len(query.measures) == 1 and mine.fn in ("sum", "count") and not mine.distinct


def over_all(query: Query, *, anew: bool) -> Query | None:
    """The figure of all groups together; None where only some of them are shown, but for other rows: `anew`."""
    if query.limit is not None and not anew:
        return None
    bare = {"groups": (), "order": (), "having": None, "limit": None, "offset": 0, "limit_per": (), "ties": False}
    return query.model_copy(update=bare)


def for_each_row(query: Query) -> Query | None:
    """What a row comes to on average, in the place of their sum; None where rows are counted."""
    measure, mine = query.measures[0], figure_of(query)
    if mine is None or not isinstance(mine.of, ColumnRef):
        return None
    label = measure.label.removeprefix("Total ")
    label = f"Average {label[:1].lower()}{label[1:]}"
    return with_figure(
        query, measure.model_copy(update={"label": label, "expr": mine.model_copy(update={"fn": "avg"})})
    )


def uncut_figure(query: Query, measure: Output) -> Query:
    """The query with another figure for all of its groups, where only the first by the figure before was shown."""
    made = with_figure(query, measure)
    if query.limit != 1 or not query.groups:
        return made
    return made.model_copy(update={"limit": None, "ties": False, "offset": 0})


def with_figure(query: Query, measure: Output) -> Query:
    """The query with another figure in the place of its own, ordered by it where it was ordered by the one before."""
    was = {output.label for output in query.measures}
    order = tuple(
        o.model_copy(update={"by": measure.label}) if isinstance(o.by, str) and o.by in was else o for o in query.order
    )
    order = tuple(o for o in order if isinstance(o.by, str)) if query.columns else order
    return query.model_copy(update={"measures": (measure,), "columns": (), "distinct": False, "order": order})


def beside_its_own(query: Query, made: Query) -> Query | None:
    """The query with the figure that was made of it beside its own; None where they are not of the same rows."""
    if made.source != query.source or made.where != query.where or made.groups != query.groups:
        return None
    return query.model_copy(update={"measures": (*query.measures, *made.measures), "joins": made.joins})


def of_the_same(made: Query, before: Query) -> Query:
    """The new figure of the groups that were shown, where these were the first by the figure before."""
    if before.limit is None or not before.groups or not isinstance(before.measures[0].expr, Aggregate):
        return made
    first = before.measures[0]
    order = tuple(o.model_copy(update={"by": first.expr}) if o.by == first.label else o for o in before.order)
    return made.model_copy(update={"order": order, "limit": before.limit, "offset": before.offset, "ties": before.ties})


def another_figure(query: Query, function: str | None, column: ColumnRef | None, scene: Scene) -> Query | None:
    """The query with the function, the column or both changed; what is not said stays as it was."""
    if query.columns and (query.limit is not None or (query.distinct and function != "sum")):
        return None  # the figure of some of the rows alone
    if function == "count" and column is None:
        return counted(query)
    mine = figure_of(query) or _shared(query)
    ref = column or (mine.of if mine is not None and isinstance(mine.of, ColumnRef) else None)
    same = mine is not None and mine.of == ref and mine.fn != "count"
    if ref is None or not (scene.is_figure(ref) or same):
        return None
    chosen = _function(function, mine, ref, scene)
    if ref.table != query.source and all(join.table != ref.table for join in query.joins):
        turned = scene.reached(query, [ref.table]) if mine is None else None
        turned = turned or scene.turned_to(query, ref.table)
        if turned is None:
            return None
        query = turned
    found = scene.column(ref)
    label = total_label(scene.said(ref)) if chosen == "sum" else f"{_LABELS[chosen]} {scene.said(ref)}"
    expr = Aggregate(fn=chosen, of=ref)
    if mine is not None and mine.where is not None:
        expr = expr.model_copy(update={"where": mine.where})
    return uncut_figure(query, Output(label=label, expr=expr, unit=found.unit if found is not None else None))


def total_label(said: str) -> str:
    """What the sum of a column is called; a column may say so itself."""
    return capital(led_by("Total", said))


def _function(function: str | None, mine: Aggregate | None, ref: ColumnRef, scene: Scene) -> AggregateName:
    said = next((fn for fn in _ADDED if fn == function), None)
    if said is not None:
        return said
    natural: AggregateName = "avg" if _is_averaged(ref, scene) else "sum"
    if mine is None or mine.fn not in _ADDED or function == "count":
        return natural
    # Nobody adds up rates because amounts were added up before, or averages amounts because rates were averaged.
    by_nature = isinstance(mine.of, ColumnRef) and mine.fn == ("avg" if _is_averaged(mine.of, scene) else "sum")
    return natural if by_nature and mine.of != ref and mine.fn in ("sum", "avg") else mine.fn


def _is_averaged(ref: ColumnRef, scene: Scene) -> bool:
    meaning = scene.meaning(ref)
    return meaning is not None and meaning.adds == "average"


def counted(query: Query) -> Query | None:
    """How many rows the query is about."""
    if query.limit is not None or query.distinct:
        return None
    label = f"Number of {rows_noun(str(query.source))}"
    return with_figure(query, Output(label=label, expr=Aggregate(fn="count")))


def counted_once(query: Query, column: ColumnRef, scene: Scene) -> Query | None:
    """How many different values of a column the query's rows hold."""
    reached = scene.reached(query, [column.table])
    if reached is None or query.limit is not None:
        return None
    expr = Aggregate(fn="count", of=column, distinct=True)
    return with_figure(reached, Output(label=f"Number of {plural(scene.said(column))}", expr=expr))


def in_percent_of(query: Query, whole: ColumnRef, scene: Scene) -> Query | None:
    """The figure in percent of another figure of the same rows, group by group."""
    mine = figure_of(query) or _shared(query)
    if mine is None or mine.fn not in ("sum", "avg") or mine.of == whole or whole.table != query.source:
        return None
    if not isinstance(mine.of, ColumnRef) or not scene.of_a_kind(mine.of, whole):
        return None  # kilograms are no part of pieces
    other = Aggregate(fn="sum", of=whole, where=mine.where)
    label = f"{measure_name(mine, query, scene)} as a share of {scene.said(whole)}"
    part = mine.model_copy(update={"fn": "sum"})
    return with_figure(query, Output(label=label, expr=_hundredfold(part, other), unit="%"))


def divided_by(query: Query, part: ColumnRef, other: ColumnRef, scene: Scene) -> Query | None:
    """The query with the sum of one column divided by that of another in the place of its figure; None where they are
    not both columns of its rows."""
    mine = figure_of(query)
    if {part.table, other.table} != {query.source} or query.columns:
        return None
    within = mine.where if mine is not None else None
    above, below = (Aggregate(fn="sum", of=ref, where=within) for ref in (part, other))
    expr = Arithmetic(op="/", left=above, right=Call(name="nullif", args=(below, Constant(value=0, type="number"))))
    label = f"{capital(scene.said(part))} per {singular(scene.said(other))}"
    return uncut_figure(query, Output(label=label, expr=expr))


def measure_name(mine: Aggregate, query: Query, scene: Scene) -> str:
    """What a figure is called without the word for how it is added up."""
    return capital(scene.said(mine.of)) if isinstance(mine.of, ColumnRef) else query.measures[0].label


def _hundredfold(part: Expr, whole: Expr) -> Arithmetic:
    hundred, nought = Constant(value=100, type="number"), Constant(value=0, type="number")
    return Arithmetic(
        op="/",
        left=Arithmetic(op="*", left=hundred, right=part),
        right=Call(name="nullif", args=(whole, nought)),
    )


def chosen_last(query: Query) -> Query:
    """The query with the groups that a ranking shows (`shape.shown_alone`) chosen once all are computed: a share is one
    of all."""
    keys = [group.expr for group in query.groups]
    tests = conjuncts(query.where)
    shown = [test for test in tests if isinstance(test, InQuery) and test.query.limit is not None and test.of in keys]
    rest = [test for test in tests if test not in shown]
    return query.model_copy(update={"where": together(rest), "having": together([*conjuncts(query.having), *shown])})


def in_percent(query: Query, scene: Scene, *, each: bool = False) -> Query | None:
    """The figure as a share: of all groups together, else, and for `each` of them, of the rows without the last thing
    they were chosen by."""
    mine = figure_of(query)
    if mine is None or len(query.measures) != 1 or mine.fn not in ("sum", "count"):
        return None
    measure = query.measures[0]
    if query.groups and not each:
        label = f"Share of {measure.label[:1].lower()}{measure.label[1:]}"
        return with_figure(chosen_last(query), Output(label=label, expr=Window(fn="share", of=mine), unit="%"))
    tests = conjuncts(query.where)
    chosen = next((t for t in reversed(tests) if values_of(t) and not is_time(t, scene.dated)), None)
    if chosen is None or mine.where is not None:
        return None
    part = mine.model_copy(update={"where": chosen})
    share = _hundredfold(part, mine)
    rest = together([test for test in tests if test is not chosen])
    label = f"Share of {rows_noun(str(query.source))}"
    made = query.model_copy(update={"where": rest})
    return with_figure(made, Output(label=label, expr=share, unit="%"))


def conditions_within(query: Query) -> list[Predicate]:
    """The tests by which figures choose among the rows: of a rate, those for its part."""
    found: list[Predicate] = []

    def look(node: Node) -> Node | None:
        if isinstance(node, Aggregate) and node.where is not None:
            found.append(node.where)
        return None

    for measure in query.measures:
        rewrite(measure, look)
    return found
