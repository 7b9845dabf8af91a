"""Understanding: from a question's words to plans over the catalog (`choose.read`). Nothing here computes or reads
rows."""

from apps.analyst.language.reading import ANSWER_THRESHOLD, METRICS, ChartWish, Reading

__all__ = ["ANSWER_THRESHOLD", "METRICS", "ChartWish", "Reading"]
