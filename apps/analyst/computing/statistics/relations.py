"""How columns move together: correlation, covariance, the strongest partner, straight lines through points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from apps.analyst.computing.statistics.options import Options, choice, number, text
from apps.analyst.computing.statistics.result import StatisticResult, prose
from apps.analyst.computing.statistics.values import numbers, paired, scalar
from apps.analyst.errors import AnalystError
from apps.analyst.types import Result, ResultColumn, Scalar

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

METHODS = ("pearson", "spearman", "kendall")
STRONG, WEAK = 0.7, 0.3
"""Where a correlation is called strong, and below which it is called none (the usual reading of |r|)."""


def correlation(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Correlation of the first two columns with a two-sided p-value.

    `method`: "pearson" r = cov(x, y) / (s_x s_y); "spearman" the same on ranks; "kendall" tau-b. p as SciPy computes it
    (exact t distribution for Pearson). Rows where either is missing are left out. Without unit, -1 to 1.
    """
    x, y = two(frame)
    method = choice(options, "method", METHODS, "pearson")
    table, notes = paired(frame, (x, y), 3, "A correlation")
    r, p = coefficient(table[0].to_numpy(), table[1].to_numpy(), method)
    if r is None:
        flat = x if table[0].nunique() == 1 else y
        raise AnalystError(f"“{flat}” has the same value in every row, so it cannot be correlated with anything.")
    level = number(options, "alpha", 0.05, 0, 1)
    return StatisticResult(
        name="correlation",
        figures={
            "r": r,
            "p": p,
            "n": len(table),
            "r_squared": r * r,
            "strength": strength(r),
            "significance": "significant" if p < level else "not significant",
        },
        rule=f"{method.title()} correlation over rows with both values, two-sided p-value",
        sentence=f"{told(x, y, r)} ({symbol(method)} = {r:.2f} over {len(table):,} rows{chance(p, level)}).",
        notes=notes,
        picture=points(table, x, y),
        rows_used=len(table),
    )


MOST_POINTS = 2_000


