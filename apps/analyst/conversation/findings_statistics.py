"""What the tested statistics find in a table: months and rows out of line, and empty cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from apps.analyst.computing.compute import Computed
from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.computing.metrics.running import is_running, known_to, last_of, little
from apps.analyst.conversation.dating import date_meant
from apps.analyst.conversation.predicates import within_days
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import figure_words
from apps.analyst.conversation.scene import Scene
from apps.analyst.plan import Aggregate, ColumnRef, Order, Output, Period, Query, Statistic
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.reading.calendars import shifted
from apps.analyst.telling import formats
from apps.analyst.telling.labelling import rows_of
from apps.analyst.telling.wording import told
from apps.analyst.types import Column, Table

FEWEST_MONTHS = 8
GAPS = 0.05
"""Share of empty cells from which a column's are told."""
MONTH = "Month"


@dataclass(frozen=True, slots=True)
class Asked:
    """A statistic, and what is said of its result: "" where nothing is."""

    plan: Statistic
    words: Callable[[Computed], str]


# ---------------------------------------------------------------- out of line
def months_out_of_line(query: Query, scene: Scene, today: date) -> Asked | None:
    """The whole months whose figure lies out of line with the others'."""
    ref = date_meant(query, scene)
    column = scene.column(ref) if ref is not None else None
    whole = _whole_months(column, today) if column is not None else None
    if ref is None or whole is None:
        return None
    measure = query.measures[0]
    month = Output(label=MONTH, expr=Period(grain="month", of=ref))
    where = together([*conjuncts(query.where), within_days(ref, *whole)])
    monthly = query.model_copy(update={"groups": (month,), "where": where, "order": (Order(by=MONTH),)})
    outputs = (_inner(measure.label, measure.unit), _inner(MONTH))
    label, unit = figure_words(measure, query, Names(query, scene.catalog)), measure.unit

    def words(computed: Computed) -> str:
        found = computed.statistic
        if found is None or not found.rows or _number(found.figures["remaining"]) + len(found.rows) < FEWEST_MONTHS:
            return ""
        middle = _number(found.figures["remaining median"])
        when, value = max(((row[0], _number(row[1])) for row in found.rows), key=lambda row: abs(row[1] - middle))
        low, high = (told(_number(found.figures[f"remaining {end}"]), unit) for end in ("minimum", "maximum"))
        others = "the others" if len(found.rows) == 1 else "ordinary months"
        month_said, figure = formats.period(when, "month"), told(value, unit)
        return f"**{month_said}** is out of line in {label}: **{figure}**, where {others} lie between {low} and {high}."

    return Asked(Statistic(name="outliers", query=Query(source=monthly, columns=outputs)), words)


def _inner(label: str, unit: str | None = None) -> Output:
    return Output(label=label, expr=ColumnRef(table="", column=label), unit=unit)


def _whole_months(column: Column, today: date) -> tuple[date, date] | None:
    """From the first whole month that a column knows to the day behind the last one."""
    low, high = day_of(column.minimum), day_of(column.maximum)
    if low is None or high is None:
        return None
    known = known_to(column, today)
    first, last = low.replace(day=1), known.replace(day=1)
    if (low - first).days > little(last_of(first, "month").day, column):
        first = shifted(first, 1)
    end = last if is_running((last, last_of(last, "month")), known, column) else shifted(last, 1)
    return (first, end) if first < end else None


def rows_out_of_line(query: Query, table: Table, scene: Scene) -> Asked | None:
    """The rows whose amount lies out of line with that of the others."""
    measure = query.measures[0]
    figure = measure.expr
    if not isinstance(figure, Aggregate) or not isinstance(figure.of, ColumnRef) or not isinstance(query.source, str):
        return None
    said, unit = scene.said(figure.of), measure.unit
    rows = Output(label=formats.capital(said), expr=figure.of, unit=unit)
    listed = query.model_copy(update={"measures": (), "groups": (), "order": (), "columns": (rows,)})

    def words(computed: Computed) -> str:
        found = computed.statistic
        count = int(_number(found.figures["count"])) if found is not None else 0
        if found is None or not count:
            return ""
        ends = [told(_number(found.figures[end]), unit) for end in ("minimum", "maximum")]
        low, high = (told(_number(found.figures[f"remaining {end}"]), unit) for end in ("minimum", "maximum"))
        reach = f"from {ends[0]} to {ends[1]}" if count > 1 else ends[0]
        rows_said = rows_of(table.name, scene.catalog)
        return (
            f"**{count:,} of {found.rows_used:,} {rows_said}** {'are' if count > 1 else 'is'} out of line in {said}: "
            f"{reach}, where the others lie between {low} and {high}."
        )

    return Asked(Statistic(name="outliers", query=listed), words)


# ---------------------------------------------------------------- empty cells
def gaps(table: Table) -> Asked | None:
    """The column with most empty cells."""
    most = max(table.columns, key=lambda column: column.missing, default=None)
    if most is None or most.missing <= GAPS * table.rows:
        return None
    cells = Output(label=most.name, expr=ColumnRef(table=table.name, column=most.name))
    name = formats.capital(formats.spoken(most.name))

    def words(computed: Computed) -> str:
        found = computed.statistic
        if found is None:
            return ""
        share = formats.figure(found.figures["percent"], "%")
        return f"**{name}** is empty in {_number(found.figures['count']):,.0f} of {found.rows_used:,} rows ({share})."

    return Asked(Statistic(name="missing", query=Query(source=table.name, columns=(cells,))), words)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
