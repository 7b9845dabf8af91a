"""Readings of trends, forecasts, moving averages and growth: a figure per period, then a statistic along the
periods."""

from __future__ import annotations

import re

from apps.analyst.language.reading import ChartWish, Reading
from apps.analyst.plan import Aggregate, ColumnRef, Grain, Order, Output, Period, Query, Statistic
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Column, Table

_TREND = re.compile(
    r"\btrend(?:s|ing)?\b(?!ing topic)|\b(?:is|are)\b[^.?]*\b(?:growing|rising|falling|declining|increasing"
    r"|decreasing|shrinking)\b",
    re.IGNORECASE,
)
_FORECAST = re.compile(
    r"\bforecast|\bpredict|\bproject(?:ed|ion)\b|\bextrapolat|\bexpect\b[^.?]*\bnext\b"
    r"|\bexpected\b(?! to\b)[^.?]*\bnext\b",
    re.IGNORECASE,
)
_MOVING = re.compile(r"\b(?:moving|rolling)\s+(?:average|mean)", re.IGNORECASE)
_GROWTH = re.compile(
    r"\bcagr\b|\bcompound(?:ed)? annual growth|\bgrowth rate\b|\baverage (?:annual|yearly|monthly) growth",
    re.IGNORECASE,
)
_AHEAD = re.compile(r"\bnext\s+(?:(\d+|two|three|four|six|twelve)\s+)?(day|week|month|quarter|year)s?\b", re.IGNORECASE)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "six": 6, "twelve": 12}
_GRAINS: tuple[tuple[str, Grain], ...] = (
    (r"\b(?:daily|per day|by day|each day|days?)\b", "day"),
    (r"\b(?:weekly|per week|by week|each week|weeks?)\b", "week"),
    (r"\b(?:monthly|per month|by month|each month|months?)\b", "month"),
    (r"\b(?:quarterly|per quarter|by quarter|quarters?)\b", "quarter"),
    (r"\b(?:yearly|annual(?:ly)?|per year|by year|each year|years?)\b", "year"),
)
TREND, FORECAST = 0.985, 0.99
_DROPPED = re.compile(
    r"\bnext\s+(?:\w+\s+)?(?:day|week|month|quarter|year)s?\b|\b(?:\d+|two|three|six|twelve)[\s-]*(?:day|week"
    r"|month|quarter|year|period)s?"
    r"(?=\s+(?:moving|rolling))|\b(?:moving|rolling)\s+(?:average|mean)s?\b|\btrends?\b|\btrending\b"
    r"|\bforecasts?\b|\bpredict\w*\b"
    r"|\bproject(?:ed|ion)s?\b|\bextrapolat\w*\b|\bexpect(?:ed)?\b|\bcagr\b|\bcompound(?:ed)? annual growth "
    r"rate\b|\bgrowth rate\b"
    r"|\b(?:growing|rising|falling|declining|increasing|decreasing|shrinking)\b|\bover time\b|\bby a linear "
    r"trend\b|\blinear\b"
    r"|^\s*(?:what|how|is|are|do|does|did|will|can you|please|show|give|tell)\b(?:\s+(?:me|is|are|be|was|were"
    r"|the|there|an?))*",
    re.IGNORECASE,
)
"""What speaks of the statistic and not of the figure that it follows."""


def figure_question(text: str) -> str:
    """The plain question for the figure alone: "forecast revenue for next month" asks for the revenue by month."""
    wanted = _ahead(text)
    grain = wanted[1] if wanted else _grain(text)
    left = _DROPPED.sub(" ", text.strip().rstrip("?.! "))
    left = re.sub(
        r"^\s*(?:(?:of|in|for|the|by|an?)\s+)+|\s+(?:of|in|for|by|the|and|a|with)\s*$",
        " ",
        re.sub(r"\s+", " ", left) + " ",
    )
    said = re.search(
        r"\b(?:by|per|each)\s+(?:day|week|month|quarter|year)\b|\b(?:daily|weekly|monthly|yearly)\b",
        left,
        re.IGNORECASE,
    )
    return f"What is the {left.strip()}{'' if said or grain is None else f' by {grain}'}?"


def wants_series(text: str) -> bool:
    """Whether a question asks for a statistic along time."""
    return any(pattern.search(text) for pattern in (_TREND, _FORECAST, _MOVING, _GROWTH))


