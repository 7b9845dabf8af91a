"""A statistic of a plan as people call it: "correlation of amount and days to close", "trend of total amount"."""

from __future__ import annotations

from collections.abc import Callable

from apps.analyst.plan import Output, Statistic
from apps.analyst.telling.formats import listed

MOST_LISTED = 3
"""Names in one chip."""
_OF_ONE = ("outliers", "zscores")
"""Statistics of the first column; those behind it only name the rows."""
_UNSAID = ("show", "step", "grain", "top", "threshold")
"""Options that say how a statistic is told, or where it begins to be one."""


def statistic_words(plan: Statistic, words_of: Callable[[Output], str]) -> str:
    """What a statistic is of, and how it is computed where that is not the usual way; `words_of` says what an output of
    its query is called."""
    outputs = plan.query.measures or plan.query.columns
    outputs = outputs[:1] if plan.name in _OF_ONE else outputs
    options = {key: value for key, value in plan.options.items() if key not in _UNSAID and value is not None}
    stated = ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in options.items())
    told = f"{plan.name.replace('_', ' ')} of {listed([words_of(output) for output in outputs], most=MOST_LISTED)}"
    return f"{told} ({stated})" if stated else told
