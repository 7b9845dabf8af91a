"""Figures along an order: trend, forecast, growth, changes from row to row, moving averages."""

from __future__ import annotations

import math
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from apps.analyst.computing.statistics.options import Options, number, text
from apps.analyst.computing.statistics.relations import coefficient
from apps.analyst.computing.statistics.result import StatisticResult, figure_text, prose, type_of
from apps.analyst.computing.statistics.values import column, numbers, scalar
from apps.analyst.errors import AnalystError
from apps.analyst.types import ResultColumn, Scalar

if TYPE_CHECKING:
    import pandas as pd

MOST_AHEAD = 60


def order_column(frame: pd.DataFrame, first: Scalar, options: Options) -> ResultColumn:
    """The result column that holds the order; `grain` in the options says how its dates are written."""
    name = str(frame.columns[0]) if len(frame.columns) > 1 else "row"
    return ResultColumn(name, type_of(first), "dimension", grain=text(options, "grain") or None)


def ordered(frame: pd.DataFrame, least: int, purpose: str) -> pd.DataFrame:
    """The first column (the order) and the last as numbers `y`, sorted, without gaps; a lone column keeps its order."""
    import pandas as pd

    value = str(frame.columns[-1])
    y = numbers(frame, value).series
    x: Any = pd.Series(range(1, len(frame) + 1), frame.index)
    if len(frame.columns) > 1:
        x = column(frame, str(frame.columns[0]))
    table = pd.DataFrame({"x": x, "y": y}).dropna()
    try:
        table = table.sort_values("x", kind="stable")
    except TypeError as error:
        raise AnalystError(f"“{frame.columns[0]}” mixes kinds of values and cannot be put in order.") from error
    if len(table) < least:
        raise AnalystError(f"{purpose} needs at least {least} values of “{value}” in order; there are {len(table)}.")
    return table.reset_index(drop=True)


