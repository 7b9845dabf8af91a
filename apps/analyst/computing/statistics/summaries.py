"""Statistics of one column: centre, spread, quantiles, shape, frequencies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from apps.analyst.computing.statistics.options import Options, choice, number
from apps.analyst.computing.statistics.result import StatisticResult, measure, prose
from apps.analyst.computing.statistics.values import column, numbers, sample, scalar
from apps.analyst.errors import AnalystError
from apps.analyst.types import ResultColumn, Scalar

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


def summary(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Centre and spread of the first column.

    Mean = sum / n; std and variance divide by n - 1 (sample), std_pop and variance_pop by n (population); quartiles
    are interpolated linearly (Hyndman and Fan type 7); mode is the smallest of the most frequent values. Units: the
    column's.
    """
    import numpy as np

    name = str(frame.columns[0])
    values, note = sample(frame, name, 1, "A summary")
    n = len(values)
    q1, median, q3 = (float(v) for v in np.quantile(values, [0.25, 0.5, 0.75]))
    mean = math.fsum(values) / n
    spread = math.fsum((values - mean) ** 2)
    low, high = float(values.min()), float(values.max())
    figures: dict[str, Scalar] = {
        "count": n,
        "missing": len(frame) - n,
        "mean": mean,
        "median": median,
        "mode": mode_of(values),
        "std": math.sqrt(spread / (n - 1)) if n > 1 else None,
        "std_pop": math.sqrt(spread / n),
        "variance": spread / (n - 1) if n > 1 else None,
        "variance_pop": spread / n,
        "minimum": low,
        "maximum": high,
        "range": high - low,
        "q1": q1,
        "q3": q3,
        "iqr": q3 - q1,
        "sum": math.fsum(values),
        "distinct": len(np.unique(values)),
        "cv": math.sqrt(spread / (n - 1)) / mean if n > 1 and mean else None,
        "standard_error": math.sqrt(spread / (n - 1) / n) if n > 1 else None,
    }
    return StatisticResult(
        name="summary",
        figures=figures,
        rule="missing values left out; sample standard deviation (n - 1); quartiles by linear interpolation",
        sentence=(
            f"The {n:,} values of {name} average {prose(mean)} (median {prose(median)}) and range from "
            f"{prose(low)} to {prose(high)}; half of them lie between {prose(q1)} and "
            f"{prose(q3)}."
        ),
        notes=(note,) if note else (),
        rows_used=n,
    )


def mode_of(values: np.ndarray[Any, np.dtype[Any]]) -> float:
    """The most frequent value, the smallest of several."""
    import numpy as np

    found, counts = np.unique(values, return_counts=True)
    return float(found[int(counts.argmax())])


