"""Significance tests: is a column normal, do groups differ, are two columns of categories independent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.analyst.computing.statistics.options import Options, choice, flag, number
from apps.analyst.computing.statistics.result import StatisticResult, figure_text, measure, prose
from apps.analyst.computing.statistics.summaries import kurtosis_of, skewness_of
from apps.analyst.computing.statistics.values import column, numbers, sample, scalar
from apps.analyst.errors import AnalystError
from apps.analyst.types import ResultColumn, Scalar

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NORMALITY = ("shapiro", "dagostino", "ks", "anderson", "jarque_bera")
NORMALITY_NAMES = {
    "shapiro": "Shapiro-Wilk",
    "dagostino": "D'Agostino-Pearson",
    "ks": "Kolmogorov-Smirnov",
    "anderson": "Anderson-Darling",
    "jarque_bera": "Jarque-Bera",
}


def normality(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Does the first column follow a normal distribution? `test` one of shapiro (default), dagostino, ks, anderson,
    jarque_bera; normal where p >= `alpha` (0.05).

    ks compares with a normal of the sample's mean and standard deviation. Anderson-Darling has critical values at 15,
    10, 5, 2.5 and 1 % instead of a p-value: p is interpolated between them (0.15 and 0.01 at the ends). As SciPy.
    """
    import warnings

    name = str(frame.columns[0])
    test = choice(options, "test", NORMALITY, "shapiro")
    values, note = sample(frame, name, 8 if test == "dagostino" else 3, "A normality test")
    if values.min() == values.max():
        raise AnalystError(f"All values of “{name}” are equal, so no distribution can be tested.")
    alpha = number(options, "alpha", 0.05, 0, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        statistic, p = normality_test(values, test)
    normal = p >= alpha
    return StatisticResult(
        name="normality",
        figures={
            "statistic": statistic,
            "p": p,
            "normal": normal,
            "skewness": skewness_of(values, bias=False),
            "kurtosis": kurtosis_of(values, bias=False, excess=True),
            "n": len(values),
        },
        rule=f"{NORMALITY_NAMES[test]} test; normal unless p < {alpha:g}",
        sentence=f"{name} {'may well follow' if normal else 'does not follow'} a normal distribution "
        f"({NORMALITY_NAMES[test]} p = {prose(p)}, {len(values):,} values).",
        notes=(note,) if note else (),
        rows_used=len(values),
    )


def normality_test(values: np.ndarray[Any, np.dtype[Any]], test: str) -> tuple[float, float]:
    """Statistic and p-value of one normality test."""
    import numpy as np
    from scipy import stats

    if test == "anderson":
        found = stats.anderson(values, dist="norm")
        statistic = float(found.statistic)
        levels = np.log(np.asarray(found.significance_level, dtype=float) / 100)
        return statistic, float(np.exp(np.interp(statistic, found.critical_values, levels)))
    if test == "ks":
        found = stats.kstest((values - values.mean()) / values.std(ddof=1), "norm")
    else:
        tests = {"shapiro": stats.shapiro, "dagostino": stats.normaltest, "jarque_bera": stats.jarque_bera}
        found = tests[test](values)
    return float(found.statistic), float(found.pvalue)


GROUP_TESTS = ("t", "welch", "mannwhitney", "anova", "kruskal", "levene")
GROUP_NAMES = {
    "t": "two-sample t-test",
    "welch": "Welch's t-test",
    "mannwhitney": "Mann-Whitney U test",
    "anova": "one-way analysis of variance",
    "kruskal": "Kruskal-Wallis test",
    "levene": "Levene test",
}


def group_difference(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Do the groups of the second column differ in the first? `test` t, welch, mannwhitney, anova, kruskal or levene
    (by default t for two groups, anova for more); significant where p < `alpha` (0.05). As SciPy, two-sided.

    The table holds each group's rows, mean, median and sample standard deviation. Groups of one row are left out.
    """
    if len(frame.columns) < 2:
        raise AnalystError("Comparing groups needs a column of numbers and one that tells the groups apart.")
    value, group = str(frame.columns[0]), str(frame.columns[1])
    read = numbers(frame, value)
    keys = column(frame, group)
    groups = {
        scalar(key): part.to_numpy(dtype=float)
        for key, part in read.series[keys.notna()].dropna().groupby(keys, sort=True, observed=True)
    }
    groups = {key: part for key, part in groups.items() if len(part) > 1}
    if len(groups) < 2:
        raise AnalystError(f"Comparing groups needs at least two of “{group}” with two values each.")
    test = choice(options, "test", GROUP_TESTS, "t" if len(groups) == 2 else "anova")
    statistic, p = group_test(list(groups.values()), test)
    alpha = number(options, "alpha", 0.05, 0, 1)
    means = {key: float(part.mean()) for key, part in groups.items()}
    high, low = max(means, key=lambda k: means[k]), min(means, key=lambda k: means[k])
    differ = "differ more than chance would explain" if p < alpha else "do not differ more than chance would explain"
    figures: dict[str, Scalar] = {
        "statistic": statistic,
        "p": p,
        "significance": "significant" if p < alpha else "not significant",
        "groups": len(groups),
        "highest": high,
        "lowest": low,
    }
    figures |= {f"mean of {figure_text(key)}": mean for key, mean in means.items()}
    return StatisticResult(
        name="group_difference",
        figures=figures,
        columns=(
            measure(group, high) if isinstance(high, str) else ResultColumn(group, "text", "dimension"),
            ResultColumn("rows", "integer", "measure"),
            ResultColumn(f"mean {value}", "float", "measure"),
            ResultColumn(f"median {value}", "float", "measure"),
            ResultColumn("standard deviation", "float", "measure"),
        ),
        rows=tuple(
            (
                key if isinstance(key, str) else figure_text(key),
                len(part),
                float(part.mean()),
                float(median(part)),
                float(part.std(ddof=1)),
            )
            for key, part in groups.items()
        ),
        rule=f"{GROUP_NAMES[test]}; significant where p < {alpha:g}",
        sentence=f"The {len(groups)} groups of {group} {differ} in {value} ({GROUP_NAMES[test]}, "
        f"p = {prose(p)}); {prose(high)} is highest on average with {prose(means[high])}, "
        f"{prose(low)} lowest with {prose(means[low])}.",
        notes=(read.note,) if read.note else (),
        rows_used=sum(len(part) for part in groups.values()),
    )


def median(values: np.ndarray[Any, np.dtype[Any]]) -> float:
    """The middle value."""
    import numpy as np

    return float(np.median(values))


def group_test(samples: list[np.ndarray[Any, np.dtype[Any]]], test: str) -> tuple[float, float]:
    """Statistic and p-value of a test between groups. Raises AnalystError where it wants exactly two."""
    import warnings

    from scipy import stats

    if test in ("t", "welch", "mannwhitney") and len(samples) != 2:
        raise AnalystError(f"A {GROUP_NAMES[test]} compares exactly two groups; there are {len(samples)}.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if test in ("t", "welch"):
            found = stats.ttest_ind(samples[0], samples[1], equal_var=test == "t")
        elif test == "mannwhitney":
            found = stats.mannwhitneyu(samples[0], samples[1], alternative="two-sided")
        else:
            found = {"anova": stats.f_oneway, "kruskal": stats.kruskal, "levene": stats.levene}[test](*samples)
    statistic, p = float(found.statistic), float(found.pvalue)
    if p != p:
        raise AnalystError("The groups do not vary, so no test can tell them apart.")
    return statistic, p


def independence(frame: pd.DataFrame, options: Options) -> StatisticResult:
    """Chi-square test of independence of the first two columns (K. Pearson; Yates' correction on 2 x 2 tables unless
    `correction` is False), with Cramer's V = sqrt(chi2 / (n (min(r, c) - 1)))."""
    import math

    import pandas as pd
    from scipy import stats

    if len(frame.columns) < 2:
        raise AnalystError("A test of independence needs two columns.")
    a, b = str(frame.columns[0]), str(frame.columns[1])
    both = column(frame, a).notna() & column(frame, b).notna()
    table = pd.crosstab(column(frame, a)[both], column(frame, b)[both])
    if table.shape[0] < 2 or table.shape[1] < 2:
        raise AnalystError("A test of independence needs at least two values in each column.")
    if table.size > 250_000:
        raise AnalystError("These columns have too many different values to test their independence.")
    found = stats.chi2_contingency(table.to_numpy(), correction=flag(options, "correction", True))
    n = int(table.to_numpy().sum())
    p, chi = float(found.pvalue), float(found.statistic)
    alpha = number(options, "alpha", 0.05, 0, 1)
    cramer = math.sqrt(chi / (n * (min(table.shape) - 1)))
    return StatisticResult(
        name="independence",
        figures={
            "statistic": chi,
            "p": p,
            "degrees of freedom": int(found.dof),
            "cramers_v": cramer,
            "significance": "significant" if p < alpha else "not significant",
        },
        rule=f"chi-square test of independence; dependent where p < {alpha:g}",
        sentence=f"{a} and {b} {'depend on each other' if p < alpha else 'look independent'} "
        f"(chi-square p = {prose(p)}, Cramer's V = {cramer:.2f}, {n:,} rows).",
        rows_used=n,
    )