def trend(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """The straight line through the values of the last column, one step per row in the order of the first.

    Least squares on the row numbers 1 to n: slope per step, r_squared, two-sided p of the slope; rising or falling if
    p < `alpha` (0.05), else no clear trend. `ahead` > 0 continues the line by so many steps (at most 60).
    """
    import numpy as np

    table = ordered(frame, 3, "A trend")
    name = str(frame.columns[-1])
    y = table["y"].to_numpy(dtype=float)
    x = np.arange(1, len(y) + 1, dtype=float)
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    intercept = float(y.mean() - slope * x.mean())
    r, p = coefficient(x, y, "pearson")
    r = r or 0.0
    steady = p >= number(options, "alpha", 0.05, 0, 1)
    way = "steady" if steady else "rising" if slope > 0 else "falling"
    step = text(options, "step", "step")
    figures: dict[str, Scalar] = {
        "direction": way,
        "slope": slope,
        "intercept": intercept,
        "r_squared": r * r,
        "p": p,
        "n": len(y),
        "first": float(y[0]),
        "last": float(y[-1]),
    }
    ahead = int(number(options, "ahead", 0, 0, MOST_AHEAD))
    forecast = [slope * (len(y) + i) + intercept for i in range(1, ahead + 1)]
    coming = following([scalar(v) for v in table["x"]], ahead, text(options, "grain"))
    rows: list[tuple[Scalar, ...]] = [
        (scalar(when), float(value), float(slope * (i + 1) + intercept))
        for i, (when, value) in enumerate(zip(table["x"], y, strict=True))
    ]
    rows += [(when, None, value) for when, value in zip(coming, forecast, strict=True)]
    if forecast:
        figures["forecast"] = forecast[-1]
    sentence = (
        f"{name} shows no clear trend: changes of about {prose(abs(slope))} a {step} may be chance (p = {p:.2f})."
        if steady
        else f"{name} is {way} by about {prose(abs(slope))} a {step} (straight line, R² = {r * r:.2f}, "
        f"{len(y)} values)."
    )
    if forecast:
        sentence += f" Continued, the line gives {prose(forecast[-1])} for {prose(coming[-1])}."
    first = rows[0][0]
    return StatisticResult(
        name="trend",
        figures=figures,
        columns=(
            order_column(frame, first, options),
            ResultColumn(name, "float", "measure"),
            ResultColumn("trend line", "float", "measure"),
        ),
        rows=tuple(rows),
        rule="least squares line over equal steps" + ("; the forecast continues it" if forecast else ""),
        sentence=sentence,
        rows_used=len(y),
    )


def following(known: list[Scalar], ahead: int, grain: str) -> list[Scalar]:
    """The labels of the next steps: periods of `grain` after the last date, else numbers going on, else "+1", "+2"."""
    last = known[-1]
    if isinstance(last, date) and grain:
        return [later(last, grain, i) for i in range(1, ahead + 1)]
    if isinstance(last, int | float) and not isinstance(last, bool) and len(known) > 1:
        before = known[-2]
        gap = last - before if isinstance(before, int | float) else 1
        return [last + gap * i for i in range(1, ahead + 1)]
    return [f"+{i}" for i in range(1, ahead + 1)]


def later(moment: date, grain: str, steps: int) -> Scalar:
    """The moment so many periods on."""
    import pandas as pd

    months = {"month": 1, "quarter": 3, "year": 12}.get(grain)
    if months:
        return scalar(pd.Timestamp(moment) + pd.DateOffset(months=months * steps))
    hours = {"week": 168, "hour": 1}.get(grain, 24)
    return scalar(pd.Timestamp(moment) + pd.Timedelta(hours=hours * steps))


def growth(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """From the first to the last value of the last column, in the order of the first.

    change = last - first; percent = change / first; cagr = (last / first)^(1 / steps) - 1 (compound growth
    per step, both values above zero; steps are the difference of whole-number orders such as years);
    average_change = change / steps; mean_percent = mean of the step-by-step changes. These three are in per cent.
    """
    table = ordered(frame, 2, "Growth")
    name = str(frame.columns[-1])
    y = table["y"].to_numpy(dtype=float)
    first, last, steps = float(y[0]), float(y[-1]), len(y) - 1
    when = [scalar(v) for v in table["x"]]
    start, end = when[0], when[-1]
    if isinstance(start, int) and isinstance(end, int) and end != start:
        steps = end - start
    changes = [float(b / a - 1) for a, b in pairwise(y) if a]
    figures: dict[str, Scalar] = {
        "first": first,
        "last": last,
        "change": last - first,
        "percent": 100 * (last - first) / first if first else None,
        "average_change": (last - first) / steps,
        "cagr": 100 * ((last / first) ** (1 / steps) - 1) if first > 0 and last > 0 else None,
        "mean_percent": 100 * math.fsum(changes) / len(changes) if changes else None,
    }
    share = figures["percent"]
    told = f" ({share:+.1f}%)" if isinstance(share, float) else ""
    mean = figures["mean_percent"]
    each = (
        f", on average {mean:+.1f}% a {text(options, 'step', 'step')}" if isinstance(mean, float) and steps > 1 else ""
    )
    return StatisticResult(
        name="growth",
        figures=figures,
        units={"percent": "%", "cagr": "%", "mean_percent": "%"},
        rule=f"from {figure_text(when[0])} to {figure_text(when[-1])}, {steps} steps",
        sentence=f"{name} went from {prose(first)} to {prose(last)}{told} between {prose(when[0])} "
        f"and {prose(when[-1])}{each}.",
        rows_used=len(y),
    )


def moving_average(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """The mean of each value of the last column and the `span` - 1 before it (3 by default), in the order of the first.

    The first span - 1 rows have none."""
    span = int(number(options, "span", 3, 2, 1000))
    table = ordered(frame, span, "A moving average")
    name = str(frame.columns[-1])
    averages = table["y"].rolling(span).mean()
    first = scalar(table["x"].iloc[0])
    rows: Any = zip((scalar(v) for v in table["x"]), map(float, table["y"]), (scalar(v) for v in averages), strict=True)
    return StatisticResult(
        name="moving_average",
        figures={"last": scalar(averages.iloc[-1])},
        columns=(
            order_column(frame, first, options),
            ResultColumn(name, "float", "measure"),
            ResultColumn(f"moving average of {span}", "float", "measure"),
        ),
        rows=tuple(rows),
        rule=f"mean of each value and the {span - 1} before it",
        sentence=f"The last moving average of {name} over {span} rows is {prose(scalar(averages.iloc[-1]))}.",
        rows_used=len(table),
    )
