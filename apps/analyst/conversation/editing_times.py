"""What follow-ups do with time: another period in the place of the one before, and the one before beside it."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.analyst.computing.compile.walk import windowed
from apps.analyst.computing.metrics import running
from apps.analyst.conversation.rows import in_period
from apps.analyst.conversation.scene import Scene
from apps.analyst.plan import (
    Between,
    Comparison,
    Order,
    Output,
    Part,
    Period,
    Plan,
    Query,
    Window,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.spans import date_range
from apps.analyst.ports import Catalog
from apps.analyst.reading.calendars import Range

_MONTHS = {"year": 12, "quarter": 3, "month": 1}
SIDES = 2
_SPANS = {"day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1}


@dataclass(frozen=True, slots=True)
class Beside:
    """A plan with the period before beside, and what that is called."""

    plan: Plan
    told: str
    assumed: str = ""


def across(query: Query) -> bool:
    """True where a measure looks at other rows of the result already."""
    return any(windowed(measure.expr) for measure in query.measures)


def with_period_before(query: Plan | None, before: re.Match[str], today: date, catalog: Catalog) -> Beside | None:
    """The plan with the period before beside its own; None where it has none to go by.

    A period that is not over is held against as much of the one before. Of what is compared already, the current side
    is held against another.
    """
    if isinstance(query, Comparison):
        query = query.query.model_copy(update={"where": together((*conjuncts(query.query.where), query.current))})
    if not isinstance(query, Query) or not query.measures or across(query):
        return None
    dated = [t for t in conjuncts(query.where) if isinstance(t, Between) and date_range(t) is not None]
    periods = [group for group in query.groups if isinstance(group.expr, Period)]
    if len(dated) == 1:
        return _side_by_side(query, dated[0], before, today, catalog)
    if not dated and len(periods) == 1 and len(query.measures) == 1 and not before["year"]:
        return _along(query, periods[0], before)
    return None


def between_two(told: Sequence[Query], today: date, catalog: Catalog) -> Beside | None:
    """The same figure in the two periods that were told last (the last first), side by side; None where other figures
    or rows were told between."""
    spans: dict[tuple[date, date], Between] = {}
    alike: Query | None = None
    for query in told:
        dated = [t for t in conjuncts(query.where) if isinstance(t, Between) and date_range(t) is not None]
        rest = together([test for test in conjuncts(query.where) if test not in dated])
        bare = query.model_copy(update={"where": rest, "noun": "", "scope": ""})
        if len(dated) != 1 or across(query) or (alike is not None and bare != alike):
            return None
        alike = bare
        spans.setdefault(_days(dated[0]), dated[0])
        if len(spans) == SIDES:
            then, now = sorted(spans)
            whole = bare.model_copy(update={"where": together((*conjuncts(bare.where), spans[now]))})
            return _beside(whole, spans[now], then, today, catalog)
    return None


def two_spans(query: Query, spans: Sequence[Range], today: date, scene: Scene) -> Beside | None:
    """The query's figures in two periods side by side; None where nothing is computed by date."""
    then, now = spans
    dated = in_period(query, [now], scene) if query.measures and not across(query) else None
    last = timedelta(days=1)
    for test in conjuncts(dated.where) if dated is not None else ():
        if dated is not None and isinstance(test, Between) and date_range(test) == (now[0], now[1] - last):
            return _beside(dated, test, (then[0], then[1] - last), today, scene.catalog)
    return None


def _days(test: Between) -> tuple[date, date]:
    span = date_range(test)
    assert span is not None
    return span


def _side_by_side(
    query: Query, current: Between, before: re.Match[str], today: date, catalog: Catalog
) -> Beside | None:
    low, high = _days(current)[0], _days(current)[1] + timedelta(days=1)
    months = (high.year - low.year) * 12 + high.month - low.month
    unit = before["unit"] or before["named"] or before["same"] or "year"
    shift = 12 * (low.year - int(before["year"])) if before["year"] else _MONTHS.get(unit, months)
    if not shift:
        return None
    other = _earlier(low, shift), _earlier(high, shift) - timedelta(days=1)
    if shift > 0:
        return _beside(query, current, other, today, catalog)
    later = running.days_of(current, other)  # what changed is told from the earlier to the later, whichever was told
    assert isinstance(later, Between)
    moved = [later if test == current else test for test in conjuncts(query.where)]
    return _beside(query.model_copy(update={"where": together(moved)}), later, _days(current), today, catalog)