def quantile(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """The value below which the share `q` (0 to 1) of the first column lies, interpolated linearly (type 7)."""
    import numpy as np

    name = str(frame.columns[0])
    values, note = sample(frame, name, 1, "A percentile")
    q = number(options, "q", 0.5, 0, 1)
    value = float(np.quantile(values, q))
    return StatisticResult(
        name="quantile",
        figures={"value": value},
        rule="linear interpolation between the two nearest values; missing values left out",
        sentence=f"{prose(100 * q)}% of the {len(values):,} values of {name} are {prose(value)} or less.",
        notes=(note,) if note else (),
        rows_used=len(values),
    )


def skewness_of(values: np.ndarray[Any, np.dtype[Any]], bias: bool) -> float:
    """Fisher-Pearson skewness: m3 / m2^1.5 (as SciPy); bias False multiplies by sqrt(n(n-1)) / (n-2) (as pandas)."""
    n = len(values)
    centred = values - math.fsum(values) / n
    m2, m3 = float((centred**2).mean()), float((centred**3).mean())
    if m2 <= 0:
        return 0.0
    biased: float = m3 / m2**1.5
    return biased if bias or n < 3 else biased * math.sqrt(n * (n - 1)) / (n - 2)


def kurtosis_of(values: np.ndarray[Any, np.dtype[Any]], bias: bool, excess: bool) -> float:
    """Kurtosis m4 / m2^2 (Pearson), minus 3 where `excess` (Fisher); bias False is the k-statistic form pandas uses."""
    n = len(values)
    centred = values - math.fsum(values) / n
    m2, m4 = float((centred**2).mean()), float((centred**4).mean())
    if m2 <= 0:
        return 0.0
    fisher: float = m4 / m2**2 - 3
    if not bias and n > 3:
        fisher = ((n + 1) * fisher + 6) * (n - 1) / ((n - 2) * (n - 3))
    return fisher if excess else fisher + 3


def shape(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Skewness and kurtosis of the first column; `convention` "pandas" (unbiased, default) or "scipy" (biased);
    `kurtosis` "excess" (a normal has 0, default) or "plain" (a normal has 3). Without unit."""
    name = str(frame.columns[0])
    values, note = sample(frame, name, 3, "Skewness")
    bias = choice(options, "convention", ("pandas", "scipy"), "pandas") == "scipy"
    excess = choice(options, "kurtosis", ("excess", "plain"), "excess") == "excess"
    n = len(values)
    skew = skewness_of(values, bias)
    tails = kurtosis_of(values, bias, excess)
    tail = f"has a long tail towards {'high' if skew > 0 else 'low'} values"
    lean = "leans to neither side" if abs(skew) < 0.5 else tail
    return StatisticResult(
        name="shape",
        figures={"skewness": skew, "kurtosis": tails},
        rule=("population moments" if bias else "bias-corrected moments")
        + ("; kurtosis as excess over a normal distribution" if excess else "; a normal distribution has kurtosis 3"),
        sentence=f"{name} {lean} (skewness {prose(skew)}, kurtosis {prose(tails)}, {n:,} values).",
        notes=(note,) if note else (),
        rows_used=len(values),
    )


def distribution(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """How the first column is distributed: equal-width classes with counts and shares (texts: each value).

    `bins` is the number of classes; by default Sturges' rule, ceil(log2 n) + 1, at most 20.
    """
    import numpy as np

    name = str(frame.columns[0])
    try:
        values, note = sample(frame, name, 1, "A distribution")
    except AnalystError:
        return frequency(frame, options)
    n = len(values)
    default = min(20, math.ceil(math.log2(n)) + 1) if n > 1 else 1
    bins = int(number(options, "bins", default, 1, 200))
    counts, edges = np.histogram(values, bins=bins)
    rows = tuple(
        (float(edges[i]), float(edges[i + 1]), int(counts[i]), 100 * int(counts[i]) / n) for i in range(len(counts))
    )
    skew = skewness_of(values, bias=False) if n > 2 else 0.0
    tail = f"with a long tail towards {'high' if skew > 0 else 'low'} values"
    lean = "evenly to both sides" if abs(skew) < 0.5 else tail
    q1, median, q3 = (float(v) for v in np.quantile(values, [0.25, 0.5, 0.75]))
    return StatisticResult(
        name="distribution",
        figures={"mean": float(values.mean()), "median": median, "q1": q1, "q3": q3, "skewness": skew},
        columns=(
            ResultColumn(f"{name} from", "float", "dimension"),
            ResultColumn(f"{name} to", "float", "dimension"),
            ResultColumn("rows", "integer", "measure"),
            ResultColumn("share", "float", "measure", "%"),
        ),
        rows=rows,
        rule=f"{len(rows)} classes of equal width; the last one includes its upper edge",
        sentence=(
            f"Half of the {n:,} values of {name} lie between {prose(q1)} and {prose(q3)} (median "
            f"{prose(median)}); they spread {lean}."
        ),
        notes=(note,) if note else (),
        rows_used=n,
    )


def frequency(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """How often each value of the first column occurs, with its share of the rows that have one."""
    name = str(frame.columns[0])
    values = column(frame, name).dropna()
    if values.empty:
        raise AnalystError(f"“{name}” holds no values to count.")
    limit = int(number(options, "limit", 50, 1, 10_000))
    counts = values.value_counts(sort=True)
    ordered = sorted(counts.items(), key=lambda item: (-int(item[1]), str(item[0])))
    total = len(values)
    top, count = ordered[0]
    return StatisticResult(
        name="frequency",
        figures={"most frequent": scalar(top), "rows with it": int(count), "distinct": len(ordered)},
        columns=(
            measure(name, scalar(top)) if isinstance(scalar(top), str) else ResultColumn(name, "text", "dimension"),
            ResultColumn("rows", "integer", "measure"),
            ResultColumn("share", "float", "measure", "%"),
        ),
        rows=tuple((scalar(value), int(c), 100 * int(c) / total) for value, c in ordered[:limit]),
        rule="missing values left out",
        sentence=f"The most frequent of {len(ordered):,} values of {name} is {prose(scalar(top))}, "
        f"in {count:,} of {total:,} rows ({prose(round(100 * int(count) / total, 1))}%).",
        rows_used=total,
    )


def entropy(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Shannon entropy of the first column's values: -sum(p log p) with `base` 2 (bits), 10 or e (C. Shannon, 1948)."""
    name = str(frame.columns[0])
    values = column(frame, name).dropna()
    if values.empty:
        raise AnalystError(f"“{name}” holds no values.")
    base = number(options, "base", 2.0, 1.0001, 1e6)
    shares = values.value_counts(normalize=True)
    found = -math.fsum(float(p) * math.log(float(p), base) for p in shares)
    most = math.log(len(shares), base) if len(shares) > 1 else 0.0
    return StatisticResult(
        name="entropy",
        figures={"entropy": found + 0.0},
        rule=f"Shannon entropy of the value shares, logarithm to base {base:g}",
        sentence=f"The values of {name} carry {prose(found + 0.0)} of at most {prose(most)} units of information.",
        rows_used=len(values),
    )


def zscores(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Each row's distance from the mean in standard deviations (n - `ddof`; 0 as SciPy by default)."""
    name = str(frame.columns[0])
    read = numbers(frame, name)
    values = read.present()
    if len(values) < 2:
        raise AnalystError(f"Z-scores need at least two values of “{name}”.")
    ddof = int(number(options, "ddof", 0, 0, 1))
    spread = float(values.std(ddof=ddof))
    if spread == 0:
        raise AnalystError(f"All values of “{name}” are equal: they have no z-scores.")
    scores = (read.series - float(values.mean())) / spread
    rows = tuple((scalar(v), None if s != s else float(s)) for v, s in zip(column(frame, name), scores, strict=True))
    return StatisticResult(
        name="zscores",
        columns=(ResultColumn(name, "float", "dimension"), ResultColumn(f"z-score of {name}", "float", "measure")),
        rows=rows,
        rule=f"(value - mean) / standard deviation, dividing by n - {ddof}"
        if ddof
        else "(value - mean) / standard deviation of the population",
        sentence=f"The z-scores of {name} range from {prose(float(scores.min()))} to {prose(float(scores.max()))}.",
        notes=(read.note,) if read.note else (),
        rows_used=len(values),
    )
