"""Understanding: from a question's words to plans over the catalog. Nothing here computes or reads rows."""

from apps.analyst.language.choose import ANSWER_THRESHOLD, read
from apps.analyst.language.reading import METRICS, ChartWish, Reading

__all__ = ["ANSWER_THRESHOLD", "METRICS", "ChartWish", "Reading", "read"]