def _beside(query: Query, current: Between, then: tuple[date, date], today: date, catalog: Catalog) -> Beside:
    """The query's period beside another one."""
    span = _days(current)
    months = (span[1].year - span[0].year) * 12 + span[1].month - span[0].month + 1
    even = running.beside(span, then, today, running.dated_column(current, catalog))
    kept = tuple(test for test in conjuncts(query.where) if test != current)
    groups = tuple(_recurring(group, current, months) for group in query.groups)
    cut = _leads(query) if groups == query.groups else {"order": (), "limit": None, "offset": 0}
    bare = {
        "where": together(kept),
        "groups": groups,
        **cut,
        "limit_per": (),
        "noun": "",
        "scope": "",
    }
    plan = Comparison(
        query=query.model_copy(update=bare),
        current=running.days_of(current, even.now),
        baseline=running.days_of(current, even.then),
        current_label=even.labels[0],
        baseline_label=even.labels[1],
    )
    return Beside(plan, f"{running.label_of(span)} beside {running.label_of(then)}", even.told)


def _leads(query: Query) -> dict[str, object]:
    """The order and limit of a ranking by its own figures, which hold for its compared rows, too: the three that lead
    now beside what they were before."""
    shown = {measure.label for measure in query.measures}
    if query.limit is None or query.offset or not query.groups or not query.order:
        return {"order": (), "limit": None, "offset": 0}
    if any(by.by not in shown for by in query.order):
        return {"order": (), "limit": None, "offset": 0}
    return {"order": query.order, "limit": query.limit}


def _along(query: Query, time: Output, before: re.Match[str]) -> Beside | None:
    assert isinstance(time.expr, Period)
    unit = before["unit"] or before["named"] or before["same"] or "year"
    span = _SPANS.get(time.expr.grain) if unit == "year" else 1
    if span is None:
        return None
    measure, others = query.measures[0], tuple(g.label for g in query.groups if g.label != time.label)
    back = f"{unit.capitalize()} before"
    added = (
        Output(
            label=back,
            expr=Window(fn="previous", of=measure.expr, partition=others, order=time.label, span=span),
            unit=measure.unit,
        ),
        Output(
            label="Change %",
            expr=Window(fn="change_pct", of=measure.expr, partition=others, order=time.label, span=span),
            unit="%",
        ),
    )
    order = (*(Order(by=label) for label in others), Order(by=time.label))
    update = {"measures": (measure, *added), "order": order, "limit": None, "offset": 0, "noun": "", "scope": ""}
    return Beside(query.model_copy(update=update), f"beside the {unit} before")


def recurring(plan: Comparison) -> Comparison:
    """A comparison by months or quarters of its years, which are never the same ones: "Jan" beside "Jan"."""
    span = date_range(plan.current) if isinstance(plan.current, Between) else None
    if span is None or not isinstance(plan.current, Between):
        return plan
    months = (span[1].year - span[0].year) * 12 + span[1].month - span[0].month + 1
    current = plan.current
    groups = tuple(_recurring(group, current, months) for group in plan.query.groups)
    return plan.model_copy(update={"query": plan.query.model_copy(update={"groups": groups})})


def _recurring(group: Output, current: Between, months: int) -> Output:
    """Months and quarters of one year, to be laid beside those of another: "Jan" beside "Jan"."""
    expr = group.expr
    if not isinstance(expr, Period) or expr.of != current.of or expr.grain not in ("month", "quarter") or months > 12:
        return group
    return Output(label=expr.grain.capitalize(), expr=Part(part=expr.grain, of=expr.of))


def _earlier(day: date, months: int) -> date:
    """The day some months earlier, or that month's last one where it is shorter."""
    place = day.year * 12 + day.month - 1 - months
    year, month = place // 12, place % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))
