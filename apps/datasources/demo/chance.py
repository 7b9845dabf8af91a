"""Chance with a seed: the few kinds of draws the demo needs, the same on every machine."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of draws. Parts of the demo use streams of their own, so that changing one leaves the others alone."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a demo's data, not a secret

    def one_of(self, options: Sequence[T]) -> T:
        """Any of them."""
        return self._random.choice(options)

    def weighted(self, weights: Mapping[T, float]) -> T:
        """One of the keys, by its weight."""
        return self._random.choices(list(weights), weights=list(weights.values()))[0]

    def happens(self, probability: float) -> bool:
        """True as often as `probability` (0 to 1) says."""
        return self._random.random() < probability

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(low, high)

    def uniform(self, low: float, high: float) -> float:
        """A number between the two."""
        return self._random.uniform(low, high)

    def lognormal(self, median: float, spread: float) -> float:
        """Mostly near `median`, now and then much larger, as amounts and durations are."""
        return self._random.lognormvariate(math.log(median), spread)

    def count(self, mean: float) -> int:
        """How many of something that happens `mean` times on average."""
        limit, product, count = math.exp(-mean), self._random.random(), 0
        while product > limit:
            product *= self._random.random()
            count += 1
        return count

    def day(self, first: date, last: date) -> date:
        """A working day between the two (or the nearest one before)."""
        found = first + timedelta(days=self.between(0, max(0, (last - first).days)))
        return max(first, found - timedelta(days=max(0, found.weekday() - 4)))
