"""Whether what was said of two things is so: "Yes: points are 13 for Mia Lund and 10 for Olga Rak"."""

from __future__ import annotations

from apps.analyst.plan import Aggregate, ColumnRef, Combine, Conditional
from apps.analyst.telling import formats, wording
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import be, the

_WITH_BOTH = 3
"""Columns of a verdict: the answer, then the figures of the two, perhaps with their difference between."""


def verdict(view: View) -> str:
    """The answer in one word and the two figures that it comes from; "" for anything else."""
    plan = view.plan
    if not isinstance(plan, Combine) or not isinstance(plan.outputs[0].expr, Conditional) or len(view.rows) != 1:
        return ""
    if view.columns[0].type != "text" or len(view.columns) == 1:
        return ""
    row = view.rows[0]
    figures = [_figure(view, place) for place in range(len(row))]
    if len(row) < _WITH_BOTH:
        name = formats.spoken(view.columns[1].name)
        return f"{B}{row[0]}{B}: {the(name)} {be(name)} {figures[1]}."
    one, other = (f"{figures[place]} for {view.columns[place].name}" for place in (-2, -1))
    label = plan.parts[0].query.measures[0].label
    name = view.said(formats.spoken(label))
    what = f"{the(name)} {be(name)}"
    if row[0] is None:
        return f"That cannot be said: {what} {one} and {other}."
    between = f", a difference of {B}{figures[1]}{B}" if len(row) > _WITH_BOTH else ""
    return f"{B}{formats.capital(str(row[0]))}{B}: {what} {one} and {other}{between}."


def _figure(view: View, place: int) -> str:
    """A cell of the answer; years without a thousands separator."""
    value, plan = view.rows[0][place], view.plan
    assert isinstance(plan, Combine)
    measured = plan.parts[0].query.measures[0].expr
    of = measured.of if isinstance(measured, Aggregate) else None
    table = next((t for t in view.catalog.tables() if isinstance(of, ColumnRef) and t.name == of.table), None)
    column = table.column(of.column) if table is not None and isinstance(of, ColumnRef) else None
    if column is not None and column.role == "time":
        return formats.cell_text(value)
    return wording.cell(value, view.columns[place])
