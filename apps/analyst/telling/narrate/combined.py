"""Figures that are made of several others: a ratio of two groups, a difference of two years."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.plan import Arithmetic, ColumnRef, Combine
from apps.analyst.telling.formats import capital
from apps.analyst.telling.narrate.phrases import figure_name
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import be, is_plural, opening, the


def combined(view: View, text: str) -> str:
    """ "Total sales for the East are 1.3 times those for the West", "The difference is 12"."""
    if (times := times_of(view)) is None:
        return f"{capital(_said(view.columns[0].name))} {B}{text}{B}."
    what, one, other = times
    that = "those" if is_plural(what) else "that"
    return f"{opening(what)} for {one} {be(what)} {B}{text} times{B} {that} for {other}."


def times_of(view: View) -> tuple[str, str, str] | None:
    """The figure that two parts have, and what the parts are called, where the one is divided by the other."""
    plan = view.plan
    if not isinstance(plan, Combine) or len(plan.outputs) != 1 or len(plan.parts) != 2:
        return None
    expr, labels = plan.outputs[0].expr, [part.label for part in plan.parts]
    if not isinstance(expr, Arithmetic) or expr.op != "/" or view.columns[0].unit == "%":
        return None
    sides = [side.column for side in (expr.left, expr.right) if isinstance(side, ColumnRef)]
    first, second = ([m.expr for m in part.query.measures] for part in plan.parts)
    if len(sides) != 2 or set(sides) != set(labels) or first != second:
        return None
    measure = plan.parts[0].query.measures[0]
    alone = View(replace(view.computed, plan=plan.parts[0].query), view.catalog)
    return figure_name(measure.expr, measure.label, alone), sides[0], sides[1]


def _said(label: str) -> str:
    """A figure that several make, with its verb: "the difference is", "East per West is", "total sales are"."""
    first, *others = label.split(" ")
    named = any(word[:1].isupper() for word in others)
    if named:
        return f"{label} is"
    name = " ".join([first if first[1:2].isupper() else first.lower(), *others])
    return f"{the(name)} {be(name)}"
