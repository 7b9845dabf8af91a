"""The chart that a question names, for plans that come without the question's reading."""

from __future__ import annotations

import re

from apps.analyst.language.reading import ChartWish
from apps.analyst.types import ChartType

MARKS: dict[str, ChartType] = {
    "pie": "pie", "bar": "bar", "column": "bar", "line": "line", "doughnut": "doughnut", "donut": "doughnut",
    "scatter": "scatter", "radar": "radar", "polar area": "polarArea",
}  # fmt: skip
_MARKS = "|".join(MARKS)
_NAMED = re.compile(
    rf"\b(?:(?:as|in|into|using|with) an? (?P<one>{_MARKS})"
    rf"|(?P<other>{_MARKS})s?[ -]?(?:chart|graph|plot|diagram)s?)\b",
    re.IGNORECASE,
)


def named_chart(text: str) -> ChartWish | None:
    """The wish for a chart of the kind that the text names; None where it names none."""
    found = _NAMED.search(text)
    if found is None:
        return None
    return ChartWish(mark=MARKS[(found["one"] or found["other"]).casefold()], explicit=True)
