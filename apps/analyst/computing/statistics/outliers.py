"""Values far from the rest, by a stated rule, and what the column looks like without them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.analyst.computing.statistics.options import Options, choice, number
from apps.analyst.computing.statistics.result import StatisticResult, measure, prose
from apps.analyst.computing.statistics.values import column, numbers, scalar
from apps.analyst.errors import AnalystError
from apps.analyst.types import ResultColumn, Scalar

if TYPE_CHECKING:
    import pandas as pd

METHODS = ("iqr", "zscore")
MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Fence:
    """The bounds that an ordinary value stays within (both included), and the rule in words."""

    low: float
    high: float
    rule: str

    def outside(self, series: pd.Series[float]) -> pd.Series[bool]:
        """True for each value below or above; missing ones are not outside."""
        return (series < self.low) | (series > self.high)


def fence(series: pd.Series[float], options: Options) -> Fence:
    """The bounds by `method`: "iqr" (J. Tukey: Q1 - factor IQR to Q3 + factor IQR, factor 1.5) or "zscore" (mean - t sd
    to mean + t sd, t = 3, sd of the population unless `ddof` 1). `threshold` sets factor or t, `side` one end only.

    Raises AnalystError below three values."""
    import math

    import numpy as np

    values = series.dropna().to_numpy(dtype=float)
    if len(values) < 3:
        raise AnalystError(f"Looking for outliers needs at least three values; there are {len(values)}.")
    method = choice(options, "method", METHODS, "iqr")
    if method == "iqr":
        factor = number(options, "threshold", 1.5, 0, 100)
        q1, q3 = (float(v) for v in np.quantile(values, [0.25, 0.75]))
        low, high = q1 - factor * (q3 - q1), q3 + factor * (q3 - q1)
        rule = f"below Q1 - {factor:g} IQR or above Q3 + {factor:g} IQR; quartiles by linear interpolation"
    else:
        limit = number(options, "threshold", 3.0, 0, 100)
        mean = float(values.mean())
        spread = float(values.std(ddof=int(number(options, "ddof", 0, 0, 1))))
        low, high = mean - limit * spread, mean + limit * spread
        rule = f"more than {limit:g} standard deviations from the mean"
    side = choice(options, "side", ("both", "above", "below"), "both")
    if side == "above":
        low, rule = -math.inf, rule + "; only above counts"
    elif side == "below":
        high, rule = math.inf, rule + "; only below counts"
    return Fence(low, high, rule)


def outliers(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Outliers of the first column; further columns name the rows. See `fence` for the rule and its options.

    Figures: count, share, bounds, mean, median, minimum, maximum and standard deviation of the outliers and of what
    remains. Units: the column's.
    """
    import math

    name = str(frame.columns[0])
    read = numbers(frame, name)
    bounds = fence(read.series, options)
    out = bounds.outside(read.series)
    inside = read.series[~out].dropna()
    beyond = read.series[out]
    total = len(inside) + len(beyond)
    figures: dict[str, Scalar] = {
        "count": len(beyond),
        "share": len(beyond) / total,
        "lower bound": bounds.low if math.isfinite(bounds.low) else None,
        "upper bound": bounds.high if math.isfinite(bounds.high) else None,
        "remaining": len(inside),
    }
    figures |= described(beyond, "") | described(inside, "remaining ")
    shown = frame.loc[out].head(MOST_ROWS)
    others = [str(c) for c in frame.columns[1:]]
    rows = tuple(
        (*(scalar(row[i + 1]) for i in range(len(others))), scalar(value))
        for row, value in zip(shown.itertuples(index=False, name=None), beyond.head(MOST_ROWS), strict=True)
    )
    naming = [
        ResultColumn(other, measure(other, rows[0][i]).type if rows else "text", "dimension")
        for i, other in enumerate(others)
    ]
    columns = (*naming, ResultColumn(name, "float", "measure"))
    sentence = f"No value of {name} is out of line ({total:,} values; {bounds.rule})."
    if len(beyond):
        low, high = max(bounds.low, float(inside.min())), min(bounds.high, float(inside.max()))
        sentence = (
            f"{len(beyond):,} of {total:,} values of {name} ({100 * len(beyond) / total:.1f}%) are out of line, from "
            f"{prose(float(beyond.min()))} to {prose(float(beyond.max()))}; ordinary values lie between "
            f"{prose(low)} and {prose(high)}."
        )
    return StatisticResult(
        name="outliers",
        figures=figures,
        columns=columns if len(beyond) else (),
        rows=rows,
        rule="outliers: " + bounds.rule,
        sentence=sentence,
        notes=(read.note,) if read.note else (),
        rows_used=total,
    )


def described(values: pd.Series[Any], prefix: str) -> dict[str, Scalar]:
    """Mean, median, sample and population standard deviation, minimum and maximum; None where there are no values."""
    n = len(values)
    return {
        f"{prefix}mean": scalar(values.mean()) if n else None,
        f"{prefix}median": scalar(values.median()) if n else None,
        f"{prefix}std": scalar(values.std(ddof=1)) if n > 1 else None,
        f"{prefix}std_pop": scalar(values.std(ddof=0)) if n else None,
        f"{prefix}minimum": scalar(values.min()) if n else None,
        f"{prefix}maximum": scalar(values.max()) if n else None,
    }


def names_of_outliers(frame: pd.DataFrame, options: Options) -> list[Scalar]:
    """The second column's values (without one: the first's) in the rows that are outliers, in the rows' order."""
    read = numbers(frame, str(frame.columns[0]))
    out = fence(read.series, options).outside(read.series)
    wanted = column(frame, str(frame.columns[1] if len(frame.columns) > 1 else frame.columns[0]))
    return [scalar(v) for v in wanted[out]]
