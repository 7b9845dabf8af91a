"""Reads a question into plans with probabilities: mentions, a learned reader, and a judge over all readings (see ARCHITECTURE.md)."""

from apps.analyst.reading.judging import answer_from, ask_from, trained
from apps.analyst.reading.reader import Weighed, weighed

__all__ = ["Weighed", "answer_from", "ask_from", "trained", "weighed"]
