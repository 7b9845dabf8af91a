"""What a statistical brief says as a whole: what is tested, by which test, with which convention and level."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from apps.analyst.language.readers.statistics_mentions import Masked

Options = dict[str, str | int | float | bool | None]


KINDS: tuple[tuple[str, str], ...] = (
    (r"\bp ?val(?:ue)?s?\b|\bpval\b|\bp\b$", "p"),
    (r"\boutliers?\b.*\b(?:values?)\b|\bvalues? of (?:the )?outliers", "outlier_values"),
    (r"\b(?:mean|avg|average|median|std|max|min)\b.*\boutliers?\b", "outlier_figure"),
    (r"\b(?:percent\w*|proportion|share)\b.*\boutliers?\b", "outlier_share"),
    (r"\b(?:lower|upper) (?:bound|fence|limit)\b", "outlier_bound"),
    (r"\boutliers?\b", "outliers"),
    (r"\b(?:missing|nulls?|nan|na)\b", "missing"),
    (r"\bduplicat\w*", "duplicates"),
    (r"\bskew\w*", "skewness"),
    (r"\bkurt\w*", "kurtosis"),
    (r"\bcorr(?:elation|elations|el|coef)?\b|\bcoef(?:ficient)?\b|\br value\b|\bpearson|\bspearman|\bkendall|^r$", "r"),
    (r"\bcov(?:ariance)?\b", "covariance"),
    (r"\bslope\b|\bgradient\b", "slope"),
    (r"\bintercept\b", "intercept"),
    (r"\br ?(?:2|squared|square)\b|\brsq", "r_squared"),
    (r"\brmse\b|\broot mean square", "rmse"),
    (r"\bmse\b|\bmean squared error", "mse"),
    (r"\b(?:t|f|u|h|chi2?|ks|test|chi square) ?stat(?:istic)?s?\b|\bstatistic\b|\b(?:t|f) value\b", "statistic"),
    (r"\b(?:std|stddev|stdev|sd|standard dev\w*|std dev\w*|deviation)\b", "std"),
    (r"\bvar(?:iance)?\b", "variance"),
    (r"\biqr\b|\binterquartile", "iqr"),
    (r"\bq1\b|\bfirst quartile|\b25th|\bpercentile 25", "q1"),
    (r"\bq3\b|\bthird quartile|\b75th|\bpercentile 75", "q3"),
    (r"\bpercentile (\d+)|\b(\d+)(?:th|st|nd|rd)? percentile|\bp ?(\d\d)\b", "quantile"),
    (r"\bmedians?\b", "median"),
    (r"\b(?:means?|avg|averages?)\b", "mean"),
    (r"\bmode\b", "mode"),
    (r"\b(?:max|maximum|highest|largest)\b(?=.*\brange\b)", "maximum"),
    (r"\b(?:range)\b", "range"),
    (r"\b(?:max|maximum|highest|largest)\b", "maximum"),
    (r"\b(?:min|minimum|lowest|smallest)\b", "minimum"),
    (r"\b(?:sum|total)\b", "sum"),
    (r"\b(?:proportion|ratio|share|fraction)\b", "share"),
    (r"\b(?:percent|percentage|pct)\b", "percent"),
    (r"\b(?:count|counts|number|num|entries|rows|freq\w*)\b", "count"),
    (r"\bentropy\b", "entropy"),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """All that the brief says beside the names: the text, what is tested and how, and what the figures are about."""

    masked: Masked
    focus: tuple[str, ...]
    """The columns the figures may be about, the likeliest first."""
    made: str | None = None
    pair: tuple[str, ...] = ()
    group: str | None = None
    topic: str = ""
    changed: bool = False
    """Whether steps change the table, so that before and after differ."""
    classes: tuple[str, ...] = ()
    """The labels of a classification that the brief defines; they stand in the column `made`."""
    before: int = 0
    """The number of steps that a figure "before" still needs (new columns)."""
    options: Options = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The brief without masks, for constraints."""
        return self.masked.text


def alpha_of(text: str) -> float:
    """The stated significance level, else 0.05."""
    said = re.search(r"\b(?:alpha|significance level)\b\D{0,25}(0?\.\d+)", text, re.IGNORECASE)
    return float(said.group(1)) if said else 0.05


def population(text: str) -> bool:
    """Whether standard deviations divide by n: said, and not only denied."""
    for match in re.finditer(
        r"\bpopulation (?:standard deviation|variance)|\bddof\s*=\s*0\b|\bpstdev\b", text, re.IGNORECASE
    ):
        if not re.search(r"\bnot\s+(?:the\s+|a\s+)?$", text[: match.start()], re.IGNORECASE):
            return True
    return False


def normality_test(text: str) -> str | None:
    """The normality test a text names, or None."""
    tests = (
        (r"shapiro", "shapiro"),
        (r"kolmogorov|\bks[\s-]?test|kstest|\bk-s\b", "ks"),
        (r"anderson", "anderson"),
        (r"d'?agostino|\bnormaltest\b|\bk\^?2\b|omnibus", "dagostino"),
        (r"jarque", "jarque_bera"),
    )
    return next((name for pattern, name in tests if re.search(pattern, text, re.IGNORECASE)), None)


def group_test(text: str) -> str | None:
    """The test between groups that a text names, or None."""
    tests = (
        (r"welch", "welch"),
        (r"mann[\s-]?whitney|\bu[\s-]test", "mannwhitney"),
        (r"kruskal", "kruskal"),
        (r"levene", "levene"),
        (r"\banova\b|analysis of variance", "anova"),
        (r"\bt[\s-]?test|\bttest", "t"),
    )
    return next((name for pattern, name in tests if re.search(pattern, text, re.IGNORECASE)), None)


def method_of(text: str) -> str:
    """The correlation that a text names; Pearson where none is."""
    return (
        "spearman"
        if re.search(r"spearman", text, re.IGNORECASE)
        else ("kendall" if re.search(r"kendall", text, re.IGNORECASE) else "pearson")
    )


def convention(text: str) -> str:
    """Whose skewness is meant: SciPy's where the text says so or names Fisher-Pearson, else the corrected one of
    pandas."""
    if re.search(r"\bscipy\b|fisher", text, re.IGNORECASE) and not re.search(
        r"bias\s*=\s*false|unbiased", text, re.IGNORECASE
    ):
        return "scipy"
    return "pandas"


def kind_of(words: str) -> tuple[str, re.Match[str]] | None:
    """The kind of figure that some words ask for."""
    for pattern, kind in KINDS:
        match = re.search(pattern, words)
        if match:
            return kind, match
    return None


WEEKEND = "weekend"
