"""Statistics of one column or of a table's gaps: outliers, shape, quantiles, distribution, missing values."""

from __future__ import annotations

import re

from apps.analyst.language.readers.statistics_asked import LIKELY, POSSIBLE, SURE, Asked, Options, numbers_in, says
from apps.analyst.language.readers.statistics_mentions import Masked
from apps.analyst.language.readers.statistics_setting import convention, normality_test
from apps.analyst.language.readers.statistics_steps import outlier_rule
from apps.analyst.language.reading import ChartWish


def outliers(masked: Masked) -> Asked | None:
    if not says(masked, r"\boutliers?\b|\banomal(?:y|ies|ous)\b|\bunusual(?:ly)?\b|\bout of line\b"):
        return None
    columns = numbers_in(masked)
    measures = [name for name in columns if masked.numeric(name)] or list(columns)
    if not measures:
        return None
    method, threshold = outlier_rule(masked.masked)
    named = bool(says(masked, r"\boutlier"))
    names = _naming(masked, measures[0])
    count = says(masked, r"\bhow many\b|\bnumber of\b|\bcount\b")
    options: Options = {"method": method if method != "iqr" else None, "threshold": threshold}
    if count:
        options["show"] = "count=outliers"
    return Asked("outliers", (measures[0], *names), options, SURE if named else POSSIBLE)


def _naming(masked: Masked, measure: str) -> tuple[str, ...]:
    """A column that says which row it is: the first of mostly distinct texts, or an id."""
    rows = max(1, masked.table.rows)
    texts = [
        c.name for c in masked.table.columns if c.type == "text" and c.distinct >= 0.8 * rows and c.name != measure
    ]
    ids = [c.name for c in masked.table.columns if c.role == "id" and c.unique and c.name != measure]
    return tuple((texts or ids)[:1])


def normality(masked: Masked) -> Asked | None:
    if not says(masked, r"\bnormal(?:ly)? distribut|\bnormality\b|\bgaussian\b|\bbell[\s-]?(?:curve|shaped)"):
        return None
    columns = numbers_in(masked)
    options: Options = {"test": normality_test(masked.text), "show": "normal,p=p-value"}
    return Asked("normality", columns[:1], options, SURE) if columns else None


def shape(masked: Masked) -> Asked | None:
    said = says(masked, r"\bskew(?:ed|ness)?\b|\bkurtosis\b")
    columns = numbers_in(masked)
    if said is None or not columns:
        return None
    show = ",".join(k for k in ("skewness", "kurtosis") if re.search(k[:4], masked.masked, re.IGNORECASE))
    return Asked("shape", columns[:1], {"convention": convention(masked.text), "show": show}, SURE)


def missing(masked: Masked) -> Asked | None:
    if not says(
        masked,
        r"\b(?:missing|null|nan|empty|blank)\s+(?:values?|cells?|entries|data|fields?)\b|\bnulls\b|\bgaps\b"
        r"|\bincomplete\b",
    ):
        return None
    if says(
        masked,
        r"\b(?:exclud|ignor|without|drop|remov|skip|disregard|leav)\w*[^.?]{0,40}\b(?:missing|null|nan|empty|blank)",
    ):
        return None
    columns = masked.columns(masked.masked)
    every = columns or tuple(c.name for c in masked.table.columns)
    share = says(masked, r"\bpercent|\bshare\b|\bproportion\b")
    if len(columns) == 1:
        return Asked("missing", columns, {"show": "percent" if share else "count=missing"}, SURE)
    most = says(masked, r"\b(?:which|what)\b[^.?]*\bmost\b|\bhighest number of missing\b")
    return Asked("missing", every, {"show": "most=column" if most else None}, SURE)


def duplicates(masked: Masked) -> Asked | None:
    if not says(masked, r"\bduplicate(?:s|d)?\b|\brepeated rows\b"):
        return None
    columns = masked.columns(masked.masked)
    every = columns or tuple(c.name for c in masked.table.columns)
    return Asked("duplicates", every, {"show": "count=duplicate rows,remaining=distinct rows"}, SURE)


def quantile(masked: Masked) -> Asked | None:
    said = says(
        masked,
        r"\b(\d{1,2}(?:\.\d+)?)(?:st|nd|rd|th)?[\s-]+(?:percentile|quantile)|\b(lower|first|upper|third)\s+"
        r"quartile|\bp(\d\d)\b",
    )
    columns = [name for name in numbers_in(masked) if masked.numeric(name)]
    if said is None or not columns:
        return None
    named = {"lower": 25.0, "first": 25.0, "upper": 75.0, "third": 75.0}
    share = named[said.group(2).casefold()] if said.group(2) else float(said.group(1) or said.group(3))
    label = f"{share:g}th percentile of {columns[0]}".replace(",", " ").replace("=", " ")
    return Asked("quantile", (columns[0],), {"q": share / 100, "show": f"value={label}"}, SURE)


def spread(masked: Masked) -> Asked | None:
    """Figures of one column that a query has no aggregate for: range, IQR, coefficient of variation, entropy."""
    columns = [name for name in numbers_in(masked) if masked.numeric(name)]
    if says(masked, r"\bentropy\b") and masked.columns(masked.masked):
        return Asked("entropy", masked.columns(masked.masked)[:1], {}, SURE)
    kinds = (
        (r"\binterquartile range\b|\biqr\b", "iqr"),
        (r"\bcoefficient of variation\b", "cv"),
        (r"\bstandard error\b", "standard_error"),
        (r"\brange of\b", "range"),
    )
    kind = next((figure for pattern, figure in kinds if says(masked, pattern)), None)
    if kind is None or not columns:
        return None
    return Asked("summary", (columns[0],), {"show": kind}, POSSIBLE if kind == "range" else LIKELY)


def distribution(masked: Masked) -> Asked | None:
    if not says(
        masked, r"\bhow\b[^.?]*\bdistributed\b|\b(?:describe|what is|explain|summari[sz]e)\b[^.?]*\bdistribution of\b"
    ):
        return None
    columns = masked.columns(masked.masked)
    if not columns:
        return None
    chart = ChartWish(mark="bar", x=columns[0], x_bin=masked.numeric(columns[0]))
    return Asked("distribution", columns[:1], {}, LIKELY if len(columns) == 1 else 0.45, chart)
