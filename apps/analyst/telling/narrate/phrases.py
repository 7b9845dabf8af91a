"""The noun phrases of an answer: what figures and groups are called, what comes first, what changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.analyst.computing.compile.order import implied_order
from apps.analyst.computing.compile.outputs import inline_labels, output_shapes
from apps.analyst.computing.metrics.used import unsaid_condition
from apps.analyst.plan import (
    Aggregate,
    Bin,
    ColumnRef,
    Comparison,
    Expr,
    Order,
    Part,
    Period,
    Query,
    SetOperation,
    Statistic,
)
from apps.analyst.plan.sentence import expr_words, of_groups_words
from apps.analyst.telling import formats, wording
from apps.analyst.telling.formats import Number, is_number, magnitude, plural, rows_noun, spoken
from apps.analyst.telling.labelling import labelled, things_of
from apps.analyst.telling.narrate.view import View


def measure_name(view: View, place: int) -> str:
    """What the figure at `place` is called: "total amount", "number of deals", or its label."""
    return _as_time(figure_name(view.expr(place), view.columns[place].name, view), view.columns[place].unit)


def _as_time(name: str, unit: str | None) -> str:
    """ "average time from signup date to first order date": its unit stands beside the figure."""
    found = _SPREAD.match(name)
    if found is None or found[2] != unit:
        return name
    return f"{_SPREADS.get(found[1], found[1])} time {name[found.end(2) + 1 :]}"


_SPREAD = re.compile(r"(average|median|lowest|highest|total) (days|hours|minutes|months|years) from ")
_SPREADS = {"lowest": "shortest", "highest": "longest"}


def figure_name(expr: Expr | None, label: str, view: View) -> str:
    """What a figure is called by what it is made of, else by its label."""
    return _OF_FIGURES.sub(r"\1 ", _figure_name(expr, label, view))


_OF_FIGURES = re.compile(r"^(average|median|lowest|highest) of (?=number of |total |average )")
"""A figure of figures as labels have it: "average of number of deals per owner"."""


def _figure_name(expr: Expr | None, label: str, view: View) -> str:
    if isinstance(expr, Aggregate) and isinstance(expr.of, ColumnRef | None) and expr.where is None:
        if expr.of is None:
            return f"number of {view.counted()}"
        if things := things_of(expr, view.catalog):
            return f"number of {things}"
        if view.query is not None and (view.query.noun or not isinstance(view.query.source, str)):
            return _over_groups(label, view)
        words = expr_words(expr) if expr.fn != "mode" else spoken(label)
        return view.said(_of_things(_of_dates(words, expr.fn) if _is_dated(expr.of, view) else words, expr, view))
    if (view.query is None or not view.query.noun) and (unsaid := unsaid_condition(expr, label)):
        return view.said(f"{spoken(label)} where {unsaid}")
    told = spoken(label)
    if (bracket := label.find(" (")) > 0 and " (" in told:  # what stays in brackets keeps its letters
        told = spoken(label[:bracket]) + label[bracket:]
    return view.said(told)


def _over_groups(label: str, view: View) -> str:
    """A figure of figures: what it is told over, by what it is made of where that can be said, else by its label."""
    query = view.query
    alone = query is not None and not query.noun and [output.label for output in query.measures] == [label]
    return (of_groups_words(labelled(query, view.catalog)) if query and alone else "") or view.said(spoken(label))


def _of_things(words: str, expr: Aggregate, view: View) -> str:
    """ "average number of seats": what is counted has no average of its own."""
    stored = view.stored(expr.of) if isinstance(expr.of, ColumnRef) else None
    start, _, counted = words.partition(" ")
    if stored is None or expr.fn not in ("avg", "median") or stored[1].type != "integer" or stored[1].unit:
        return words
    return f"{start} number of {counted}" if wording.is_plural(view.said(counted)) else words


def _is_dated(of: Expr, view: View) -> bool:
    stored = view.stored(of) if isinstance(of, ColumnRef) else None
    return stored is not None and stored[1].type in ("date", "datetime")


def _of_dates(words: str, fn: str) -> str:
    """The end of a column of dates: the latest and the earliest, not the highest and the lowest."""
    start = {"max": "latest", "min": "earliest"}.get(fn)
    name = words.split(" ", 1)[-1]
    done = _DONE_ON.fullmatch(name)
    return f"{start} {f'date {done[1]}' if done is not None else name}" if start else words


_DONE_ON = re.compile(r"(\w+) (?:on|at)")
"""The name of a date that goes on: "hired on"."""


def is_count(view: View, place: int) -> bool:
    """True where the figure counts the rows of the source."""
    expr = view.expr(place)
    return isinstance(expr, Aggregate) and expr.fn == "count" and expr.of is None and expr.where is None


def group_noun(view: View, place: int, count: int) -> str:
    """What the groups are called: "regions", "months"; the singular for one."""
    column = view.columns[place]
    if isinstance(view.expr(place), Bin):
        return "range" if count == 1 else "ranges"
    if (found := formats.fiscal(column.grain)) is not None:
        return f"fiscal {found[0]}" if count == 1 else f"fiscal {found[0]}s"
    if column.grain in ("hour", "day", "week", "month", "quarter", "year"):
        return column.grain if count == 1 else f"{column.grain}s"
    name = view.thing(column.name).removesuffix(" id")
    return name if count == 1 else plural(name)


def dimension_name(view: View, place: int) -> str:
    """What rows are told apart by: "stage", "month", "close date"."""
    column = view.columns[place]
    if (found := formats.fiscal(column.grain)) is not None:
        return f"fiscal {found[0]}"
    if column.grain in ("hour", "day", "week", "month", "quarter", "year") and column.type in ("date", "datetime"):
        return column.grain
    return view.thing(column.name)


def bin_label(view: View, place: int, low: float) -> str:
    """A bin by both its edges: "20–30"."""
    expr = view.expr(place)
    width = expr.width if isinstance(expr, Bin) and expr.width else 0.0
    unit = view.columns[place].unit
    return f"{formats.figure(_whole(low), unit)}–{formats.figure(_whole(low + width), unit)}"


def _whole(value: float) -> float | int:
    rounded = float(f"{value:.10g}")
    return int(rounded) if rounded.is_integer() else rounded


def ranked_by(view: View) -> tuple[int | None, str, bool]:
    """By what the rows are sorted: the column's place where it is shown, its words, and whether downwards."""
    query = view.query
    first = _first_order(view)
    if query is None or first is None:
        return None, "", True
    if isinstance(first.by, str):
        place = next((i for i, column in enumerate(view.columns) if column.name == first.by), None)
        return place, measure_name(view, place) if place is not None else view.said(spoken(first.by)), first.descending
    expr = inline_labels(first.by, query, own_first=True)
    place = next((i for i in range(len(view.columns)) if view.expr(i) == expr), None)
    return place, view.said(_plain_words(expr, query)), first.descending