def read_series(text: str, catalog: Catalog, base: Query | None) -> list[Reading]:
    """The statistic over the figure of `base` (the plain reading of the question) per period of the table's time
    column."""
    if base is None or not isinstance(base.source, str):
        return []
    table = next((t for t in catalog.tables() if t.name == base.source), None)
    if table is None or any(name in text.casefold() for name in _expected(table)):
        return []
    wanted = _ahead(text)
    grain = wanted[1] if wanted else _grain(text)
    measure, known = _measure(base, table), _period(base)
    if measure is None:
        return []
    if known is not None:
        when, grain = known, known.expr.grain if isinstance(known.expr, Period) else grain
        query = base.model_copy(
            update={
                "groups": (when,),
                "measures": (measure,),
                "columns": (),
                "order": (Order(by=when.label),),
                "limit": None,
            }
        )
    else:
        time = _time_column(table)
        if time is None:
            return []
        when = _when(table, time, grain or _natural_grain(time))
        grain = when.expr.grain if isinstance(when.expr, Period) else None
        query = Query(
            source=table.name,
            joins=base.joins,
            where=base.where,
            groups=(when,),
            measures=(measure,),
            order=(Order(by=when.label),),
        )
    return [_reading(text, query, when.label, measure.label, grain, wanted[0] if wanted else 0)]


def _expected(table: Table) -> list[str]:
    """The columns that hold what is expected, as words: "expected close next month" asks for stored days."""
    names = (spoken(column.name).casefold() for column in table.columns)
    return [name for name in names if _FORECAST.search(f"{name} next")]


def _reading(text: str, query: Query, when: str, measure: str, grain: Grain | None, ahead: int) -> Reading:
    chart = ChartWish(mark="line", x=when, y=measure)
    options: dict[str, str | int | float | bool | None] = {}
    if _MOVING.search(text):
        span = re.search(r"\b(\d+)[\s-]*(?:day|week|month|quarter|year|period|point)?s?\b", text)
        name, score = "moving_average", FORECAST
        options = {"span": max(2, int(span.group(1))) if span else 3, "grain": grain}
    elif _FORECAST.search(text):
        name, score = "trend", FORECAST
        options = {"ahead": max(1, min(ahead, 60)), "grain": grain or "", "step": grain or "step"}
    elif _GROWTH.search(text):
        name, score = "growth", TREND
        compound = bool(re.search(r"cagr|compound", text, re.IGNORECASE))
        options = {
            "show": "cagr=compound growth rate" if compound else "mean_percent=average growth",
            "step": grain or "step",
        }
    else:
        name, score = "trend", TREND
        options = {"step": grain or "step", "grain": grain}
    assumptions = ("The forecast continues a straight line through the past.",) if options.get("ahead") else ()
    return Reading(
        plan=Statistic(name=name, query=query, options=options),
        score=score,
        understood=(f"{name.replace('_', ' ')} of {measure} by {when}",),
        assumptions=assumptions,
        chart=chart,
        reader="statistics",
        wording=f"{name.replace('_', ' ')} of {measure} by {when}",
    )


def _ahead(text: str) -> tuple[int, Grain] | None:
    """How many periods ahead a question looks, and of which length."""
    found = _AHEAD.search(text)
    if found is None:
        return None
    said = (found.group(1) or "1").casefold()
    count = _NUMBERS.get(said) or int(said)
    grain = next(g for pattern, g in _GRAINS if re.search(pattern, found.group(2), re.IGNORECASE))
    return count, grain


def _grain(text: str) -> Grain | None:
    return next((grain for pattern, grain in _GRAINS if re.search(pattern, text, re.IGNORECASE)), None)


def _measure(base: Query, table: Table) -> Output | None:
    """The figure per period: that of the plain reading, else the sum of its first listed number."""
    for output in base.measures:
        if isinstance(output.expr, Aggregate):
            return output
    for output in base.columns:
        if isinstance(output.expr, ColumnRef):
            column = table.column(output.expr.column)
            if column is not None and column.role == "measure":
                return Output(label=f"Total {column.name}", expr=Aggregate(fn="sum", of=output.expr), unit=column.unit)
    return None


def _period(base: Query) -> Output | None:
    """The period the plain reading already groups by, if it groups by nothing else."""
    return base.groups[0] if len(base.groups) == 1 and isinstance(base.groups[0].expr, Period) else None


def _time_column(table: Table) -> Column | None:
    moments = [c for c in table.columns if c.type in ("date", "datetime")]
    years = [c for c in table.columns if c.type == "integer" and c.role == "time"]
    return next(iter((*moments, *years)), None)


def _natural_grain(column: Column) -> Grain:
    """Months, or years where the column spans more than a dozen of them."""
    low, high = column.minimum, column.maximum
    if low is not None and high is not None and hasattr(low, "year") and hasattr(high, "year"):
        return "year" if high.year - low.year > 12 else "month"
    return "month"


def _when(table: Table, column: Column, grain: Grain) -> Output:
    ref = ColumnRef(table=table.name, column=column.name)
    if column.type == "integer":
        return Output(label=column.name, expr=ref)
    return Output(label=grain.capitalize(), expr=Period(grain=grain, of=ref))
