"""The single statistics by name, each over the columns of a frame; `registry` adds programs of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from apps.analyst.computing.statistics import gaps, outliers, relations, series, significance, summaries
from apps.analyst.computing.statistics.options import Options
from apps.analyst.computing.statistics.result import StatisticResult

if TYPE_CHECKING:
    import pandas as pd

Study = Callable[["pd.DataFrame", Options], StatisticResult]

STUDIES: dict[str, Study] = {
    "summary": summaries.summary,
    "quantile": summaries.quantile,
    "shape": summaries.shape,
    "distribution": summaries.distribution,
    "frequency": summaries.frequency,
    "entropy": summaries.entropy,
    "zscores": summaries.zscores,
    "correlation": relations.correlation,
    "correlation_matrix": relations.correlation_matrix,
    "influence": relations.influence,
    "direction": relations.direction,
    "covariance": relations.covariance,
    "regression": relations.regression,
    "normality": significance.normality,
    "group_difference": significance.group_difference,
    "independence": significance.independence,
    "outliers": outliers.outliers,
    "trend": series.trend,
    "growth": series.growth,
    "moving_average": series.moving_average,
    "missing": gaps.missing,
    "duplicates": gaps.duplicates,
    "rows": gaps.rows,
}