def _first_order(view: View) -> Order | None:
    """What rows are sorted by in the first place, stated or implied."""
    if view.query is None or isinstance(view.plan, Comparison | SetOperation | Statistic):
        return None
    implied = view.query.order or implied_order(view.query, output_shapes(view.query, view.catalog))
    return next((order for order in implied if order.by not in view.query.limit_per), None)


def superlative(view: View) -> str:
    """The word for the first row of the order: highest, lowest, latest, earliest; "second highest" where one is left
    out."""
    place, _, descending = ranked_by(view)
    kind = view.columns[place].type if place is not None else None
    first = _first_order(view)
    if first is not None and isinstance(first.by, ColumnRef):
        stored = view.stored(first.by)
        kind = stored[1].type if stored is not None else kind
    by = view.expr(place) if place is not None else None
    if isinstance(by, Period) or (isinstance(by, Part) and by.part == "year") or kind in ("date", "datetime"):
        word = "latest" if descending else "earliest"
    elif is_number_of_things(view):
        word = "most" if descending else "fewest"
    else:
        word = "highest" if descending else "lowest"
    left_out = view.query.offset if view.query is not None else 0
    return f"{formats.ordinal(left_out + 1)} {word}" if left_out else word


def is_number_of_things(view: View) -> bool:
    """True where rows are sorted by how many of something they have: "deals", "seats", "goals"."""
    place, words, _ = ranked_by(view)
    rated = place is not None and view.columns[place].unit == "%"
    if words.startswith("number of "):
        return not rated
    plain = place is not None and view.columns[place].type == "integer" and not view.columns[place].unit
    return plain and wording.is_plural(things(words)) and not words.startswith(("average", "median"))


def things(words: str) -> str:
    """What a number counts: "deals" of "number of deals", "goals" of "total goals"."""
    return words.removeprefix("number of ").removeprefix("total ")


def supreme(view: View, words: str) -> str:
    """What comes first in an order has this: "highest total amount", "most deals", "second fewest goals"."""
    kind = superlative(view)
    counted = kind.split(" ")[-1] in ("most", "fewest")
    return f"{kind} {things(words) if counted else words.removeprefix(f'{kind} ')}"


def _plain_words(expr: Expr, query: Query) -> str:
    if isinstance(expr, Aggregate) and expr.of is None and isinstance(query.source, str):
        return f"number of {rows_noun(query.source)}"
    return expr_words(expr)


def cell(view: View, row: int, place: int) -> str:
    """A value of the result as prose has it."""
    return wording.cell(view.rows[row][place], view.columns[place])


def cells(view: View, rows: Sequence[int], place: int) -> list[str]:
    """Values that stand side by side as prose has them; exact where rounding would make two of them one."""
    column, values = view.columns[place], [view.rows[row][place] for row in rows]
    told = [wording.cell(value, column) for value in values]
    return told if len(set(told)) == len(set(values)) else [formats.cell(value, column) for value in values]


def points(change: Number) -> str:
    """A difference of two rates: "2.1 percentage points"."""
    return f"{wording.told(magnitude(change), '%').removesuffix('%')} percentage points"


def change_words(change: object, relative: object, unit: str | None) -> str:
    """ "up 24.6% (+$270,419)", "down 3 (no baseline)", "unchanged"."""
    if not is_number(change):
        return "not comparable"
    if change == 0:
        return "unchanged"
    way = "up" if change > 0 else "down"
    if unit == "%":
        return f"{way} {points(change)}"
    if is_number(relative):
        return f"{way} {wording.told(magnitude(relative), '%')} ({wording.signed(change, unit)})"
    return f"{way} {wording.told(magnitude(change), unit)}"
