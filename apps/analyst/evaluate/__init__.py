"""Runs the engine over a set of questions in the format of the evaluation folders, and writes its predictions.

Only what an asker would give is used: the tables, the question, its context and the turns before it.
"""

from __future__ import annotations

from apps.analyst.evaluate.predictions import chart_of, value, values_of
from apps.analyst.evaluate.running import evaluate

__all__ = ["chart_of", "evaluate", "value", "values_of"]
