"""A statistic asked for in plain words, and how its columns are found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.analyst.language.readers.statistics_mentions import Masked
from apps.analyst.language.reading import ChartWish

Options = dict[str, str | int | float | bool | None]
SURE, NAMED, LIKELY, POSSIBLE = 0.99, 0.92, 0.82, 0.6
"""Scores of a reading: asked in the statistic's own words, only named, asked in everyday words, perhaps meant."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A statistic with its columns, how surely it was asked for, and the chart that would show it."""

    name: str
    columns: tuple[str, ...]
    options: Options
    score: float
    chart: ChartWish | None = None


def numbers_in(masked: Masked, text: str | None = None) -> tuple[str, ...]:
    """The columns to compute with that a stretch of masked text (by default all of it) names, in order."""
    named = masked.columns(masked.masked if text is None else text)
    return tuple(name for name in named if masked.countable(name))


def says(masked: Masked, pattern: str) -> re.Match[str] | None:
    """The first place where the masked text fits the pattern, case aside."""
    return re.search(pattern, masked.masked, re.IGNORECASE)