def points(table: pd.DataFrame, x: str, y: str) -> Result:
    """The pairs to draw, evenly thinned out beyond MOST_POINTS."""
    step = max(1, -(-len(table) // MOST_POINTS))
    shown = table.iloc[::step]
    columns = (ResultColumn(x, "float", "measure"), ResultColumn(y, "float", "measure"))
    rows = tuple((float(a), float(b)) for a, b in zip(shown.iloc[:, 0], shown.iloc[:, 1], strict=True))
    return Result(columns=columns, rows=rows, total_rows=len(table))


def two(frame: pd.DataFrame) -> tuple[str, str]:
    """The names of the first two columns. Raises AnalystError where there are fewer."""
    if len(frame.columns) < 2:
        raise AnalystError("This needs two columns.")
    return str(frame.columns[0]), str(frame.columns[1])


def coefficient(
    x: np.ndarray[Any, np.dtype[Any]], y: np.ndarray[Any, np.dtype[Any]], method: str
) -> tuple[float | None, float]:
    """The coefficient and its p-value; (None, 1) where a side does not vary."""
    import warnings

    from scipy import stats

    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return None, 1.0
    tests = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = tests[method](x, y)
    r, p = float(found.statistic), float(found.pvalue)
    if math.isnan(r):
        return None, 1.0
    return max(-1.0, min(1.0, r)), 1.0 if math.isnan(p) else p


def symbol(method: str) -> str:
    """How a coefficient is written."""
    return {"pearson": "Pearson r", "spearman": "Spearman rho", "kendall": "Kendall tau"}[method]


def strength(r: float) -> str:
    """A coefficient in words: strong from 0.7, weak from 0.3, else no correlation."""
    if abs(r) < WEAK:
        return "No correlation"
    return f"{'Strong' if abs(r) >= STRONG else 'Weak'} {'positive' if r > 0 else 'negative'} correlation"


def told(x: str, y: str, r: float) -> str:
    """The finding without numbers."""
    if abs(r) < WEAK:
        return f"{x} and {y} hardly move together"
    how = "strongly" if abs(r) >= STRONG else "somewhat"
    if r > 0:
        return f"{x} and {y} move together {how}"
    return f"The higher {x}, the lower {y} tends to be: they move against each other {how}"


def chance(p: float, level: float) -> str:
    """Whether chance alone would explain it, as the tail of a sentence."""
    return "" if p < level else "; with so few rows this may well be chance" if p < 1 else ""


def correlation_matrix(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Correlations between every two of the columns, each over the rows where both are there. Texts are left out."""
    method = choice(options, "method", METHODS, "pearson")
    usable: dict[str, pd.Series[float]] = {}
    left_out = []
    for name in map(str, frame.columns):
        try:
            usable[name] = numbers(frame, name).series
        except AnalystError:
            left_out.append(name)
    if len(usable) < 2:
        raise AnalystError("A correlation matrix needs at least two columns of numbers.")
    names = tuple(usable)
    values = {(a, b): pair(usable[a], usable[b], method) for i, a in enumerate(names) for b in names[i + 1 :]}
    rows = tuple((a, *(1.0 if a == b else values.get((a, b), values.get((b, a))) for b in names)) for a in names)
    known = {k: v for k, v in values.items() if v is not None}
    figures: dict[str, Scalar] = {f"{a} and {b}": v for (a, b), v in values.items()}
    sentence = "No two of the columns vary together."
    if known:
        (a, b), r = max(known.items(), key=lambda item: abs(item[1]))
        sentence = f"{told(a, b, r)} ({symbol(method)} = {r:.2f}); no other two are closer."
    return StatisticResult(
        name="correlation_matrix",
        figures=figures,
        columns=(ResultColumn("column", "text", "dimension"), *(ResultColumn(n, "float", "measure") for n in names)),
        rows=rows,
        rule=f"{method.title()} correlation, each over the rows with both values",
        sentence=sentence,
        notes=(f"left out, no numbers: {', '.join(left_out)}",) if left_out else (),
        rows_used=len(frame),
    )


def pair(a: pd.Series[float], b: pd.Series[float], method: str) -> float | None:
    """The coefficient of two series over the rows where both are there, or None."""
    both = a.notna() & b.notna()
    return coefficient(a[both].to_numpy(), b[both].to_numpy(), method)[0] if int(both.sum()) > 2 else None


def influence(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Which of the other columns goes most with the first one, by |r| (Pearson, or `method`).

    `threshold` is the least |r| that counts as an influence (0.3, where correlations stop being called none); `top`
    names so many of them. Texts cannot be correlated and are left out. The sentence says that this shows no cause.
    """
    target = str(frame.columns[0])
    method = choice(options, "method", METHODS, "pearson")
    least = number(options, "threshold", WEAK, 0, 1)
    goal = numbers(frame, target).series
    found: list[tuple[str, float]] = []
    left_out = []
    for name in map(str, frame.columns[1:]):
        try:
            r = pair(goal, numbers(frame, name).series, method)
        except AnalystError:
            r = None
        if r is None:
            left_out.append(name)
        else:
            found.append((name, r))
    found.sort(key=lambda item: (-abs(item[1]), item[0]))
    top = int(number(options, "top", len(found) or 1, 1, 10_000))
    strong = [name for name, r in found if abs(r) >= least][:top]
    best, r = found[0] if found else ("", 0.0)
    sentence = f"None of the columns goes with {target} noticeably."
    if strong:
        sentence = f"{best} goes most with {target} ({symbol(method)} = {r:.2f}); this shows no cause by itself."
    return StatisticResult(
        name="influence",
        figures={
            "strongest": best if found else None,
            "r": r if found else None,
            "sign": "positive" if r > 0 else "negative",
            "factors": ", ".join(strong) if strong else "No clear impact",
            "count": len(strong),
        },
        columns=(
            ResultColumn("column", "text", "dimension"),
            ResultColumn(f"correlation with {target}", "float", "measure"),
        ),
        rows=tuple(found),
        rule=f"{method.title()} correlation with {target}; an influence from |r| = {least:g}",
        sentence=sentence,
        notes=(f"left out, no numbers: {', '.join(left_out)}",) if left_out else (),
        rows_used=int(goal.notna().sum()),
    )


def covariance(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Covariance of the first two columns: sum((x - mx)(y - my)) / (n - `ddof`), 1 by default. Unit: their product."""
    x, y = two(frame)
    ddof = int(number(options, "ddof", 1, 0, 1))
    table, notes = paired(frame, (x, y), 2, "A covariance")
    a, b = table[0].to_numpy(), table[1].to_numpy()
    value = math.fsum((a - a.mean()) * (b - b.mean())) / (len(a) - ddof)
    return StatisticResult(
        name="covariance",
        figures={"covariance": value},
        rule=f"over rows with both values, dividing by n{' - 1' if ddof else ''}",
        sentence=f"{x} and {y} vary {'in the same' if value > 0 else 'in opposite'} direction "
        f"(covariance {prose(value)} over {len(a):,} rows).",
        notes=notes,
        rows_used=len(a),
    )


def regression(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Ordinary least squares of the last column on all others (the straight line for one).

    slope = cov(x, y) / var(x), intercept = my - slope mx, r_squared = 1 - SSE / SST, mse = SSE / n over the rows used
    (`test_share` > 0: fitted on the first rows, mse and rmse over the last share, in the rows' order). `at` predicts.
    """
    import numpy as np

    names = tuple(map(str, frame.columns))
    if len(names) < 2:
        raise AnalystError("A regression needs the column to explain and at least one that explains it.")
    target, causes = names[-1], names[:-1]
    table, notes = paired(frame, names, len(causes) + 2, "A regression")
    matrix, goal = table.iloc[:, :-1].to_numpy(), table.iloc[:, -1].to_numpy()
    held = round(len(goal) * number(options, "test_share", 0.0, 0.0, 0.9))
    fit = len(goal) - held
    if fit < len(causes) + 2:
        raise AnalystError("Too few rows are left to fit the line on.")
    design = np.column_stack([matrix[:fit], np.ones(fit)])
    weights, _, rank, _ = np.linalg.lstsq(design, goal[:fit], rcond=None)
    if rank < len(causes) + 1:
        raise AnalystError("The explaining columns do not vary independently, so no single line fits best.")
    score_on = slice(fit, None) if held else slice(None)
    error = goal[score_on] - np.column_stack([matrix, np.ones(len(goal))])[score_on] @ weights
    sse, mse = float((error**2).sum()), float((error**2).mean())
    sst = float(((goal[score_on] - goal[score_on].mean()) ** 2).sum())
    figures: dict[str, Scalar] = {"intercept": float(weights[-1])}
    for cause, weight in zip(causes, weights, strict=False):
        figures["slope" if len(causes) == 1 else f"slope of {cause}"] = float(weight)
    figures |= {"r_squared": 1 - sse / sst if sst else None, "mse": mse, "rmse": math.sqrt(mse), "n": len(goal)}
    if len(causes) == 1:
        figures["r"], figures["p"] = coefficient(matrix[:fit, 0], goal[:fit], "pearson")
        at = scalar(options.get("at"))
        if isinstance(at, int | float) and not isinstance(at, bool):
            figures["prediction"] = float(weights[0] * at + weights[-1])
    rule = f"ordinary least squares, fitted on the first {fit:,} rows, errors on the last {held:,}"
    share = figures["r_squared"]
    explained = f"explains {100 * share:.0f}% of its variation" if isinstance(share, float) else "explains nothing"
    first = f"each further unit of {causes[0]} goes with {prose(float(weights[0]))} more {target}"
    return StatisticResult(
        name="regression",
        figures=figures,
        rule=rule if held else "ordinary least squares",
        sentence=f"A straight line through {target} {explained}" + (f"; {first}." if len(causes) == 1 else "."),
        notes=notes,
        rows_used=len(goal),
    )


def direction(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Whether more of the first column goes with more of the second: positive, negative or no clear impact.

    By the sign of `method` r where |r| reaches `threshold` (0.3)."""
    x, y = two(frame)
    method = choice(options, "method", METHODS, "pearson")
    least = number(options, "threshold", WEAK, 0, 1)
    table, notes = paired(frame, (x, y), 3, "This")
    r, p = coefficient(table[0].to_numpy(), table[1].to_numpy(), method)
    r = r or 0.0
    impact = "No clear impact" if abs(r) < least else "Positive impact" if r > 0 else "Negative impact"
    return StatisticResult(
        name="direction",
        figures={"impact": impact, "r": r, "p": p, "n": len(table)},
        rule=f"sign of {symbol(method)} where it reaches {least:g}",
        sentence=f"{told(text(options, 'x', x), text(options, 'y', y), r)} ({symbol(method)} = {r:.2f} over "
        f"{len(table):,} rows); this shows no cause by itself.",
        notes=notes,
        picture=points(table, x, y),
        rows_used=len(table),
    )
